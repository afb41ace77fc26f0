import * as vscode from 'vscode';
import { PlannerError } from '../planner/errors';
import type { Plan } from '../planner/model';
import type { Planner } from '../planner/planner';
import type { PlannerConnection } from './connection';
import { planDocumentUri } from './planDocuments';
import { PLAN_EDITOR } from './viewTypes';

/** Plans in editors: open ones as files to edit, finished ones rendered, read-only. */
export class PlanEditors {
  constructor(private readonly connection: PlannerConnection) {}

  async open(plan: Plan, preserveFocus = false): Promise<void> {
    if (!isOpen(plan)) return this.openRendered(plan, preserveFocus);
    const file = await this.file(plan);
    if (await exists(file)) {
      await vscode.commands.executeCommand('vscode.openWith', file, PLAN_EDITOR, { preview: true, preserveFocus });
      return;
    }
    // Somebody deleted the file. The store still has the text, so show that rather than nothing.
    await this.openRendered(plan, preserveFocus);
  }

  private async openRendered(plan: Plan, preserveFocus: boolean): Promise<void> {
    // Not VS Code's Markdown preview: a plan's text is anybody's, and that one would load its pictures.
    const uri = planDocumentUri(plan);
    await vscode.commands.executeCommand('vscode.openWith', uri, PLAN_EDITOR, { preview: true, preserveFocus });
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

  /** The files of open plans; others have none. */
  async files(planIds: string[]): Promise<vscode.Uri[]> {
    const planner = await this.connection.planner();
    const paths = await planner.store.read((view) =>
      planIds.flatMap((id) => {
        const plan = view.plan(id);
        return plan && isOpen(plan) ? view.planPath(plan.sessionName, id) : [];
      }),
    );
    return paths.map((path) => vscode.Uri.file(path));
  }

  private async file(plan: Plan): Promise<vscode.Uri> {
    const planner: Planner = await this.connection.planner();
    return vscode.Uri.file(await planner.store.read((view) => view.planPath(plan.sessionName, plan.id)));
  }
}

function isOpen({ status }: Plan): boolean {
  return status === 'queued' || status === 'active';
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
