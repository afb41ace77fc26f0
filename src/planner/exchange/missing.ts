import type { View } from '../ports';
import { type Exported, type ExportedSession, newExport } from './exported';

/**
 * What the store lacks of an exported state: sessions that it doesn't know, and plans and proposals by themselves that it
 * lacks of the others. A session of those is restored beside the one of the same name, under another.
 */
export function missingIn(view: View, { sessions }: Exported): Exported {
  return newExport(
    undefined,
    sessions.flatMap((session) => lackingPart(view, session) ?? []),
  );
}

function lackingPart(view: View, session: ExportedSession): ExportedSession | undefined {
  if (view.session(session.name) === undefined) return session;
  const plans = session.plans.filter(({ id }) => view.plan(id) === undefined);
  const proposals = session.proposals.filter(({ id }) => view.proposal(id) === undefined);
  return plans.length + proposals.length > 0 ? { ...session, plans, proposals, todo_lists: [] } : undefined;
}
