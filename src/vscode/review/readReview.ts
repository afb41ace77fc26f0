import type { Proposal } from '../../planner/model';
import type { View } from '../../planner/ports';
import { queuedAmong } from '../../planner/queuedTodos';
import type { ListedProposal, ShownProposal } from '../../webview/review/protocol';
import { plainLine } from '../plainText';
import { titleOf } from './pendingReviews';

const MOST_LISTED = 30;

/** A proposal and its session's others, as a panel shows them; undefined if there is no such proposal. */
export function readReview(view: View, id: string): { proposal: ShownProposal; others: ListedProposal[] } | undefined {
  const proposal = view.proposal(id);
  if (!proposal) return undefined;
  const { client, session, agent, status, reason, rounds } = proposal;
  const owner = { client, session, agent };
  const supersededBy = status === 'superseded' ? view.proposals({ owner, limit: 1 })[0]?.id : undefined;
  return {
    proposal: {
      id,
      title: titleOf(proposal),
      client,
      session,
      task: taskOf(view, session),
      status,
      reason,
      supersededBy: supersededBy === id ? null : (supersededBy ?? null),
      rounds: rounds.map((round) => ({
        ...round,
        queuedTodos: queuedAmong(view, session, round.todos),
        queuedPlans: round.queuedPlans.map((plan) => ({ id: plan, goal: plainLine(view.plan(plan)?.goal ?? '', 60) })),
      })),
    },
    others: view.proposals({ session, limit: MOST_LISTED }).map(listed),
  };
}

export function listed(proposal: Proposal): ListedProposal {
  const { id, status, createdAt, rounds } = proposal;
  const last = rounds.at(-1);
  const at = last?.decidedAt ?? last?.submittedAt ?? createdAt;
  return { id, title: titleOf(proposal), status, decision: last?.decision ?? null, at };
}

/** What a session is about, shortened; '' if nobody said. */
export function taskOf(view: View, session: string): string {
  return plainLine(view.session(session)?.taskDescription ?? '', 40);
}
