import type { CommittedChange } from '../planner/events';
import type { Disposable, Log } from '../planner/ports';

/** Hands committed changes to the listeners in their order, each once; one's own only after they are durable. */
export class ChangeFeed {
  private readonly listeners = new Set<(change: CommittedChange) => void>();
  private readonly queue: { change: CommittedChange; isHeld: boolean }[] = [];
  private isScheduled = false;

  constructor(private readonly log: Log) {}

  get hasListeners(): boolean {
    return this.listeners.size > 0;
  }

  listen(listener: (change: CommittedChange) => void): Disposable {
    // A wrapper of its own, so that a function that listens twice is two listeners.
    const own = (change: CommittedChange) => listener(change);
    this.listeners.add(own);
    return { dispose: () => this.listeners.delete(own) };
  }

  /** One's own change waits, and all after it, until `release`. */
  add(change: CommittedChange): void {
    this.queue.push({ change, isHeld: change.own });
    this.schedule();
  }

  release(seq: number): void {
    for (const entry of this.queue) if (entry.change.seq === seq) entry.isHeld = false;
    this.schedule();
  }

  /** Not at once: a change may be found in the midst of a command. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      for (let next = this.queue[0]; next && !next.isHeld; next = this.queue[0]) {
        this.queue.shift();
        this.tell(next.change);
      }
    });
  }

  private tell(change: CommittedChange): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.log.error({ error }, 'A listener to changes failed.');
      }
    }
  }
}
