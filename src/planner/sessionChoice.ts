import type { Caller, InSession } from './caller';
import { type ErrorCategory, PlannerError } from './errors';
import { isSessionName, quoted } from './names';
import type { View } from './ports';
import { excerpt } from './text';

const NAMES_LISTED = 20;

/**
 * The session that a call is about: the one it names, else the connection's (set by create and resume), else the
 * workspace's current one. SESSION_NOT_FOUND, naming those that exist, if there is none of these.
 */
export function chooseSession(view: View, caller: Caller, sessionName?: string): InSession {
  if (sessionName !== undefined) return { session: namedSession(view, sessionName), assumed: false };
  if (caller.session !== undefined) {
    if (view.session(caller.session) !== undefined) return { session: caller.session, assumed: false };
    throw notFound(view, `The session ${caller.session}, which this connection worked on, was deleted.`);
  }
  const current = currentSession(view);
  if (current !== undefined) return { session: current, assumed: true };
  throw notFound(view, 'No session was named, and the workspace has no current session.');
}

/** The session the person selected, else the only one with open work. */
export function currentSession(view: View): string | undefined {
  const selected = view.selectedSession();
  if (selected !== undefined && view.session(selected)?.archivedAt === null) return selected;
  const withOpenWork = view.sessionsWithOpenWork();
  return withOpenWork.length === 1 ? withOpenWork[0] : undefined;
}

/** VALIDATION_ERROR if `name` can't be a session's name, SESSION_NOT_FOUND if none has it. */
export function namedSession(view: View, name: string): string {
  if (!isSessionName(name)) {
    const message = `${quoted(name)} is not a session name: it is three lower-case words joined by hyphens.`;
    throw refused(view, 'VALIDATION_ERROR', message);
  }
  if (view.session(name) === undefined) throw notFound(view, `There is no session named ${name}.`);
  return name;
}

function notFound(view: View, message: string): PlannerError {
  return refused(view, 'SESSION_NOT_FOUND', message);
}

/** A name alone tells nobody which one it was, so the task stands beside it. */
function refused(view: View, category: ErrorCategory, message: string): PlannerError {
  const sessions = view.sessions({ archived: true });
  if (sessions.length === 0) {
    const tools = ['9plan_session_create'];
    return new PlannerError(category, message, 'Create a session first; none exists yet.', { tools });
  }
  const listed = sessions
    .slice(0, NAMES_LISTED)
    .map(({ name, taskDescription }) => (taskDescription ? `${name} (${excerpt(taskDescription, 60)})` : name));
  const more = sessions.length > NAMES_LISTED ? `, and ${sessions.length - NAMES_LISTED} older ones` : '';
  const suggestion = `Resume a session by its name, or create a new one. Existing sessions: ${listed.join(', ')}${more}.`;
  return new PlannerError(category, message, suggestion);
}
