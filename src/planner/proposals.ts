import { type Caller, EDITOR, type InSession } from './caller';
import { PlannerError } from './errors';
import type { Decision, Owner, Proposal, ProposalRound, ProposalStatus, ReviewComment, Todo } from './model';
import { quoted } from './names';
import { newPlanId } from './newNames';
import type { Transaction, View } from './ports';
import { enteringText } from './text';
import { sameTodos } from './todos';
import { unifiedDiff } from './unifiedDiff';

/** Where a proposal stands, as its agent and the person see it. */
export interface Verdict extends InSession {
  proposalId: string;
  status: ProposalStatus;
  /** As it was submitted last; null before the first submission. */
  plan: string | null;
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

/** Whose proposals are open in the session: clients, with their agent ids if they have one. */
export function agentsWithOpenProposals(view: View, session: string): string[] {
  const open = view.proposals({ limit: LOOKED_AT }).filter((each) => each.session === session && isOpen(each));
  return [...new Set(open.map(({ client, agent }) => (agent === '' ? client : `${client} (${agent})`)))];
}

/**
 * The proposal that a connection without a session of its own most likely means (its server was restarted): one of this
 * client and agent, among the newest of all sessions. An open one comes before a settled one, then one in `session`
 * before one elsewhere. Archived sessions hold no open work.
 */
export function likelyProposal(view: View, caller: Caller, session: string | undefined): Proposal | undefined {
  const own = view
    .proposals({ limit: LOOKED_AT })
    .filter(({ client, agent }) => client === caller.client && agent === caller.agent);
  const open = own.filter((proposal) => isOpen(proposal) && view.session(proposal.session)?.archivedAt === null);
  const inSession = (proposal: Proposal) => proposal.session === session;
  return open.find(inSession) ?? open[0] ?? own.find(inSession) ?? own[0];
}

/** The open one among these. */
export function openProposalAnywhere(view: View, caller: Caller, session: string | undefined): Proposal | undefined {
  const likely = likelyProposal(view, caller, session);
  return likely && isOpen(likely) && view.session(likely.session)?.archivedAt === null ? likely : undefined;
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

/**
 * The proposal that this plan belongs to; one that is already `submitted` has it as its waiting round. `superseded` is the
 * id of the one whose place it takes.
 */
export function proposalToSubmit(
  tx: Transaction,
  owner: Owner,
  plan: string,
  todos: readonly Todo[],
): { proposal: Proposal; superseded: string | null } {
  const latest = latestProposal(tx, owner);
  const waiting = latest?.status === 'submitted' ? latest.rounds.at(-1) : undefined;
  const again = waiting?.plan === plan && sameTodos(waiting.todos, todos);
  if (latest && (again || (isOpen(latest) && latest.status !== 'submitted')))
    return { proposal: latest, superseded: null };
  const goal = latest && isOpen(latest) ? latest.goal : null;
  const { proposalId, superseded } = openProposal(tx, owner, { reason: null, goal });
  return { proposal: knownProposal(tx, proposalId), superseded };
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
      `Round ${round} of proposal ${proposal.id} was already settled at ${read.decidedAt}: ${decisionWords(read.decision)} ${decisionPlace(read.decidedBy)}.`,
      'That decision stands.',
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
    plan: round?.plan ?? null,
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

const DECISION_WORDS: Readonly<Record<Decision, string>> = {
  approved: 'it was approved',
  changes_requested: 'changes were requested',
  rejected: 'it was rejected',
};

export function decisionWords(decision: Decision): string {
  return DECISION_WORDS[decision];
}

/** `decidedBy` is `editor`, or the client whose form was answered. */
export function decisionPlace(decidedBy: string | null): string {
  return decidedBy === null || decidedBy === EDITOR ? 'in the editor' : `in ${decidedBy}'s form`;
}

export function checkedComments(comments: readonly ReviewComment[]): ReviewComment[] {
  return comments.flatMap(({ quote, comment, occurrence }) => {
    const text = enteringText('comment', comment);
    return text === '' ? [] : [{ quote, comment: text, ...(occurrence ? { occurrence } : {}) }];
  });
}

function refused(message: string, suggestion: string): PlannerError {
  return new PlannerError('VALIDATION_ERROR', message, suggestion);
}
