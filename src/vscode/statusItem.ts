import * as vscode from 'vscode';
import { Disposable } from './disposable';
import { firstLine, withoutIcons } from './plainText';
import type { PlanningState } from './planningState';
import { planLabel } from './views/planText';

/** What is being worked on and how much is left, in the status bar; away when there is no session. */
export class StatusItem extends Disposable {
  private readonly item = this.own(
    vscode.window.createStatusBarItem('nineplan.status', vscode.StatusBarAlignment.Left, 20),
  );

  constructor(private readonly state: PlanningState) {
    super();
    this.item.name = '9plan';
    this.item.command = 'nineplan.queue.focus';
    this.own(state.onDidChange(() => this.show()));
  }

  private show(): void {
    const { item } = this;
    const planning = this.state.planning;
    if (!planning?.session) {
      item.hide();
      return;
    }
    const { active, session } = planning;
    const waiting = session.queueLength;
    const goal = active && planLabel(active.goal);
    item.text = goal
      ? `$(play-circle) ${withoutIcons(firstLine(goal, 40))} $(list-unordered) ${waiting}`
      : `$(list-unordered) ${waiting}`;
    const spoken = goal
      ? vscode.l10n.t('9plan: working on {0}, {1} in the queue', goal, waiting)
      : vscode.l10n.t('9plan: {0} in the queue, no plan is active', waiting);
    item.tooltip = spoken;
    item.accessibilityInformation = { label: spoken };
    item.show();
  }
}
