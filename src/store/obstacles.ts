/** What the state is wanted for. */
export type Purpose = 'read' | 'write';

/**
 * What must be done before the state can be used; each takes time, so that it happens outside of a critical section.
 * `unbegun` and `lost` stand in the way of writing alone: there is no journal.
 */
export type Obstacle = 'busy' | 'unopened' | 'unbegun' | 'lost' | 'behind' | 'unreadable' | 'displaced' | 'full';

/**
 * How the store stands. `newer`: it is there, and a later version has written what this one doesn't know. `deleted`, `moved`: it was there, and
 * its files are gone from the folder.
 */
export type Condition = 'unopened' | 'absent' | 'present' | 'newer' | 'deleted' | 'moved';
