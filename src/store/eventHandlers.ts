import type { DomainEvent } from '../planner/events';

/** What a journal record says of all its events. */
export interface RecordFacts {
  at: string;
  by: string;
}

export type EventOf<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

export type Handlers<E extends DomainEvent> = {
  [T in E['type']]: (event: EventOf<T>, record: RecordFacts) => void;
};
