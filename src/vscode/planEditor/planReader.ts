import * as vscode from 'vscode';
import { formatPlan } from '../../planner/planDocument';
import { FIELD_ORDER, PlanFile } from '../../planner/planFields';
import type { Planner } from '../../planner/planner';
import type { FromPlanEditor, ToPlanEditor } from '../../webview/protocol';
import { Disposable } from '../disposable';
import { openLink, type WebviewChannel } from '../webviews';
import { actByCommand } from './planEditorActions';
import { headerOf, withSurroundings } from './planOfFile';

/** A plan without a file, for reading: the page of the plan editor with nothing to type in. */
export class PlanReader extends Disposable {
  private ready = false;

  constructor(
    readonly plan: string,
    private readonly channel: WebviewChannel<ToPlanEditor, FromPlanEditor>,
    private readonly planner: () => Promise<Planner>,
  ) {
    super();
    this.own(channel);
    this.own(channel.onDidReceive((message) => void this.receive(message)));
  }

  /** Shows the plan as the store has it now. */
  async refresh(): Promise<void> {
    if (!this.ready) return;
    const planner = await this.planner();
    const found = await planner.store.read((view) => {
      const plan = view.plan(this.plan);
      return plan && withSurroundings(view, plan);
    });
    if (found) {
      const { fields } = new PlanFile(formatPlan(found.plan));
      const shown = FIELD_ORDER.map((field) => ({ field, text: fields[field], revision: 0 }));
      this.channel.post({ type: 'show', readOnly: true, fields: shown });
    }
    const header = { ...headerOf(found ?? 'missing', ''), id: this.plan };
    const text = vscode.l10n.t('This plan is no longer there.');
    this.channel.post({ type: 'header', header, notices: found ? [] : [{ severity: 'info', text, actions: [] }] });
  }

  private async receive(message: FromPlanEditor): Promise<void> {
    if (message.type === 'ready') {
      this.ready = true;
      await this.refresh();
    } else if (message.type === 'act') await actByCommand(message.action, this.plan);
    else if (message.type === 'openPlan') await vscode.commands.executeCommand('nineplan.plan.open', message.plan);
    else if (message.type === 'openLink') await openLink(message.target, vscode.workspace.workspaceFolders?.[0]?.uri);
  }
}
