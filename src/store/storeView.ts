import type { DomainEvent } from '../planner/events';
import type { Transaction, View } from '../planner/ports';
import type { PlanFiles } from './planFiles';
import type { Projection } from './projectionPort';

/** The projection's queries, and what the store knows beyond them: files and its own problems. */
export function storeView(projection: Projection, files: PlanFiles, problems: () => string[]): View {
  const { view } = projection;
  return {
    ...view,
    sessionPath: (session) => files.sessionPath(session),
    planPath: (session, plan) => files.planPath(session, plan),
    planFiles: (session) => files.list(session, view),
    workingCopy: (session, plan) => files.read(session, plan),
    inconsistencies: (session) => [
      ...view.inconsistencies(session),
      ...problems().map((issue) => ({ invariant: 'store' as const, issue })),
    ],
  };
}

/** A view that can change: what a command emits is applied at once, inside the projection's open transaction. */
export function openTransaction(
  projection: Projection,
  view: View,
  record: { at: string; by: string; seq: number },
): { tx: Transaction; events: DomainEvent[]; end: () => void } {
  const events: DomainEvent[] = [];
  let isOpen = true;
  const tx: Transaction = {
    ...view,
    now: record.at,
    emit: (event) => {
      if (!isOpen) throw new Error('The transaction has ended: a command must do all its work before it returns.');
      projection.apply(event, record);
      events.push(event);
    },
  };
  const end = () => {
    isOpen = false;
  };
  return { tx, events, end };
}
