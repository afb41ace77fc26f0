import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import { newSessionName } from './names';
import type { Transaction } from './ports';
import { chooseSession } from './sessionChoice';

/**
 * The session that new work goes to: the one that any call would take, else a new one, because an agent that starts to
 * plan needs none yet. A session that was named, or that the connection worked on, must still exist.
 */
export function sessionForWork(
  tx: Transaction,
  caller: Caller,
  sessionName: string | undefined,
  taskDescription: string | null,
): InSession & { created: boolean } {
  try {
    return { ...chooseSession(tx, caller, sessionName), created: false };
  } catch (error) {
    if (!isNoneChosen(error) || sessionName !== undefined || caller.session !== undefined) throw error;
  }
  const session = newSessionName((name) => tx.session(name) !== undefined);
  tx.emit({ type: 'session_created', session, taskDescription });
  return { session, assumed: false, created: true };
}

function isNoneChosen(error: unknown): boolean {
  return error instanceof PlannerError && error.category === 'SESSION_NOT_FOUND';
}

/** Once it is committed, the connection works on the session it made. */
export function settle<T extends InSession & { created: boolean }>(caller: Caller, result: T): T {
  if (result.created) caller.session = result.session;
  return result;
}
