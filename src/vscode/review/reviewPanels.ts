import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { CommittedChange } from '../../planner/events';
import type { CommandParts } from '../commands/command';
import { Disposable } from '../disposable';
import { REVIEW_PANEL } from '../viewTypes';
import type { ReviewDrafts } from './reviewDrafts';
import { ReviewPanel } from './reviewPanel';
import type { Rulings } from './rulings';

/** What the page leaves with VS Code, so that its panel can be opened again after a reload. */
const left = z.object({ proposal: z.string() });

export interface ReviewPanelsOptions {
  parts: CommandParts;
  drafts: ReviewDrafts;
  rulings: Rulings;
  extension: vscode.Uri;
}

/** The review panels of the window, one a proposal. */
export class ReviewPanels extends Disposable {
  private readonly panels = new Map<string, ReviewPanel>();

  constructor(private readonly options: ReviewPanelsOptions) {
    super();
    const { connection } = options.parts;
    this.own(connection.onDidCommit((change) => this.follow(change)));
    this.own(connection.onDidMove(() => this.refreshAll()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refreshAll()));
  }

  /** Shows a proposal's panel, in front and with the focus. */
  open(proposal: string): Promise<ReviewPanel> {
    return this.show(proposal, { preserveFocus: false });
  }

  /** Fills a panel that was open before a reload; `state` is what its page left. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const found = left.safeParse(state);
    if (!found.success || this.panels.has(found.data.proposal)) panel.dispose();
    else this.adopt(found.data.proposal, panel);
  }

  /** An agent that changes its mind must fill the window with panels as little as take away the one that is worked in. */
  async openBeside(proposal: string): Promise<void> {
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
    const open = (other: string) => this.open(other);
    const panel = new ReviewPanel(proposal, webview, { ...this.options, open });
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
}
