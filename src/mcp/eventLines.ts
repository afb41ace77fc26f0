import type { CommittedChange, DomainEvent } from '../planner/events';

/** What a stream of events consists of: changes, and remarks on the stream itself. */
export type EventItem = Omit<CommittedChange, 'own'> | { seq: number; notice: string; message: string };

/** One line of JSON without the newline. */
export function jsonLine(item: EventItem): string {
  if ('notice' in item) return JSON.stringify(item);
  const { seq, at, by, events } = item;
  return JSON.stringify({ seq, at, by, events });
}

/** One line for people. */
export function textLine(item: EventItem): string {
  if ('notice' in item) return `# ${item.notice} (${item.seq}): ${item.message}`;
  const { seq, at, by, events } = item;
  const line = `${at} ${seq} ${by}: ${events.map(inWords).join(', ')}`;
  return line.replaceAll(/\p{Cc}/gu, ' ');
}

function inWords(event: DomainEvent): string {
  const about = ['plan', 'proposal', 'session'].flatMap((key) => {
    const value = (event as Record<string, unknown>)[key];
    // An event of a proposal has the plan's text under the name that others have its id under.
    const isId = typeof value === 'string' && !(key === 'plan' && 'proposal' in event);
    return isId ? [value] : [];
  });
  return [event.type, ...about].join(' ');
}
