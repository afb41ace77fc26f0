import type { DomainEvent } from '../planner/events';
import type { View } from '../planner/ports';

/** A scheme can't begin with a digit. */
const SCHEME = 'nineplan://';

export const SESSIONS_URI = `${SCHEME}sessions`;
export const sessionUri = (name: string) => `${SCHEME}session/${name}`;
export const planUri = (id: string) => `${SCHEME}plan/${id}`;
export const SESSION_TEMPLATE = sessionUri('{name}');
export const PLAN_TEMPLATE = planUri('{id}');

export type Resource = { kind: 'sessions' } | { kind: 'session'; name: string } | { kind: 'plan'; id: string };

export function parseUri(uri: string): Resource | undefined {
  if (uri === SESSIONS_URI) return { kind: 'sessions' };
  const [, kind, key] = /^nineplan:\/\/(session|plan)\/([a-z0-9-]{1,100})$/.exec(uri) ?? [];
  if (key === undefined) return undefined;
  return kind === 'session' ? { kind, name: key } : { kind: 'plan', id: key };
}

/** Whether `events` change which sessions there are, or what they are called. */
export function changesList(events: readonly DomainEvent[]): boolean {
  return events.some(({ type }) => type.startsWith('session_') && type !== 'session_selected');
}

/** The resources that show something else after `events`; plans that went with their session are not among them. */
export function urisTouched(events: readonly DomainEvent[], view: Pick<View, 'plan'>): Set<string> {
  const uris = new Set<string>();
  for (const event of events) {
    const session =
      'session' in event ? event.session : 'plan' in event ? view.plan(event.plan)?.sessionName : undefined;
    if (typeof session === 'string') uris.add(sessionUri(session));
    if (event.type.startsWith('plan_') && 'plan' in event) uris.add(planUri(event.plan));
    if (event.type.startsWith('plan_') || event.type.startsWith('session_')) uris.add(SESSIONS_URI);
  }
  return uris;
}
