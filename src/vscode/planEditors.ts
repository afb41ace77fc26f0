import * as vscode from 'vscode';
import { PlannerError } from '../planner/errors';
import type { Plan } from '../planner/model';
import type { Planner } from '../planner/planner';
import type { PlannerConnection } from './connection';
import { planDocumentUri } from './planDocuments';

/** Plans in editors: open ones as files to edit, finished ones rendered, read-only. */
export class PlanEditors {
  constructor(private readonly connection: PlannerConnection) {}

  async open(plan: Plan): Promise<void> {
    if (plan.status === 'completed' || plan.status === 'discarded') return this.openRendered(plan);
    const file = await this.file(plan);
    if (await exists(file)) {
      await vscode.window.showTextDocument(file, { preview: true });
      return;
    }
    // Somebody deleted the file. The store still has the text, so show that rather than nothing.
    await this.openRendered(plan);
  }

  async openRendered(plan: Plan): Promise<void> {
    const uri = planDocumentUri(plan);
    // A document that was opened before shows what it showed then, unless the preview is told to look again.
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  /** Saves what the person typed into the plan's file, so that the planner takes it in. */
  async save(plan: Plan): Promise<void> {
    const file = await this.file(plan);
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === file.toString());
    if (document?.isDirty && !(await document.save())) {
      throw new PlannerError(
        'FILE_SYSTEM_ERROR',
        vscode.l10n.t('The changes in {0} could not be saved.', file.fsPath),
        vscode.l10n.t('Nothing else was done. Save or revert the file, then try again.'),
      );
    }
  }

  /** Closes the editors of a file that is gone; one with unsaved text stays. */
  async close(plan: Plan): Promise<void> {
    const file = (await this.file(plan)).toString();
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => !tab.isDirty && tabUri(tab) === file);
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  private async file(plan: Plan): Promise<vscode.Uri> {
    const planner: Planner = await this.connection.planner();
    return vscode.Uri.file(await planner.store.read((view) => view.planPath(plan.sessionName, plan.id)));
  }
}

function tabUri(tab: vscode.Tab): string | undefined {
  const { input } = tab;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri.toString()
    : undefined;
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
