import type { DomainEvent } from '../planner/events';
import type { Log, View } from '../planner/ports';
import type { JournalKeeper } from './journalKeeper';
import type { PlanFiles } from './planFiles';

/** Others can't go on for ever changing what was just changed. */
const ROUNDS = 20;

interface UpkeepParts {
  keeper: JournalKeeper;
  files: PlanFiles;
  view: () => View;
  log: Log;
}

/**
 * Makes the plan files follow the state. A change is safe in the journal by then: what goes wrong with a working copy is
 * logged, not refused. Whether it is still wrong the integrity check sees for itself.
 */
export class PlanFileUpkeep {
  private mended: Promise<void> | undefined;

  constructor(private readonly parts: UpkeepParts) {}

  /** A process that was killed may not have come to write the files of its last change. Once, before our first one. */
  mend(): Promise<void> {
    // What keeps the store from opening is told by the change itself.
    this.mended ??= this.restore().catch(() => undefined);
    return this.mended;
  }

  /** Writes the files that are missing. Rejects with PlannerError if the state can't be had. */
  restore(): Promise<void> {
    const { keeper, files, view } = this.parts;
    return keeper.whenReady('read', () => {
      for (const session of view().sessionsWithOpenWork()) {
        this.logProblems(() => files.restoreMissing(session, view()));
      }
    });
  }

  /** After a change of ours; again if others changed something meanwhile, so that the newest text stays, or none. */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    const { keeper } = this.parts;
    try {
      let isDone = keeper.isAtRest && this.reflect(events);
      for (let round = 0; !isDone && round < ROUNDS; round++) {
        isDone = await keeper.whenReady('read', () => this.reflect(events));
      }
    } catch (error) {
      // It is in the journal, whatever keeps the state from being read once more.
      this.logProblem(error);
    }
  }

  /** True if the state is still the newest. */
  private reflect(events: readonly DomainEvent[]): boolean {
    const { keeper, files, view } = this.parts;
    this.logProblems(() => files.reflect(events, view()));
    return keeper.isAtRest;
  }

  private logProblems(work: () => string[]): void {
    try {
      for (const problem of work()) this.logProblem(problem);
    } catch (error) {
      this.logProblem(error);
    }
  }

  private logProblem(problem: unknown): void {
    this.parts.log.warn({}, problem instanceof Error ? problem.message : String(problem));
  }
}
