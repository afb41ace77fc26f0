import type { DomainEvent } from '../../../src/planner/events';
import type { PlanSections } from '../../../src/planner/model';
import { openProjection, type SqlProjection } from '../../../src/store/projection';
import { loadSqlJs } from '../../../src/store/sqlJs';

export const SESSION = 'calm-blue-fox';

const START = Date.UTC(2026, 0, 1);

export function sectionsOf(given: Partial<PlanSections> = {}): PlanSections {
  return {
    context: '',
    goal: 'Some goal',
    inputs: '',
    outputs: '',
    approach: '',
    successCriteria: '',
    notes: '',
    ...given,
  };
}

/** A projection that takes each call as one journal record, a second after the last. */
export class ProjectionHouse {
  private seq = 0;

  private constructor(readonly projection: SqlProjection) {}

  static async open(): Promise<ProjectionHouse> {
    return new ProjectionHouse(openProjection(await loadSqlJs()));
  }

  /** With one session in it. */
  static async furnished(): Promise<ProjectionHouse> {
    const house = await ProjectionHouse.open();
    house.commit({ type: 'session_created', session: SESSION, taskDescription: 'A task' });
    return house;
  }

  get view(): SqlProjection['view'] {
    return this.projection.view;
  }

  get queue(): string[] {
    return this.view.queue(SESSION).map(({ id }) => id);
  }

  /** The record's time. */
  commit(...events: DomainEvent[]): string {
    this.projection.begin();
    const at = this.apply(...events);
    this.projection.commit();
    return at;
  }

  apply(...events: DomainEvent[]): string {
    const seq = ++this.seq;
    const at = new Date(START + seq * 1000).toISOString();
    for (const event of events) this.projection.apply(event, { at, by: 'tester', seq });
    return at;
  }

  /** Queued at the back, or where asked. */
  add(plan: string, sections: Partial<PlanSections> = {}, session = SESSION, position?: number): void {
    this.commit({
      type: 'plan_added',
      plan,
      session,
      position: position ?? this.view.queueLength(session) + 1,
      sections: sectionsOf(sections),
      parent: null,
    });
  }

  /** Added, pulled and completed. */
  finish(plan: string, sections: Partial<PlanSections> = {}, outcome = 'Done.', session = SESSION): void {
    this.add(plan, sections, session);
    this.commit({ type: 'plan_pulled', plan, client: 'tester' }, { type: 'plan_completed', plan, outcome });
  }

  close(): void {
    this.projection.close();
  }
}
