import * as vscode from 'vscode';
import { lazily } from '../../planner/lazily';
import { Disposable } from '../disposable';
import { PLAN_EDITOR, PLAN_LANGUAGE } from '../viewTypes';
import type { PlanEditorOptions, PlanEditorProvider } from './planEditorProvider';

/** The plan editor is loaded when the first plan file is opened, as text too: it keeps what is unsaved from being lost. */
export class PlanEditorDoor extends Disposable implements vscode.CustomTextEditorProvider {
  private readonly provider = lazily(async (): Promise<PlanEditorProvider> => {
    const { PlanEditorProvider } = await import('./planEditorProvider');
    return this.own(new PlanEditorProvider(this.options));
  });

  constructor(private readonly options: PlanEditorOptions) {
    super();
    const { window, workspace } = vscode;
    this.own(window.registerCustomEditorProvider(PLAN_EDITOR, this, { supportsMultipleEditorsPerDocument: true }));
    this.own(workspace.onDidOpenTextDocument((document) => this.opened(document)));
    for (const document of workspace.textDocuments) this.opened(document);
  }

  async resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): Promise<void> {
    await (await this.provider()).resolveCustomTextEditor(document, panel);
  }

  private opened({ languageId }: vscode.TextDocument): void {
    if (languageId === PLAN_LANGUAGE) void this.provider();
  }
}
