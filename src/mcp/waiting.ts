import type { PlanStore } from '../planner/ports';

const HEARTBEAT_MS = 5_000;

/** Asks again after each change of the store, until the answer is there, the time is over or the signal aborts. */
export class Waiting {
  private changed = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly store: PlanStore,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param ask gives the answer, or undefined to go on waiting. It is asked at least once.
   * @param seconds how long to wait for it.
   * @param beat told about every five seconds how many seconds have passed.
   */
  async forAnswer<T>(
    ask: () => Promise<T | undefined>,
    seconds: number,
    beat: (elapsed: number) => Promise<void>,
  ): Promise<T | undefined> {
    const start = performance.now();
    const subscription = this.store.onDidChange(() => this.notice());
    const abort = () => this.notice();
    this.signal.addEventListener('abort', abort);
    try {
      for (;;) {
        this.changed = false;
        const answer = await ask();
        if (answer !== undefined) return answer;
        while (!this.changed) {
          const elapsed = performance.now() - start;
          const left = seconds * 1000 - elapsed;
          if (this.signal.aborted || left <= 0) return undefined;
          await this.sleep(Math.min(left, HEARTBEAT_MS));
          if (!this.changed) await beat(Math.round((performance.now() - start) / 1000));
        }
      }
    } finally {
      subscription.dispose();
      this.signal.removeEventListener('abort', abort);
    }
  }

  /** Asks again now. */
  notice(): void {
    this.changed = true;
    this.wake?.();
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.changed) this.wake();
    });
  }
}
