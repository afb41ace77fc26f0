import type { DomainEvent, PlainEvent } from '../planner/events';
import { planModeHandlers } from './applyPlanMode';
import { planHandlers } from './applyPlans';
import { sessionHandlers } from './applySessions';
import type { Handlers, RecordFacts } from './eventHandlers';
import type { Search } from './search';
import type { Sql } from './sqlJs';

/**
 * Makes events into rows. It decides nothing, and refuses nothing of a known type: after damage to a journal the events
 * that still read are applied as far as they mean anything, so that no readable work is dropped. Queue positions are
 * 1..n after each event. Throws on an unknown type.
 */
export function eventApplier(sql: Sql, search: Search): (event: DomainEvent, record: RecordFacts) => void {
  const handlers: Handlers<PlainEvent> = {
    ...sessionHandlers(sql, search),
    ...planHandlers(sql, search),
    ...planModeHandlers(sql),
  };
  return (event, record) => {
    if (!Object.hasOwn(handlers, event.type)) throw new Error(`Unknown event type ${JSON.stringify(event.type)}.`);
    const handle = handlers[event.type] as (event: DomainEvent, record: RecordFacts) => void;
    handle(event, event.restored ?? record);
  };
}
