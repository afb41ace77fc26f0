import type { Caller, InSession } from './caller';
import type { HistoryMatch, Plan } from './model';
import type { PlanStore } from './ports';

/** Completed plans (seed, section 6.4). */
export class History {
  constructor(private readonly store: PlanStore) {}

  /** Best first; `maxResults` defaults to 10. */
  search(
    _caller: Caller,
    _input: { sessionName?: string; query: string; maxResults?: number; allSessions?: boolean },
  ): Promise<InSession & { matches: HistoryMatch[] }> {
    throw new Error('unwritten');
  }

  /** A completed plan of any session. */
  get(_caller: Caller, _input: { planId: string }): Promise<Plan> {
    throw new Error('unwritten');
  }

  /** Completed or discarded plans, newest first. */
  list(_input: {
    sessionName?: string;
    status: 'completed' | 'discarded';
    offset: number;
    limit: number;
  }): Promise<Plan[]> {
    throw new Error('unwritten');
  }
}
