import * as vscode from 'vscode';
import { lazily } from '../../planner/lazily';
import { Disposable } from '../disposable';
import { firstLine } from '../plainText';
import { REVIEW_PANEL } from '../viewTypes';
import type { PendingReview } from './pendingReviews';
import type { Reviews, ReviewsOptions } from './reviews';

/** What a new proposal does in the window. Panels, and all that belongs to them, are loaded with the first one. */
export class ReviewDesk extends Disposable implements vscode.WebviewPanelSerializer {
  private readonly known = new Set<string>();
  private readonly openedAt = new Date().toISOString();
  readonly reviews = lazily(async (): Promise<Reviews> => {
    const { Reviews } = await import('./reviews');
    return this.own(new Reviews(this.options));
  });

  constructor(private readonly options: ReviewsOptions) {
    super();
    const { state } = options.parts;
    this.own(vscode.window.registerWebviewPanelSerializer(REVIEW_PANEL, this));
    this.own(state.onDidChange(() => this.announceNew(state.planning?.reviews ?? [])));
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    (await this.reviews()).panels.restore(panel, state);
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
    if (opening === 'open') await (await this.reviews()).panels.openBeside(review.proposalId);
    else if (opening === 'notify') {
      const action = vscode.l10n.t('Review');
      const message = vscode.l10n.t('{0} asks you to approve “{1}”.', review.client, firstLine(review.title, 60));
      if ((await this.options.parts.dialogs.tell('info', message, action)) === action) {
        await (await this.reviews()).panels.open(review.proposalId);
      }
    }
  }
}
