import * as path from 'node:path';
import * as vscode from 'vscode';
import { EDITOR } from '../../planner/caller';
import { PlannerError } from '../../planner/errors';
import type { Proposal } from '../../planner/model';
import type { Ruling } from '../../planner/planMode';
import { unifiedDiff } from '../../planner/unifiedDiff';
import { type CommandParts, editor } from '../commands/command';
import { describeError } from '../errorText';
import type { Settings } from '../settings';
import { titleOf } from './pendingReviews';
import type { ReviewDrafts } from './reviewDrafts';
import { savePlan } from './savedPlan';

/** What the person decided; `edited` is the plan's text as they changed it. */
export interface EditorRuling extends Omit<Ruling, 'decidedBy' | 'approvedPlan'> {
  edited?: string;
}

/** Decisions made in this window, and what follows from them. */
export class Rulings {
  private readonly saved = new Map<string, vscode.Uri>();

  constructor(
    private readonly parts: CommandParts,
    private readonly settings: Settings,
    private readonly drafts: ReviewDrafts,
  ) {}

  /** Where the proposal's approved plan was written, in this window's life. */
  savedFile(proposal: string): vscode.Uri | undefined {
    return this.saved.get(proposal);
  }

  /** The same relative to the workspace folder. */
  savedAs(proposal: string): string | null {
    const file = this.saved.get(proposal);
    const root = this.parts.connection.folder?.uri.fsPath;
    return file && root ? path.relative(root, file.fsPath) : null;
  }

  /**
   * Settles the round that was read, then forgets its draft and saves the plan if that is wanted. Rejects with
   * PlannerError, having changed nothing, if it was settled elsewhere.
   *
   * @returns what went wrong after the decision was recorded, for the person
   */
  async decide({ edited, ...ruling }: EditorRuling): Promise<string | undefined> {
    const planner = await this.parts.connection.planner();
    const approved = ruling.decision === 'approved';
    if (approved && edited?.trim() === '') {
      throw new PlannerError(
        'VALIDATION_ERROR',
        vscode.l10n.t('An empty plan can’t be approved.'),
        vscode.l10n.t('Write the plan or take the agent’s text again. Nothing was changed.'),
      );
    }
    const feedback =
      edited !== undefined && ruling.decision === 'changes_requested'
        ? await this.withSuggestion(ruling, edited)
        : ruling.feedback;
    await planner.planMode.decide(editor(), {
      ...ruling,
      feedback,
      decidedBy: EDITOR,
      approvedPlan: approved ? edited : undefined,
    });
    this.parts.lastChange.forget();
    await this.drafts.drop(ruling.proposalId, ruling.round);
    const problem = approved ? await this.save(ruling.proposalId) : undefined;
    await this.parts.state.refresh();
    return problem;
  }

  /** Changes of the text reach the agent on any way but silence. */
  private async withSuggestion(
    { proposalId, round, feedback }: EditorRuling,
    edited: string,
  ): Promise<string | undefined> {
    const planner = await this.parts.connection.planner();
    const proposal = await planner.store.read((view) => view.proposal(proposalId));
    const plan = proposal?.rounds.find((one) => one.round === round)?.plan ?? '';
    const diff = unifiedDiff(plan, edited.trimEnd());
    if (diff === '') return feedback;
    return [feedback?.trim(), `Suggested changes of the plan's text:\n\n${diff}`].filter(Boolean).join('\n\n');
  }

  /** A failure to write never undoes the approval: it is told. */
  private async save(id: string): Promise<string | undefined> {
    const { connection, log } = this.parts;
    const root = connection.folder?.uri;
    const folder = this.settings.reviewSaveTo(root);
    if (!root || !folder) return undefined;
    try {
      const planner = await connection.planner();
      const proposal = (await planner.store.read((view) => view.proposal(id))) as Proposal;
      const round = proposal.rounds.at(-1);
      const plan = round?.approvedPlan ?? round?.plan ?? '';
      this.saved.set(id, await savePlan(titleOf(proposal), plan, root, folder));
      return undefined;
    } catch (error) {
      log.warn({ error, proposal: id }, 'an approved plan was not saved');
      return vscode.l10n.t('The plan is approved, but was not saved as a file: {0}', describeError(error).message);
    }
  }
}

/** What to tell an agent that has stopped waiting. */
export function messageFor(proposal: Proposal): string {
  const decision = proposal.rounds.at(-1)?.decision;
  const { id, session } = proposal;
  switch (decision) {
    case 'approved':
      return vscode.l10n.t(
        'Your plan (9plan proposal {0}, session {1}) is approved. Call plan_mode_status for the comments and the approved text, then carry it out.',
        id,
        session,
      );
    case 'changes_requested':
      return vscode.l10n.t(
        'Changes to your plan (9plan proposal {0}, session {1}) are requested. Call plan_mode_status for the comments, revise the plan and submit it again with exit_plan_mode. Do not start yet.',
        id,
        session,
      );
    case 'rejected':
      return vscode.l10n.t(
        'Your plan (9plan proposal {0}, session {1}) is rejected. Call plan_mode_status for the reason, and carry out none of it.',
        id,
        session,
      );
    default:
      return vscode.l10n.t(
        'Your plan (9plan proposal {0}, session {1}) is not decided yet. Do not start.',
        id,
        session,
      );
  }
}
