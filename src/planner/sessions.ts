import type { Caller, InSession } from './caller';
import { takeInReadableEdits } from './fileEdits';
import { openPlans } from './integrity';
import type { PlanHeading, QueuedPlan, Session, SessionSummary } from './model';
import { newSessionName } from './names';
import type { PlanStore, View } from './ports';
import { chooseSession, currentSession, namedSession } from './sessionChoice';
import { enteringText } from './text';

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
  async create(caller: Caller, input: { taskDescription?: string }): Promise<{ session: string; sessionPath: string }> {
    const taskDescription = enteringDescription(input.taskDescription);
    const created = await this.store.transact(caller.client, (tx) => {
      const session = newSessionName((name) => tx.session(name) !== undefined);
      tx.emit({ type: 'session_created', session, taskDescription });
      return { session, sessionPath: tx.sessionPath(session) };
    });
    caller.session = created.session;
    caller.pulled = undefined;
    return created;
  }

  /** Works on an existing session from now on. `queueLimit` bounds `queue`, not `queueLength`. */
  async resume(caller: Caller, input: { sessionName: string; queueLimit?: number }): Promise<SessionState> {
    const { state, pulledHere } = await this.store.read((view) => {
      const session = namedSession(view, input.sessionName);
      return {
        state: stateOf(view, { session, assumed: false }, input.queueLimit),
        pulledHere: caller.pulled !== undefined && view.plan(caller.pulled.plan)?.sessionName === session,
      };
    });
    caller.session = state.session;
    if (!pulledHere) caller.pulled = undefined;
    return state;
  }

  /** The state of the named or current session, without choosing it. */
  state(caller: Caller, input: { sessionName?: string }): Promise<SessionState> {
    return this.store.read((view) => stateOf(view, chooseSession(view, caller, input.sessionName)));
  }

  /** Newest first; archived ones only if asked for. */
  list(input: { archived?: boolean }): Promise<SessionSummary[]> {
    return this.store.read((view) => view.sessions(input));
  }

  /** The workspace's current session: the selected one, else the only one with open work. */
  current(): Promise<Session | undefined> {
    return this.store.read((view) => {
      const name = currentSession(view);
      return name === undefined ? undefined : view.session(name);
    });
  }

  /** The person's choice in the sidebar; agents without a session of their own follow it. */
  select(caller: Caller, input: { sessionName: string | null }): Promise<void> {
    return this.store.transact(caller.client, (tx) => {
      const session = input.sessionName === null ? null : namedSession(tx, input.sessionName);
      if (session !== (tx.selectedSession() ?? null)) tx.emit({ type: 'session_selected', session });
    });
  }

  describe(caller: Caller, input: { sessionName: string; taskDescription: string | null }): Promise<void> {
    const taskDescription = enteringDescription(input.taskDescription);
    return this.store.transact(caller.client, (tx) => {
      const session = namedSession(tx, input.sessionName);
      if (tx.session(session)?.taskDescription === taskDescription) return;
      tx.emit({ type: 'session_described', session, taskDescription });
    });
  }

  archive(caller: Caller, input: { sessionName: string; archived: boolean }): Promise<void> {
    return this.store.transact(caller.client, (tx) => {
      const session = namedSession(tx, input.sessionName);
      if ((tx.session(session)?.archivedAt !== null) === input.archived) return;
      tx.emit({ type: 'session_archived', session, archived: input.archived });
    });
  }

  /** Deletes the session with all its plans; the journal keeps what was, edits of their files too. */
  async delete(caller: Caller, input: { sessionName: string }): Promise<void> {
    await this.store.transact(caller.client, (tx) => {
      const session = namedSession(tx, input.sessionName);
      for (const plan of openPlans(tx, session)) takeInReadableEdits(tx, plan);
      tx.emit({ type: 'session_deleted', session });
    });
  }
}

function enteringDescription(text: string | null | undefined): string | null {
  return enteringText('task_description', text ?? '') || null;
}

function stateOf(view: View, chosen: InSession, queueLimit?: number): SessionState {
  const { session } = chosen;
  const active = view.activePlan(session);
  return {
    ...chosen,
    sessionPath: view.sessionPath(session),
    taskDescription: view.session(session)?.taskDescription ?? null,
    queue: view.queue(session, queueLimit === undefined ? undefined : { offset: 0, limit: queueLimit }),
    queueLength: view.queueLength(session),
    activePlan: active
      ? {
          id: active.id,
          goal: active.goal,
          filePath: view.planPath(session, active.id),
          pulledBy: active.pulledBy,
          pulledAt: active.pulledAt,
        }
      : null,
    completedCount: view.completedCount(session),
  };
}
