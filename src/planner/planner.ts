import { History } from './history';
import { Integrity } from './integrity';
import type { PlanBackend } from './planBackend';
import { PlanMode } from './planMode';
import type { PlanStore } from './ports';
import { Queue } from './queue';
import { QueueBackend } from './queueBackend';
import { Reasoning } from './reasoning';
import { Sessions } from './sessions';
import { Tasks } from './tasks';

/** The one object that both doors call. */
export class Planner {
  readonly sessions: Sessions;
  readonly queue: Queue;
  readonly history: History;
  readonly integrity: Integrity;
  readonly planMode: PlanMode;
  readonly reasoning: Reasoning;
  readonly tasks: Tasks;

  /** `taskBackend`: where the steps of `reasoning_plan` go rather than into the queue. */
  constructor(
    readonly store: PlanStore,
    taskBackend?: PlanBackend,
  ) {
    this.sessions = new Sessions(store);
    this.queue = new Queue(store);
    this.history = new History(store);
    this.integrity = new Integrity(store);
    this.planMode = new PlanMode(store);
    this.reasoning = new Reasoning([...(taskBackend ? [taskBackend] : []), new QueueBackend(store)]);
    this.tasks = new Tasks(store);
  }
}
