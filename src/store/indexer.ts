import type { Log } from '../planner/ports';
import { TimeSlice } from './pause';
import type { Projection } from './projectionPort';

/** Milliseconds without a change before what was completed is indexed. */
const IDLE = 50;
/** Changes after which it is not put off any longer. */
const MOST = 200;

/** Brings the search index of a projection up to date, giving the event loop its turns. */
export async function indexInSlices(current: () => Projection | undefined): Promise<void> {
  const slice = new TimeSlice();
  while (current()?.index(() => slice.isOver) === false) await slice.pause();
}

/** Keeps the search index close behind the changes, so that a search need not do much first. */
export class Indexer {
  private timer: NodeJS.Timeout | undefined;
  private changes = 0;

  constructor(
    private readonly current: () => Projection | undefined,
    private readonly log: Log,
  ) {}

  /** To be told of every change. */
  changed(): void {
    this.changes++;
    if (this.timer && this.changes < MOST) this.timer.refresh();
    else this.timer ??= setTimeout(() => void this.work(), IDLE).unref();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async work(): Promise<void> {
    this.timer = undefined;
    this.changes = 0;
    try {
      await indexInSlices(this.current);
    } catch (error) {
      this.log.warn({ error }, 'The search index could not be brought up to date.');
    }
  }
}
