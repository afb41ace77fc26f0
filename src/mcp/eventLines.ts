import type { CommittedChange, DomainEvent } from '../planner/events';
import { legible, legibleJson } from '../planner/text';

/** What a stream of events consists of: changes, and remarks on the stream itself. */
export type EventItem = Omit<CommittedChange, 'own'> | { seq: number; notice: string; message: string };

/** One line of JSON without the newline. */
export function jsonLine(item: EventItem): string {
  if ('notice' in item) return legibleJson(item);
  const { seq, at, by, events } = item;
  return legibleJson({ seq, at, by, events });
}

/** One line for people. */
export function textLine(item: EventItem): string {
  if ('notice' in item) return legible(`# ${item.notice} (${item.seq}): ${item.message}`);
  const { seq, at, by, events } = item;
  return legible(`${at} ${seq} ${by}: ${events.map(inWords).join(', ')}`);
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
