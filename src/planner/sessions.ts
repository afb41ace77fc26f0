import type { Caller, InSession } from './caller';
import type { PlanHeading, QueuedPlan, Session, SessionSummary } from './model';
import type { PlanStore } from './ports';

export interface SessionState extends InSession {
  sessionPath: string;
  taskDescription: string | null;
  /** All queued plans, in order. */
  queue: QueuedPlan[];
  queueLength: number;
  activePlan: (PlanHeading & { filePath: string; pulledBy: string | null; pulledAt: string | null }) | null;
  completedCount: number;
}

/** Sessions (seed, sections 6.1 and 6.5). */
export class Sessions {
  constructor(private readonly store: PlanStore) {}

  /** Makes a session with a new three-word name and works on it from now on. */
  create(_caller: Caller, _input: { taskDescription?: string }): Promise<{ session: string; sessionPath: string }> {
    throw new Error('unwritten');
  }

  /** Works on an existing session from now on. `queueLimit` bounds `queue`, not `queueLength`. */
  resume(_caller: Caller, _input: { sessionName: string; queueLimit?: number }): Promise<SessionState> {
    throw new Error('unwritten');
  }

  /** The state of the named or current session, without choosing it. */
  state(_caller: Caller, _input: { sessionName?: string }): Promise<SessionState> {
    throw new Error('unwritten');
  }

  list(_input: { archived?: boolean }): Promise<SessionSummary[]> {
    throw new Error('unwritten');
  }

  /** The workspace's current session: the selected one, else the only one with open work. */
  current(): Promise<Session | undefined> {
    throw new Error('unwritten');
  }

  /** The person's choice in the sidebar; agents without a session of their own follow it. */
  select(_caller: Caller, _input: { sessionName: string | null }): Promise<void> {
    throw new Error('unwritten');
  }

  describe(_caller: Caller, _input: { sessionName: string; taskDescription: string | null }): Promise<void> {
    throw new Error('unwritten');
  }

  archive(_caller: Caller, _input: { sessionName: string; archived: boolean }): Promise<void> {
    throw new Error('unwritten');
  }

  /** Deletes the session with all its plans; the journal keeps what was. */
  delete(_caller: Caller, _input: { sessionName: string }): Promise<void> {
    throw new Error('unwritten');
  }
}
