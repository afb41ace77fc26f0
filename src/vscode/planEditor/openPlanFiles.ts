import * as vscode from 'vscode';
import { Disposable } from '../disposable';
import { PLAN_LANGUAGE } from '../viewTypes';
import { OpenPlanFile } from './openPlanFile';

/** All plan files that are open in this window, in the plan editor or as text. */
export class OpenPlanFiles extends Disposable {
  private readonly files = new Map<string, OpenPlanFile>();
  private readonly savedOne = this.own(new vscode.EventEmitter<vscode.TextDocument>());
  readonly onDidSave = this.savedOne.event;
  private readonly conflict = this.own(new vscode.EventEmitter<OpenPlanFile>());
  /** A file has two versions of a part now. */
  readonly onDidConflict = this.conflict.event;

  constructor(private readonly memory: vscode.Memento) {
    super();
    const { workspace } = vscode;
    for (const document of workspace.textDocuments) this.opened(document);
    this.own(workspace.onDidOpenTextDocument((document) => this.opened(document)));
    this.own(workspace.onDidCloseTextDocument((document) => this.closed(document)));
    this.own(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) void this.of(document)?.changed();
      }),
    );
    this.own(
      workspace.onWillSaveTextDocument((event) => {
        const file = this.of(event.document);
        if (file) event.waitUntil(file.editsBeforeSave());
      }),
    );
    this.own(
      workspace.onDidSaveTextDocument((document) => {
        const file = this.of(document);
        if (!file) return;
        void file.wasSaved().finally(() => this.savedOne.fire(document));
      }),
    );
    this.own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) for (const file of this.files.values()) file.look();
      }),
    );
    this.own({
      dispose: () => {
        for (const file of this.files.values()) file.dispose();
      },
    });
  }

  /** Makes a document one of these that doesn't look like a plan file by its path: the plan editor was asked for it. */
  async adopt(document: vscode.TextDocument): Promise<OpenPlanFile> {
    // Setting the language closes the document and opens it again.
    if (document.languageId !== PLAN_LANGUAGE) await vscode.languages.setTextDocumentLanguage(document, PLAN_LANGUAGE);
    return this.opened(document) as OpenPlanFile;
  }

  of(document: vscode.TextDocument): OpenPlanFile | undefined {
    return this.files.get(document.uri.toString());
  }

  private opened(document: vscode.TextDocument): OpenPlanFile | undefined {
    if (document.languageId !== PLAN_LANGUAGE) return undefined;
    const known = this.of(document);
    if (known) return known;
    const file = new OpenPlanFile(document, this.memory);
    this.files.set(document.uri.toString(), file);
    file.onDidChangeConflicts(() => {
      if (file.conflicts.length > 0) this.conflict.fire(file);
    });
    return file;
  }

  private closed(document: vscode.TextDocument): void {
    this.of(document)?.dispose();
    this.files.delete(document.uri.toString());
  }
}
