import * as vscode from 'vscode';
import { firstLine } from '../plainText';
import type { PendingReview } from '../review/pendingReviews';
import { when } from './planText';
import type { TreeNode } from './tree';

/** A plan that an agent has handed in and that waits for the person. */
export class ProposalNode implements TreeNode {
  readonly id: string;
  readonly proposalId: string;

  constructor(readonly review: PendingReview) {
    this.id = `proposal:${review.proposalId}`;
    this.proposalId = review.proposalId;
  }

  item(): vscode.TreeItem {
    const { title, client, submittedAt } = this.review;
    const label = firstLine(title);
    const item = new vscode.TreeItem(label);
    item.description = vscode.l10n.t('to approve · {0}, {1}', client, when(submittedAt));
    item.iconPath = new vscode.ThemeIcon('checklist', new vscode.ThemeColor('list.warningForeground'));
    item.contextValue = 'proposal';
    item.command = { command: 'nineplan.review.open', title: vscode.l10n.t('Review'), arguments: [this.proposalId] };
    item.accessibilityInformation = { label: vscode.l10n.t('{0} asks you to approve “{1}”.', client, label) };
    return item;
  }
}
