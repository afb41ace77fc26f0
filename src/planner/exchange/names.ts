import { isPlanId, isSessionName } from '../names';
import { newPlanId, newSessionName } from '../newNames';
import type { View } from '../ports';
import type { ExportedSession } from './exported';

/** What sessions, plans and proposals of an export are called here: as there, unless that is taken. */
export class Names {
  private readonly sessions = new Map<string, string>();
  private readonly plans = new Map<string, string>();
  private readonly proposals = new Map<string, string>();

  constructor(
    private readonly view: View,
    exported: readonly ExportedSession[],
  ) {
    const plans = exported.flatMap((session) => session.plans);
    const proposals = exported.flatMap((session) => session.proposals);
    // Those that may keep theirs come first, so that a new one never takes it.
    for (const { name } of exported) if (isSessionName(name) && !view.session(name)) this.sessions.set(name, name);
    for (const { id } of plans) if (isPlanId(id) && !view.plan(id)) this.plans.set(id, id);
    for (const { id } of proposals) if (!view.proposal(id)) this.proposals.set(id, id);
    for (const { name } of exported)
      fill(this.sessions, name, (isGiven) => newSessionName(isGiven), isTakenBy('session'));
    for (const { id } of plans) fill(this.plans, id, (isGiven) => newPlanId(isGiven), isTakenBy('plan'));
    for (const { id } of proposals) fill(this.proposals, id, (isGiven) => newPlanId(isGiven), isTakenBy('proposal'));

    function isTakenBy(what: 'session' | 'plan' | 'proposal'): (id: string) => boolean {
      return (id) => view[what](id) !== undefined;
    }
  }

  session(name: string): string {
    return this.sessions.get(name) ?? name;
  }

  plan(id: string): string {
    return this.plans.get(id) ?? id;
  }

  proposal(id: string): string {
    return this.proposals.get(id) ?? id;
  }

  knows(session: string): boolean {
    return this.sessions.has(session);
  }

  knowsPlan(id: string): boolean {
    return this.plans.has(id);
  }

  /** False if it is another plan here. */
  means(id: string): boolean {
    return this.knowsPlan(id) || this.view.plan(id) === undefined;
  }
}

function fill(
  given: Map<string, string>,
  old: string,
  make: (isGiven: (name: string) => boolean) => string,
  isTaken: (name: string) => boolean,
): void {
  if (given.has(old)) return;
  const used = new Set(given.values());
  given.set(
    old,
    make((name) => used.has(name) || isTaken(name)),
  );
}
