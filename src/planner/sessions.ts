import type { Caller } from './caller';
import { takeInReadableEdits, withEdits } from './fileEdits';
import { openPlans, type PlanFilesOnDisk, planFilesOnDisk } from './integrity';
import type { PlanHeading, Session, SessionSummary } from './model';
import { newSessionName } from './newNames';
import type { PlanStore } from './ports';
import { chooseSession, currentSession, namedSession } from './sessionChoice';
import { type SessionState, sessionState } from './sessionState';
import { enteringText } from './text';

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
        state: sessionState(view, { session, assumed: false }, input.queueLimit),
        pulledHere: caller.pulled !== undefined && view.plan(caller.pulled.plan)?.sessionName === session,
      };
    });
    caller.session = state.session;
    if (!pulledHere) caller.pulled = undefined;
    return state;
  }

  /**
   * The state of the named or current session with its plan files, all at one moment, without choosing it. Plans read as
   * they do with the edits of their files that the next change will take in.
   */
  state(caller: Caller, input: { sessionName?: string }): Promise<SessionState & PlanFilesOnDisk> {
    return this.store.read((view) => {
      const state = sessionState(view, chooseSession(view, caller, input.sessionName));
      const asEdited = <P extends PlanHeading>(heading: P): P => {
        const plan = view.plan(heading.id);
        return plan ? { ...heading, goal: withEdits(view, plan).goal } : heading;
      };
      return {
        ...state,
        queue: state.queue.map(asEdited),
        activePlan: state.activePlan && asEdited(state.activePlan),
        ...planFilesOnDisk(view, state.session),
      };
    });
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
