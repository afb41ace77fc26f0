import { History } from './history';
import { Integrity } from './integrity';
import type { PlanStore } from './ports';
import { Queue } from './queue';
import { Sessions } from './sessions';

/** The one object that both doors call. */
export class Planner {
  readonly sessions: Sessions;
  readonly queue: Queue;
  readonly history: History;
  readonly integrity: Integrity;

  constructor(readonly store: PlanStore) {
    this.sessions = new Sessions(store);
    this.queue = new Queue(store);
    this.history = new History(store);
    this.integrity = new Integrity(store);
  }
}
