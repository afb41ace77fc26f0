import type { Hands } from './hands';

/** A change that was begun, and whether it was acknowledged. `key` stands in the plan if it happened. */
export interface Change {
  key: string;
  what: 'goal' | 'outcome' | 'reason' | 'note' | 'discard' | 'move';
  /** Of the plan; for an addition known only when it is acknowledged. */
  plan?: string;
  acknowledged: boolean;
  /** Milliseconds until it was. */
  took?: number;
}

export interface Diary {
  begin(change: Change): void;
  acknowledge(change: Change): void;
}

/** Does one change after another, of every kind, until it is told to stop. What is refused was another's by then. */
export class MixedWork {
  private count = 0;

  constructor(
    private readonly hands: Hands,
    private readonly sessions: readonly string[],
    private readonly prefix: string,
    private readonly diary: Diary,
    private readonly random: () => number,
  ) {}

  async step(): Promise<void> {
    const session = this.pick(this.sessions) as string;
    const chance = this.random();
    if (chance < 0.35) return this.add(session);
    const { queue, active } = await this.hands.look(session);
    const plan = this.pick(queue);
    if (chance < 0.75) return this.workOn(session, active ?? (await this.pull(session)));
    if (plan === undefined) return this.add(session);
    if (chance < 0.87) return this.change('note', plan, (key) => this.hands.note(plan, key));
    if (chance < 0.93) return this.change('discard', plan, (key) => this.hands.discard(session, plan, key));
    return this.change('move', plan, () => this.hands.move(plan));
  }

  private add(session: string): Promise<void> {
    const end = this.random() < 0.5 ? 'front' : 'back';
    return this.change('goal', undefined, (key) => this.hands.add(session, key, end));
  }

  private async workOn(session: string, plan: string | undefined): Promise<void> {
    if (plan === undefined) return;
    if (this.random() < 0.7) await this.change('outcome', plan, (key) => this.hands.complete(session, plan, key));
    else await this.change('reason', plan, (key) => this.hands.defer(session, plan, key));
  }

  private async pull(session: string): Promise<string | undefined> {
    let pulled: string | undefined;
    await this.change('move', undefined, async () => {
      pulled = await this.hands.pull(session);
    });
    return pulled;
  }

  private async change(
    what: Change['what'],
    plan: string | undefined,
    work: (key: string) => Promise<unknown>,
  ): Promise<void> {
    const change: Change = { key: `${this.prefix}n${this.count++}e`, what, plan, acknowledged: false };
    this.diary.begin(change);
    const began = performance.now();
    try {
      const id = await work(change.key);
      this.diary.acknowledge({
        ...change,
        plan: typeof id === 'string' ? id : plan,
        acknowledged: true,
        took: performance.now() - began,
      });
    } catch (error) {
      if (!isLostRace(error)) throw error;
    }
  }

  private pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)];
  }
}

/** Another process has finished, moved or taken the plan since it was looked at. */
function isLostRace(error: unknown): boolean {
  return (
    error instanceof Error &&
    /active plan|is completed|is discarded|is active|is queued|is being worked on|is in the queue|No queued plan|NO_ACTIVE|ALREADY_ACTIVE|not active|can't be/i.test(
      error.message,
    )
  );
}
