import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import type { Decision, Owner, Proposal, ProposalRound, ProposalStatus, ReviewComment, Todo } from './model';
import { newPlanId, quoted } from './names';
import type { Transaction, View } from './ports';
import { enteringText } from './text';
import { sameTodos } from './todos';
import { unifiedDiff } from './unifiedDiff';

/** Where a proposal stands, as its agent and the person see it. */
export interface Verdict extends InSession {
  proposalId: string;
  status: ProposalStatus;
  /** 0 before the first submission. */
  round: number;
  decision: Decision | null;
  decidedBy: string | null;
  feedback: string | null;
  comments: ReviewComment[];
  /** The text that was approved, if the person changed it. */
  approvedPlan: string | null;
  /** How it differs from what was submitted, as a unified diff. */
  approvedDiff: string | null;
  /** Plans made from the to-dos on approval, in order. */
  queuedPlans: string[];
}

export function ownerOf(caller: Caller, session: string): Owner {
  return { session, client: caller.client, agent: caller.agent };
}

export function latestProposal(view: View, owner: Owner): Proposal | undefined {
  return view.proposals({ owner, limit: 1 })[0];
}

const LOOKED_AT = 100;

/** The latest one of this client and agent among the newest of all sessions. */
export function latestAnywhere(view: View, { client, agent }: Caller): Proposal | undefined {
  return view
    .proposals({ limit: LOOKED_AT })
    .find((proposal) => proposal.client === client && proposal.agent === agent);
}

export function knownProposal(view: View, id: string): Proposal {
  const proposal = view.proposal(id);
  if (proposal) return proposal;
  throw new PlannerError(
    'PLAN_NOT_FOUND',
    `There is no proposal ${quoted(id)}.`,
    'Ask plan_mode_status for the latest one.',
  );
}

/** Opens a proposal in place of the owner's open one, if there is one. */
export function openProposal(
  tx: Transaction,
  owner: Owner,
  about: { reason: string | null; goal: string | null },
): { proposalId: string; superseded: string | null } {
  const previous = latestProposal(tx, owner);
  const superseded = previous && isOpen(previous) ? previous.id : null;
  if (superseded !== null) tx.emit({ type: 'proposal_superseded', proposal: superseded });
  const proposalId = newPlanId((id) => tx.proposal(id) !== undefined);
  tx.emit({ type: 'proposal_opened', proposal: proposalId, owner, ...about });
  return { proposalId, superseded };
}

/** The proposal that this plan belongs to; one that is already `submitted` has it as its waiting round. */
export function proposalToSubmit(tx: Transaction, owner: Owner, plan: string, todos: readonly Todo[]): Proposal {
  const latest = latestProposal(tx, owner);
  const waiting = latest?.status === 'submitted' ? latest.rounds.at(-1) : undefined;
  const again = waiting?.plan === plan && sameTodos(waiting.todos, todos);
  if (latest && (again || (isOpen(latest) && latest.status !== 'submitted'))) return latest;
  return knownProposal(
    tx,
    openProposal(tx, owner, { reason: null, goal: latest && isOpen(latest) ? latest.goal : null }).proposalId,
  );
}

/** Planned, waiting for a decision, or waiting for the next round. */
export function isOpen(proposal: Proposal): boolean {
  if (proposal.status === 'rejected') return proposal.rounds.at(-1)?.decision === 'changes_requested';
  return proposal.status === 'planning' || proposal.status === 'submitted';
}

/** The round that waits for a decision, if it is the one that was read. */
export function waitingRound(proposal: Proposal, round: number): ProposalRound {
  const last = proposal.rounds.at(-1);
  const read = proposal.rounds.find((candidate) => candidate.round === round);
  if (read?.decision) {
    throw refused(
      `Round ${round} of proposal ${proposal.id} was already settled: ${read.decision} by ${read.decidedBy}, ${read.decidedAt}.`,
      'That decision stands. Nothing was changed.',
    );
  }
  if (proposal.status === 'superseded') {
    throw refused(
      `Proposal ${proposal.id} was superseded by a newer one of the same agent.`,
      'Review the newer proposal.',
    );
  }
  if (!last) throw refused(`Proposal ${proposal.id} was not submitted yet.`, 'Wait until its agent hands in a plan.');
  if (!read) {
    throw refused(
      `Proposal ${proposal.id} is at round ${last.round}, not ${round}.`,
      'Read the latest round, then decide.',
    );
  }
  return read;
}

export function verdictOn(view: View, proposalId: string, session: InSession): Verdict {
  const proposal = knownProposal(view, proposalId);
  const round = proposal.rounds.at(-1);
  return {
    session: session.session,
    assumed: session.assumed,
    proposalId,
    status: proposal.status,
    round: round?.round ?? 0,
    decision: round?.decision ?? null,
    decidedBy: round?.decidedBy ?? null,
    feedback: round?.feedback ?? null,
    comments: round?.comments ?? [],
    approvedPlan: round?.approvedPlan ?? null,
    approvedDiff: round?.approvedPlan ? unifiedDiff(round.plan, round.approvedPlan) : null,
    queuedPlans: round?.queuedPlans ?? [],
  };
}

export function checkedComments(comments: readonly ReviewComment[]): ReviewComment[] {
  return comments.flatMap(({ quote, comment }) => {
    const text = enteringText('comment', comment);
    return text === '' ? [] : [{ quote, comment: text }];
  });
}

function refused(message: string, suggestion: string): PlannerError {
  return new PlannerError('VALIDATION_ERROR', message, suggestion);
}
