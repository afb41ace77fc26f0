import * as path from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from './disposable';
import type { Planning, PlanningState } from './planningState';

/** Marks the files of open plans in explorer and tabs: their names are ids and say nothing. */
export class PlanDecorations extends Disposable implements vscode.FileDecorationProvider {
  private readonly changed = this.own(new vscode.EventEmitter<undefined>());
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly state: PlanningState) {
    super();
    this.own(vscode.window.registerFileDecorationProvider(this));
    this.own(state.onDidChange(() => this.changed.fire(undefined)));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const { planning } = this.state;
    const id = planning && planIdAt(planning, uri);
    if (!id) return undefined;
    if (planning.active?.id === id) {
      return new vscode.FileDecoration('▶', vscode.l10n.t('Active plan'), new vscode.ThemeColor('charts.green'));
    }
    const queued = planning.queue.find((plan) => plan.id === id);
    if (!queued) return undefined;
    // A badge has room for two characters.
    const badge = queued.queuePosition < 100 ? String(queued.queuePosition) : '··';
    return new vscode.FileDecoration(badge, vscode.l10n.t('Number {0} in the queue', queued.queuePosition));
  }
}

/** The plan whose file this is, if it is one of the current session's. */
function planIdAt(planning: Planning, uri: vscode.Uri): string | undefined {
  if (uri.scheme !== 'file' || !planning.session || !uri.path.endsWith('.txt')) return undefined;
  const folder = path.join(planning.storeFolder, planning.session.name, 'plans');
  return path.dirname(uri.fsPath) === folder ? path.basename(uri.fsPath, '.txt') : undefined;
}
