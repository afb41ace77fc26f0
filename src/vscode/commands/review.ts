import * as vscode from 'vscode';
import { PlannerError } from '../../planner/errors';
import type { Decision, Proposal, ProposalRound } from '../../planner/model';
import { queuedAmong } from '../../planner/queuedTodos';
import { chosenTodos, spoken, written } from '../../webview/review/draft';
import type { ReviewDraft } from '../../webview/review/protocol';
import { askInChat } from '../chat';
import { withoutIcons } from '../plainText';
import { titleOf } from '../review/pendingReviews';
import { listed, taskOf } from '../review/readReview';
import type { ReviewDesk } from '../review/reviewDesk';
import { messageFor } from '../review/rulings';
import { when } from '../views/planText';
import { proposalsIn } from './arguments';
import { type CommandParts, type CommandTable, changes, planningOf, shows } from './command';

const MOST_LISTED = 100;

interface Waiting {
  proposal: Proposal;
  round: ProposalRound;
  draft: ReviewDraft;
}

/** Proposals of agents: looking at them, and deciding them without the panel. */
export function reviewCommands(parts: CommandParts, desk: ReviewDesk): CommandTable {
  const { connection } = parts;

  async function proposal(id: string): Promise<Proposal> {
    const planner = await connection.planner();
    const found = await planner.store.read((view) => view.proposal(id));
    if (found) return found;
    throw new PlannerError(
      'PLAN_NOT_FOUND',
      vscode.l10n.t('There is no proposal {0}.', id.slice(0, 20)),
      vscode.l10n.t('It may belong to another folder or to a deleted session.'),
    );
  }

  /** The given proposal, the only one that waits, or the person's pick. */
  async function choose(args: unknown[], title: string): Promise<string | undefined> {
    const [given] = proposalsIn(args);
    if (given) return given;
    const { reviews } = await planningOf(parts);
    const [only] = reviews;
    if (!only) {
      void parts.dialogs.tell('info', vscode.l10n.t('No plan waits for your decision.'));
      return undefined;
    }
    if (reviews.length === 1) return only.proposalId;
    const choices = reviews.map(({ proposalId, title: label, client, submittedAt }) => ({
      label: withoutIcons(label),
      description: withoutIcons(`${client}, ${when(submittedAt)}`),
      value: proposalId,
    }));
    return parts.dialogs.pick(title, choices);
  }

  async function open(id: string): Promise<void> {
    await (await desk.reviews()).panels.open(id);
  }

  async function waiting(args: unknown[], title: string): Promise<Waiting | undefined> {
    const id = await choose(args, title);
    if (!id) return undefined;
    const found = await proposal(id);
    const round = found.rounds.at(-1);
    if (found.status === 'submitted' && round) {
      const { drafts } = await desk.reviews();
      return { proposal: found, round, draft: drafts.of(id, round.round) };
    }
    throw new PlannerError(
      'VALIDATION_ERROR',
      vscode.l10n.t('“{0}” does not wait for a decision.', titleOf(found)),
      vscode.l10n.t('Nothing was changed.'),
    );
  }

  async function decide(
    { proposal: { id }, round, draft }: Waiting,
    decision: Decision,
    options: { feedback: string; withComments: boolean; queueTodos?: number[] },
  ): Promise<void> {
    const { rulings } = await desk.reviews();
    const problem = await rulings.decide({
      proposalId: id,
      round: round.round,
      decision,
      feedback: options.feedback,
      comments: options.withComments ? written(draft, round) : [],
      edited: draft.edited ?? undefined,
      queueTodos: options.queueTodos,
    });
    if (problem) void parts.dialogs.tell('warning', problem);
    const tell = vscode.l10n.t('Tell the Agent in the Chat');
    const done = {
      approved: vscode.l10n.t('The plan is approved.'),
      changes_requested: vscode.l10n.t('Changes are requested.'),
      rejected: vscode.l10n.t('The plan is rejected.'),
    }[decision];
    if ((await parts.dialogs.tell('info', done, tell)) === tell) await askInChat(messageFor(await proposal(id)), parts);
  }

  /** Asks for feedback, with what was typed in the panel as a beginning. Undefined if the person gave up. */
  async function feedback(title: string, draft: ReviewDraft, required?: string): Promise<string | undefined> {
    const prompt = vscode.l10n.t('Feedback for the agent (Enter to go on)');
    const answers = await parts.dialogs.fill(title, [{ key: 'feedback', prompt, value: draft.feedback, required }]);
    return answers?.feedback;
  }

  /** What becomes of comments that were written in the panel; true without asking if there are none. */
  async function sendsComments(title: string, draft: ReviewDraft): Promise<boolean | undefined> {
    if (spoken(draft).length === 0) return true;
    return parts.dialogs.pick(title, [
      { label: vscode.l10n.t('Send my comments along'), value: true },
      { label: vscode.l10n.t('Leave my comments out'), value: false },
    ]);
  }

  return {
    'nineplan.review.open': shows(async (...args) => {
      const id = await choose(args, vscode.l10n.t('Review a Plan'));
      if (id) await open((await proposal(id)).id);
    }),

    'nineplan.review.history': shows(async () => {
      const planner = await connection.planner();
      const proposals = await planner.store.read((view) =>
        view
          .proposals({ limit: MOST_LISTED })
          .map((one) => ({ ...listed(one), task: taskOf(view, one.session) || one.session })),
      );
      if (proposals.length === 0) {
        void parts.dialogs.tell('info', vscode.l10n.t('No proposal was handed in yet.'));
        return;
      }
      const names = {
        planning: vscode.l10n.t('being planned'),
        submitted: vscode.l10n.t('waits for your decision'),
        approved: vscode.l10n.t('approved'),
        rejected: vscode.l10n.t('rejected'),
        changes_requested: vscode.l10n.t('changes requested'),
        superseded: vscode.l10n.t('superseded'),
      };
      const choices = proposals.map(({ id, title, status, decision, at, task }) => {
        const standing = names[status === 'rejected' ? (decision ?? status) : status];
        return {
          label: withoutIcons(title),
          description: `${standing}, ${when(at)}`,
          detail: withoutIcons(task),
          value: id,
        };
      });
      const id = await parts.dialogs.pick(vscode.l10n.t('Proposals'), choices);
      if (id) await open(id);
    }),

    'nineplan.review.approve': changes(async (...args) => {
      const title = vscode.l10n.t('Approve a Plan');
      const found = await waiting(args, title);
      if (!found) return;
      const name = vscode.l10n.t('Approve: {0}', titleOf(found.proposal));
      const text = await feedback(name, found.draft);
      if (text === undefined) return;
      const withComments = await sendsComments(name, found.draft);
      if (withComments === undefined) return;
      const planner = await connection.planner();
      const { session } = found.proposal;
      const queuedTodos = await planner.store.read((view) => queuedAmong(view, session, found.round.todos));
      const todos = chosenTodos(found.draft, { ...found.round, queuedTodos });
      const queue =
        todos.length === 0
          ? false
          : await parts.dialogs.pick(name, [
              { label: vscode.l10n.t('Approve'), value: false },
              {
                label:
                  todos.length === 1
                    ? vscode.l10n.t('Approve and queue 1 to-do')
                    : vscode.l10n.t('Approve and queue {0} to-dos', todos.length),
                value: true,
              },
            ]);
      if (queue === undefined) return;
      await decide(found, 'approved', { feedback: text, withComments, queueTodos: queue ? todos : [] });
    }),

    'nineplan.review.requestChanges': changes(async (...args) => {
      const title = vscode.l10n.t('Request Changes of a Plan');
      const found = await waiting(args, title);
      if (!found) return;
      const says = spoken(found.draft).length > 0 || found.draft.edited !== null;
      const name = vscode.l10n.t('Request changes: {0}', titleOf(found.proposal));
      const text = await feedback(name, found.draft, says ? undefined : vscode.l10n.t('Say what should be changed.'));
      if (text === undefined) return;
      await decide(found, 'changes_requested', { feedback: text, withComments: true });
    }),

    'nineplan.review.reject': changes(async (...args) => {
      const title = vscode.l10n.t('Reject a Plan');
      const found = await waiting(args, title);
      if (!found) return;
      const name = vscode.l10n.t('Reject: {0}', titleOf(found.proposal));
      const text = await feedback(name, found.draft);
      if (text === undefined) return;
      const withComments = await sendsComments(name, found.draft);
      if (withComments === undefined) return;
      await decide(found, 'rejected', { feedback: text, withComments });
    }),
  };
}
