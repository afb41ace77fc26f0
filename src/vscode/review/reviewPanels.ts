import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { CommittedChange } from '../../planner/events';
import type { CommandParts } from '../commands/command';
import { Disposable } from '../disposable';
import { firstLine } from '../plainText';
import type { Settings } from '../settings';
import type { PendingReview } from './pendingReviews';
import type { ReviewDrafts } from './reviewDrafts';
import { ReviewPanel } from './reviewPanel';
import type { Rulings } from './rulings';

export const REVIEW_PANEL = 'nineplan.review';

/** What the page leaves with VS Code, so that its panel can be opened again after a reload. */
const left = z.object({ proposal: z.string() });

export interface ReviewPanelsOptions {
  parts: CommandParts;
  settings: Settings;
  drafts: ReviewDrafts;
  rulings: Rulings;
  extension: vscode.Uri;
}

/** The review panels of the window, one a proposal, and what a new proposal does in it. */
export class ReviewPanels extends Disposable implements vscode.WebviewPanelSerializer {
  private readonly panels = new Map<string, ReviewPanel>();
  private readonly known = new Set<string>();
  private readonly openedAt = new Date().toISOString();

  constructor(private readonly options: ReviewPanelsOptions) {
    super();
    const { connection, state } = options.parts;
    this.own(vscode.window.registerWebviewPanelSerializer(REVIEW_PANEL, this));
    this.own(connection.onDidCommit((change) => this.follow(change)));
    this.own(connection.onDidMove(() => this.refreshAll()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refreshAll()));
    this.own(state.onDidChange(() => this.announceNew(state.planning?.reviews ?? [])));
  }

  /** Shows a proposal's panel, in front and with the focus. */
  open(proposal: string): Promise<ReviewPanel> {
    return this.show(proposal, { preserveFocus: false });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const found = left.safeParse(state);
    if (!found.success || this.panels.has(found.data.proposal)) panel.dispose();
    else this.adopt(found.data.proposal, panel);
  }

  private async show(proposal: string, { preserveFocus }: { preserveFocus: boolean }): Promise<ReviewPanel> {
    const open = this.panels.get(proposal);
    if (open) {
      open.panel.reveal(undefined, preserveFocus);
      return open;
    }
    const beside = [...this.panels.values()][0]?.panel.viewColumn ?? vscode.ViewColumn.Beside;
    const where = { viewColumn: preserveFocus ? beside : vscode.ViewColumn.Active, preserveFocus };
    return this.adopt(proposal, vscode.window.createWebviewPanel(REVIEW_PANEL, vscode.l10n.t('Review'), where));
  }

  private adopt(proposal: string, webview: vscode.WebviewPanel): ReviewPanel {
    const { parts, drafts, rulings, extension } = this.options;
    const open = (other: string) => this.open(other);
    const panel = new ReviewPanel(proposal, webview, { parts, drafts, rulings, extension, open });
    this.panels.set(proposal, panel);
    webview.onDidDispose(() => this.panels.delete(proposal));
    return panel;
  }

  private follow({ events }: CommittedChange): void {
    const concerns = events.some(({ type }) => type.startsWith('proposal_') || type === 'session_deleted');
    if (concerns) this.refreshAll();
  }

  private refreshAll(): void {
    for (const panel of this.panels.values()) void panel.refresh();
  }

  /** Those that were handed in before the window was opened are told by badge and status bar alone. */
  private announceNew(reviews: readonly PendingReview[]): void {
    for (const review of reviews) {
      const key = `${review.proposalId}.${review.round}`;
      if (this.known.has(key)) continue;
      this.known.add(key);
      if (review.submittedAt >= this.openedAt && vscode.workspace.isTrusted) void this.announce(review);
    }
  }

  private async announce(review: PendingReview): Promise<void> {
    const opening = this.options.settings.reviewOpening();
    if (opening === 'open') await this.openBeside(review.proposalId);
    else if (opening === 'notify') {
      const action = vscode.l10n.t('Review');
      const message = vscode.l10n.t('{0} asks you to approve “{1}”.', review.client, firstLine(review.title, 60));
      if ((await this.options.parts.dialogs.tell('info', message, action)) === action) {
        await this.open(review.proposalId);
      }
    }
  }

  /** An agent that changes its mind must fill the window with panels as little as take away the one that is worked in. */
  private async openBeside(proposal: string): Promise<void> {
    await Promise.all([...this.panels.values()].map((panel) => panel.refresh()));
    const replaced = [...this.panels.values()].filter((panel) => panel.supersededBy === proposal);
    // This one says itself that there is a newer plan, and leads there.
    if (replaced.some((panel) => panel.panel.active && panel.hasDraft)) return;
    const newer = await this.show(proposal, { preserveFocus: true });
    for (const panel of replaced) {
      await panel.moveDraftTo(newer);
      if (!panel.hasDraft) panel.panel.dispose();
    }
  }
}
