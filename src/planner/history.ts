import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import { withEdits } from './fileEdits';
import type { HistoryMatch, Plan } from './model';
import { namedPlan } from './planChoice';
import type { PlanStore, View } from './ports';
import { chooseSession, namedSession } from './sessionChoice';

const DEFAULT_RESULTS = 10;
const MOST_RESULTS = 100;

/** Completed plans (seed, section 6.4). */
export class History {
  constructor(private readonly store: PlanStore) {}

  /**
   * Best first; `maxResults` is 1 to 100 and defaults to 10. Any query is legal. A search over all sessions needs none
   * of its own: `session` is '' if there is no current one.
   */
  async search(
    caller: Caller,
    input: { sessionName?: string; query: string; maxResults?: number; allSessions?: boolean },
  ): Promise<InSession & { matches: HistoryMatch[] }> {
    const limit = input.maxResults ?? DEFAULT_RESULTS;
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_RESULTS) {
      throw new PlannerError(
        'VALIDATION_ERROR',
        `max_results must be a whole number from 1 to ${MOST_RESULTS}.`,
        'Leave max_results out, or give a number in that range.',
      );
    }
    const everywhere = input.allSessions ?? false;
    return this.store.read((view) => {
      const chosen = everywhere
        ? sessionIfAny(view, caller, input.sessionName)
        : chooseSession(view, caller, input.sessionName);
      const session = everywhere ? undefined : chosen.session;
      return { ...chosen, matches: view.searchHistory(input.query, { session, limit }) };
    });
  }

  /** A plan of any session and status: what is active or queued must be readable without access to its file. */
  get(_caller: Caller, input: { planId: string }): Promise<Plan> {
    return this.store.read((view) => withEdits(view, namedPlan(view, input.planId)));
  }

  /** Completed or discarded plans, newest first. */
  list(input: {
    sessionName?: string;
    status: 'completed' | 'discarded';
    offset: number;
    limit: number;
  }): Promise<Plan[]> {
    const { sessionName, ...page } = input;
    return this.store.read((view) =>
      view.history(sessionName === undefined ? undefined : namedSession(view, sessionName), page),
    );
  }
}

function sessionIfAny(view: View, caller: Caller, sessionName: string | undefined): InSession {
  try {
    return chooseSession(view, caller, sessionName);
  } catch (error) {
    if (sessionName === undefined && error instanceof PlannerError) return { session: '', assumed: false };
    throw error;
  }
}
