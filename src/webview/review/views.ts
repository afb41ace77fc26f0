import { editedPlan } from './draft';
import type { ReviewView } from './header';
import type { ReviewDraft, ReviewRound, ShownProposal } from './protocol';
import { type Reading, readChanges, readPlan } from './reading';

/** One round of a proposal, and what there is to see of it. */
export interface ShownRound {
  round: ReviewRound;
  previous: ReviewRound | undefined;
  /** The plan's text as the person changed it, on approval or so far. */
  changed: string | null;
}

export function shownRound(proposal: ShownProposal, number: number, draft: ReviewDraft): ShownRound | undefined {
  const find = (wanted: number) => proposal.rounds.find(({ round }) => round === wanted);
  const round = find(number);
  if (!round) return undefined;
  const isLast = round === proposal.rounds.at(-1);
  const changed = isLast && !round.decision ? editedPlan(draft, round) : round.approvedPlan;
  return { round, previous: find(number - 1), changed };
}

export function viewsOf({ previous, changed }: ShownRound, isOpen: boolean): ReviewView[] {
  return [
    'plan',
    ...(previous ? (['changes'] as const) : []),
    ...(isOpen ? (['edit'] as const) : []),
    ...(changed === null ? [] : (['yourChanges'] as const)),
  ];
}

/** What holds of the plan now: the person's text if they changed it on approval. */
function standingText({ round }: ShownRound): string {
  return round.approvedPlan ?? round.plan;
}

/** Lays out what a view shows, anew only when its texts are others. */
export class ReadingDesk {
  private last: { key: string; reading: Reading } | undefined;

  constructor(private readonly changed: () => void) {}

  read(view: ReviewView, shown: ShownRound | undefined): Reading {
    const plan = shown?.round.plan ?? '';
    const [before, after] =
      view === 'changes' && shown?.previous
        ? [shown.previous.plan, plan]
        : view === 'yourChanges'
          ? [plan, shown?.changed ?? plan]
          : [undefined, shown ? standingText(shown) : ''];
    const key = JSON.stringify([before, after]);
    if (this.last?.key !== key) {
      this.last = { key, reading: before === undefined ? readPlan(after) : readChanges(before, after) };
      this.changed();
    }
    return this.last.reading;
  }
}
