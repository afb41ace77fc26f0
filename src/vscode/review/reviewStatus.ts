import * as vscode from 'vscode';
import { Disposable } from '../disposable';
import { firstLine } from '../plainText';
import type { PlanningState } from '../planningState';

/** Plans that wait for the person, in the status bar until they are decided. */
export class ReviewStatus extends Disposable {
  private readonly item = this.own(
    vscode.window.createStatusBarItem('nineplan.review', vscode.StatusBarAlignment.Left, 21),
  );

  constructor(private readonly state: PlanningState) {
    super();
    this.item.name = vscode.l10n.t('9plan: Plans to Approve');
    this.item.command = 'nineplan.review.open';
    this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.own(state.onDidChange(() => this.show()));
  }

  private show(): void {
    const reviews = this.state.planning?.reviews ?? [];
    const [first] = reviews;
    if (!first) {
      this.item.hide();
      return;
    }
    const count = reviews.length;
    this.item.text = `$(checklist) ${count === 1 ? vscode.l10n.t('Plan to approve') : vscode.l10n.t('{0} plans to approve', count)}`;
    const spoken =
      count === 1
        ? vscode.l10n.t('{0} asks you to approve “{1}”.', first.client, firstLine(first.title, 80))
        : vscode.l10n.t('{0} plans to approve', count);
    this.item.tooltip = spoken;
    this.item.accessibilityInformation = { label: spoken };
    this.item.show();
  }
}
