import type { Proposal } from '../../planner/model';
import type { View } from '../../planner/ports';
import { planTitle } from '../../planner/text';
import { plainLine } from '../plainText';

/** A round that waits for a decision. */
export interface PendingReview {
  proposalId: string;
  round: number;
  title: string;
  client: string;
  session: string;
  submittedAt: string;
}

/** The oldest first: who has waited longest comes first. */
export function pendingReviews(view: View): PendingReview[] {
  return view
    .proposals({ status: ['submitted'] })
    .flatMap((proposal) => {
      const { id, client, session, rounds } = proposal;
      const last = rounds.at(-1);
      if (!last) return [];
      const { round, submittedAt } = last;
      return [{ proposalId: id, round, title: titleOf(proposal), client, session, submittedAt }];
    })
    .reverse();
}

/** What a proposal is called: its goal, else the first line of its latest plan. */
export function titleOf({ goal, rounds, id }: Pick<Proposal, 'goal' | 'rounds' | 'id'>): string {
  return plainLine(goal ?? '') || plainLine(planTitle(rounds.at(-1)?.plan ?? '')) || id;
}
