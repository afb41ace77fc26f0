import type { Caller, InSession } from './caller';
import type { Invariant, PlanStore } from './ports';

export interface IntegrityReport extends InSession {
  valid: boolean;
  invariants: Record<Invariant, boolean>;
  issues: string[];
}

/** What must always hold (seed, section 6.5). */
export class Integrity {
  constructor(private readonly store: PlanStore) {}

  /** Takes hand edits of plan files in first, then checks the session and the store. */
  validate(_caller: Caller, _input: { sessionName?: string }): Promise<IntegrityReport> {
    throw new Error('unwritten');
  }

  /** Ids of the plan files on disk, and whether they are those of the queued and active plans. */
  planFiles(
    _caller: Caller,
    _input: { sessionName?: string },
  ): Promise<InSession & { planFiles: string[]; match: boolean }> {
    throw new Error('unwritten');
  }
}
