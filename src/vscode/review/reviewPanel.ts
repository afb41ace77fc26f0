import * as vscode from 'vscode';
import { draftText, isWorthKeeping } from '../../webview/review/draft';
import {
  EMPTY_DRAFT,
  type FromReview,
  fromReview,
  type ReviewDraft,
  type ToReview,
} from '../../webview/review/protocol';
import { reviewWords } from '../../webview/review/words';
import { askInChat } from '../chat';
import type { CommandParts } from '../commands/command';
import { Disposable } from '../disposable';
import { describeError } from '../errorText';
import { openLink, openPage, WebviewChannel } from '../webviews';
import { readReview } from './readReview';
import type { ReviewDrafts } from './reviewDrafts';
import { messageFor, type Rulings } from './rulings';

/** What a panel needs of those who opened it. */
export interface ReviewSurroundings {
  parts: CommandParts;
  drafts: ReviewDrafts;
  rulings: Rulings;
  extension: vscode.Uri;
  open(proposal: string): Promise<ReviewPanel>;
}

type Decide = Extract<FromReview, { type: 'decide' }>;
type Action = Extract<FromReview, { type: 'act' }>['action'];

/** The panel of one proposal. The store says what it shows; what the person prepares is kept until it is sent. */
export class ReviewPanel extends Disposable {
  private readonly channel: WebviewChannel<ToReview, FromReview>;
  private ready = false;
  private shown: Extract<ToReview, { type: 'show' }> | undefined;
  private round = 0;
  private draft: ReviewDraft = EMPTY_DRAFT;
  private draftVersion = 0;
  private reading: Promise<void> | undefined;
  private stale = false;
  private keeping: Promise<void> = Promise.resolve();

  constructor(
    readonly proposal: string,
    readonly panel: vscode.WebviewPanel,
    private readonly around: ReviewSurroundings,
  ) {
    super();
    this.own(panel.onDidDispose(() => this.dispose()));
    this.channel = this.own(new WebviewChannel(panel.webview, fromReview, around.parts.log));
    this.own(this.channel.onDidReceive((message) => void this.receive(message)));
    panel.iconPath = new vscode.ThemeIcon('checklist');
    const words = Object.fromEntries(Object.entries(reviewWords).map(([key, text]) => [key, vscode.l10n.t(text)]));
    openPage(panel.webview, around.extension, { name: 'review', title: vscode.l10n.t('Review'), words });
    void this.refresh();
  }

  /** The newer proposal that took the place of this one. */
  get supersededBy(): string | null {
    return this.shown?.proposal.supersededBy ?? null;
  }

  get hasDraft(): boolean {
    return isWorthKeeping(this.draft);
  }

  /** Shows what the store says now. Reads never overlap, so an older answer can't be shown over a newer one. */
  refresh(): Promise<void> {
    this.stale = true;
    this.reading ??= this.readUntilFresh();
    return this.reading;
  }

  private async readUntilFresh(): Promise<void> {
    try {
      while (this.stale && !this.isDisposed) {
        this.stale = false;
        await this.read();
      }
    } finally {
      this.reading = undefined;
    }
  }

  private async read(): Promise<void> {
    const { parts, drafts, rulings } = this.around;
    try {
      const planner = await parts.connection.planner();
      const found = await planner.store.read((view) => readReview(view, this.proposal));
      if (!found) {
        this.shown = undefined;
        this.tell({ type: 'gone' });
        return;
      }
      const round = found.proposal.rounds.at(-1)?.round ?? 0;
      if (round !== this.round) {
        this.round = round;
        this.draft = drafts.of(this.proposal, round);
        this.draftVersion++;
      }
      this.panel.title = vscode.l10n.t('Review: {0}', found.proposal.title);
      const mayDecide = vscode.workspace.isTrusted;
      const savedAs = rulings.savedAs(this.proposal);
      const { draft, draftVersion } = this;
      this.shown = { type: 'show', ...found, draft, draftVersion, savedAs, mayDecide };
      this.tell(this.shown);
    } catch (error) {
      this.refuse(error);
    }
  }

  private tell(message: ToReview): void {
    if (this.ready) this.channel.post(message);
  }

  private refuse(error: unknown): void {
    const { message, suggestion } = describeError(error);
    this.tell({ type: 'refused', text: [message, suggestion].filter(Boolean).join(' ') });
  }

  private async receive(message: FromReview): Promise<void> {
    try {
      switch (message.type) {
        case 'ready':
          this.ready = true;
          await this.refresh();
          break;
        case 'draft':
          if (message.round === this.round) await this.keep(message.draft);
          break;
        case 'decide':
          await this.decide(message);
          break;
        case 'act':
          await this.act(message.action);
          break;
        case 'openProposal':
          await this.around.open(message.proposal);
          break;
        case 'openPlan':
          await vscode.commands.executeCommand('nineplan.plan.open', message.plan);
          break;
        case 'openLink':
          await openLink(message.target, this.around.parts.connection.folder?.uri);
          break;
      }
    } catch (error) {
      this.around.parts.log.info({ error, proposal: this.proposal }, 'the review panel could not do what was asked');
      this.refuse(error);
    }
  }

  /** One after another, so that an older text never comes to stand over a newer one. */
  private keep(draft: ReviewDraft): Promise<void> {
    const { proposal, round } = this;
    this.draft = draft;
    this.keeping = this.keeping.then(() => this.around.drafts.keep(proposal, round, draft));
    return this.keeping;
  }

  private async decide({ round, decision, feedback, comments, edited, queueTodos }: Decide): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      this.tell({ type: 'refused', text: vscode.l10n.t('In Restricted Mode plans are shown but not changed.') });
      return;
    }
    await this.keeping;
    const problem = await this.around.rulings.decide({
      proposalId: this.proposal,
      round,
      decision,
      feedback,
      comments,
      edited: edited ?? undefined,
      queueTodos,
    });
    this.setDraft(EMPTY_DRAFT);
    await this.refresh();
    if (problem) this.tell({ type: 'refused', text: problem });
  }

  private async act(action: Action): Promise<void> {
    const { parts, rulings } = this.around;
    switch (action) {
      case 'tellInChat':
        await askInChat(await this.message(), parts);
        break;
      case 'copyMessage':
        await vscode.env.clipboard.writeText(await this.message());
        this.tell({ type: 'told', text: vscode.l10n.t('The message for your agent is on the clipboard.') });
        break;
      case 'copyDraft':
        await vscode.env.clipboard.writeText(draftText(this.draft));
        this.tell({ type: 'told', text: vscode.l10n.t('Copied.') });
        break;
      case 'dropDraft':
        await this.keep(EMPTY_DRAFT);
        this.setDraft(EMPTY_DRAFT);
        await this.refresh();
        break;
      case 'takeDraftAlong':
        if (this.supersededBy) await this.moveDraftTo(await this.around.open(this.supersededBy));
        break;
      case 'openSaved': {
        const file = rulings.savedFile(this.proposal);
        if (file) await vscode.commands.executeCommand('vscode.open', file);
        break;
      }
    }
  }

  private async message(): Promise<string> {
    const planner = await this.around.parts.connection.planner();
    const proposal = await planner.store.read((view) => view.proposal(this.proposal));
    if (!proposal) throw new Error('the proposal is gone');
    return messageFor(proposal);
  }

  private setDraft(draft: ReviewDraft): void {
    this.draft = draft;
    this.draftVersion++;
  }

  /** Comments and feedback go to a newer proposal; text that was changed stays, with the text that it was made of. */
  async moveDraftTo(newer: ReviewPanel): Promise<void> {
    if (!this.hasDraft) return;
    await newer.adopt(this.draft);
    const rest: ReviewDraft = { ...EMPTY_DRAFT, edited: this.draft.edited };
    await this.keep(rest);
    this.setDraft(rest);
    await this.refresh();
  }

  /** Puts another draft's comments and feedback below what is prepared here. */
  private async adopt({ comments, feedback }: ReviewDraft): Promise<void> {
    await this.refresh();
    const own = this.draft;
    const joined = {
      ...own,
      comments: [...own.comments, ...comments],
      feedback: [own.feedback, feedback].filter((part) => part.trim() !== '').join('\n\n'),
    };
    await this.keep(joined);
    this.setDraft(joined);
    await this.refresh();
  }
}
