import * as z from 'zod';
import { decisionPlace, type Verdict } from '../../planner/proposals';
import { cutBytes } from '../cutBytes';
import type { Answer } from '../tool';

export const verdictOutput = {
  proposal_id: z.string().nullable(),
  status: z.enum(['none', 'planning', 'submitted', 'approved', 'rejected', 'superseded']),
  decision: z.enum(['approved', 'changes_requested', 'rejected']).nullable(),
  decided_by: z.string().nullable(),
  feedback: z.string().nullable(),
  comments: z.array(z.object({ quote: z.string(), comment: z.string() })),
  approved_plan: z.string().optional().describe('replaces the submitted text'),
  queued_plans: z.array(z.string()),
};

/** Bytes of the person's changes in an answer. */
const DIFF_SHOWN = 20_000;

type VerdictAnswer = Answer<z.input<z.ZodObject<typeof verdictOutput>>>;

/**
 * How a person could answer so far: in an `editor` window that is open; in a `form` that is open, or was until the time was
 * over; a form was `closed` without a decision; by `nothing` at all.
 */
export type Chance = 'editor' | 'openForm' | 'overdueForm' | 'closedForm' | 'nothing';

/**
 * `pull`: the tool that starts a queued plan, if this connection has one. The approved plan comes whole, however long it is:
 * nobody is to carry out a part of what was approved.
 */
export function verdictAnswer(verdict: Verdict, chance: Chance, pull: string | undefined): VerdictAnswer {
  const { session, assumed, proposalId, status, decision, decidedBy, feedback, comments, approvedPlan } = verdict;
  return {
    session,
    assumed,
    text: verdictText(verdict),
    structured: {
      proposal_id: proposalId,
      status,
      decision,
      decided_by: decidedBy,
      feedback,
      comments: comments.map(({ quote, comment }) => ({ quote, comment })),
      ...(approvedPlan === null ? {} : { approved_plan: approvedPlan }),
      queued_plans: verdict.queuedPlans,
    },
    message: verdictMessage(verdict, chance, pull),
  };
}

/** `others`: agents that have an open proposal in the session. */
export function noProposalAnswer(session: string, assumed: boolean, others: readonly string[]): VerdictAnswer {
  return {
    session,
    assumed,
    text: 'You have no proposal in this session.',
    structured: {
      proposal_id: null,
      status: 'none',
      decision: null,
      decided_by: null,
      feedback: null,
      comments: [],
      queued_plans: [],
    },
    message:
      others.length === 0
        ? 'Nothing was submitted, so nothing is approved. Call enter_plan_mode to begin.'
        : `You submitted nothing, so nothing is approved for you. Open here are proposals of ${others.join(', ')}; if that was you under another name, hand the plan in again with exit_plan_mode. Else call enter_plan_mode to begin.`,
  };
}

/** Everything a person said, for clients that show the text alone. */
function verdictText({ proposalId, status, decision, decidedBy, feedback, comments, approvedPlan }: Verdict): string {
  const by = decision === null ? '' : ` (${decisionPlace(decidedBy)})`;
  const remarks = comments.map(({ quote, comment, occurrence }) => `- On “${quote}”${which(occurrence)}: ${comment}`);
  return [
    decision === 'changes_requested'
      ? `Changes of proposal ${proposalId} are requested${by}; it is not approved.`
      : `Proposal ${proposalId} is ${status}${by}.`,
    feedback === null ? '' : `Feedback: ${feedback}`,
    remarks.length > 0 ? `Comments:\n${remarks.join('\n')}` : '',
    approvedPlan === null ? '' : `The plan as approved:\n\n${approvedPlan}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Which of several equal passages is meant, where it isn't the first. */
function which(occurrence = 0): string {
  return occurrence > 0 ? ` (occurrence ${occurrence + 1} of these words)` : '';
}

/** The same for those who see the structured content alone, whose comments are a quote and a text. */
function whichOnes({ comments }: Verdict): string {
  const numbered = comments.map(({ occurrence = 0 }, index) => ({ occurrence, number: index + 1 }));
  return numbered
    .filter(({ occurrence }) => occurrence > 0)
    .map(
      ({ occurrence, number }) => ` Comment ${number} is about occurrence ${occurrence + 1} of its quote in your plan.`,
    )
    .join('');
}

function verdictMessage(verdict: Verdict, chance: Chance, pull: string | undefined): string {
  switch (verdict.status) {
    case 'planning':
      return 'No plan was submitted yet: call exit_plan_mode with it. Change nothing before it is approved.';
    case 'submitted':
      return UNDECIDED[chance];
    case 'approved':
      return approvedMessage(verdict, pull);
    case 'rejected':
      return verdict.decision === 'changes_requested' ? `${REVISE}${whichOnes(verdict)}` : STOP;
    case 'superseded':
      return 'A newer proposal of yours took the place of this one; only the newer one can be approved.';
  }
}

const IN_CONVERSATION =
  'Show the plan in the conversation and ask for a clear yes: if the person gives it there, it counts, and you start without another call. The proposal itself stays open until it is settled in the editor or your next one supersedes it; a decision made there is found with plan_mode_status. The later word of the person counts.';
const WAIT_ON =
  'There is no decision yet, neither yes nor no. Do not start. Wait on with plan_mode_status and wait_seconds (50, say); a decision made later is found there too.';
const UNDECIDED: Record<Chance, string> = {
  editor: WAIT_ON,
  openForm: WAIT_ON,
  overdueForm:
    'There is no decision yet, neither yes nor no. Do not start. The form was taken back before your client could cut the call off: call exit_plan_mode again with the whole plan to ask again. No editor window is open, so waiting with plan_mode_status brings nothing now.',
  closedForm: `The form was closed or declined without a decision, perhaps by no person: that is neither yes nor no. Do not start, and do not send it again unasked. ${IN_CONVERSATION}`,
  nothing: `Nobody could be asked: no editor window is open on this store, and no form is open here. Do not start yet. ${IN_CONVERSATION}`,
};
const REVISE =
  'Changes are requested. Do not start. Revise the plan by the feedback and every comment, then call exit_plan_mode with the whole new plan.';
const STOP =
  'The plan is rejected. Stop: carry out none of it, leave things as they are, and ask what is wanted instead.';

function approvedMessage(verdict: Verdict, pull: string | undefined): string {
  const { approvedDiff, feedback, comments, queuedPlans } = verdict;
  return [
    'The plan is approved; you may start.',
    feedback === null && comments.length === 0
      ? ''
      : `Take the feedback and comments into account.${whichOnes(verdict)}`,
    queuedPlans.length > 0
      ? `The chosen to-dos are queued as ${queuedPlans.join(', ')}, in front of what was queued before: take them one by one${pull ? ` with ${pull}` : ''}.`
      : '',
    approvedDiff === null
      ? ''
      : `The person changed it: follow approved_plan, not your own text. ${shownDiff(approvedDiff)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** A diff that is as long as the plan says nothing that the plan doesn't say. */
function shownDiff(diff: string): string {
  const shown = cutBytes(diff, DIFF_SHOWN);
  return shown === diff ? `What was changed:\n\n${diff}` : `The beginning of what was changed:\n\n${shown}\n\n…`;
}
