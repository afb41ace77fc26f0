import type { Caller, InSession } from './caller';
import { newSessionName } from './newNames';
import type { Transaction, View } from './ports';
import { chooseSession, currentSession } from './sessionChoice';

/** `resumed`: the connection had begun work there before it lost its context. */
export type WorkSession = InSession & { created: boolean; resumed?: boolean };

/**
 * The session that new work goes to: the one that any call would take, else a new one, because an agent that starts to
 * plan needs none yet. A session that was named, or that the connection worked on, must still exist.
 */
export function sessionForWork(
  tx: Transaction,
  caller: Caller,
  sessionName: string | undefined,
  taskDescription: string | null,
): WorkSession {
  const chosen = sessionOrNone(tx, caller, sessionName);
  if (chosen) return { ...chosen, created: false };
  const session = newSessionName((name) => tx.session(name) !== undefined);
  tx.emit({ type: 'session_created', session, taskDescription });
  return { session, assumed: false, created: true };
}

/** Undefined if none was named, the connection has none and the workspace has no current one. */
export function sessionOrNone(view: View, caller: Caller, sessionName: string | undefined): InSession | undefined {
  const hasChoice = sessionName !== undefined || caller.session !== undefined || currentSession(view) !== undefined;
  return hasChoice ? chooseSession(view, caller, sessionName) : undefined;
}

/** Once it is committed, the connection works on the session it made or came back to. */
export function settle<T extends WorkSession>(caller: Caller, result: T): T {
  if (result.created || result.resumed) caller.session = result.session;
  return result;
}
