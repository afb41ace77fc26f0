import * as path from 'node:path';
import * as vscode from 'vscode';
import type { CommittedChange } from '../../planner/events';
import type { Plan } from '../../planner/model';
import { formatPlan } from '../../planner/planDocument';
import { PlanFile } from '../../planner/planFields';
import { planEditorWords } from '../../webview/planEditor/words';
import { type FromPlanEditor, fromPlanEditor, type Notice, type ToPlanEditor } from '../../webview/protocol';
import { type CommandParts, editor as caller } from '../commands/command';
import { Disposable } from '../disposable';
import { describeError } from '../errorText';
import { plainLine } from '../plainText';
import { planInDocument } from '../planDocuments';
import { PLAN_EDITOR } from '../viewTypes';
import { openPage, WebviewChannel } from '../webviews';
import { offerWaysOut } from './lateText';
import type { OpenPlanFile } from './openPlanFile';
import { OpenPlanFiles } from './openPlanFiles';
import { PlanEditor, type PlanStanding } from './planEditor';
import { PlanEditorCommands } from './planEditorActions';
import { headerOf, isFinished, isRecorded, namesInPath, type PlanOfFile, planOfFile } from './planOfFile';
import { PlanReader } from './planReader';
import { readPlanText } from './planText';

export interface PlanEditorOptions {
  parts: CommandParts;
  /** The extension's folder. */
  extension: vscode.Uri;
  memory: vscode.Memento;
}

/** Milliseconds that a burst of changes in the store may take to come together. */
const SETTLE = 30;

/** Characters that a tab has room for. */
const LONGEST_TITLE = 40;

type PlanEditorChannel = WebviewChannel<ToPlanEditor, FromPlanEditor>;

/** Opens plan files by their sections, and plans without a file for reading. */
export class PlanEditorProvider extends Disposable implements vscode.CustomTextEditorProvider {
  private readonly parts: CommandParts;
  private readonly extension: vscode.Uri;
  private readonly files: OpenPlanFiles;
  private readonly editors = new Map<PlanEditor, vscode.WebviewPanel>();
  private readonly readers = new Set<PlanReader>();
  private readonly actions: PlanEditorCommands;
  /** What the planner said about a file when it was saved last and couldn't be used. */
  private readonly refused = new Map<string, string>();
  private settling: NodeJS.Timeout | undefined;

  constructor({ parts, extension, memory }: PlanEditorOptions) {
    super();
    this.parts = parts;
    this.extension = extension;
    this.files = this.own(new OpenPlanFiles(memory));
    this.actions = new PlanEditorCommands(parts);
    this.own(parts.connection.onDidCommit((change) => this.committed(change)));
    this.own(parts.connection.onDidMove(() => this.refreshSoon()));
    this.own(this.files.onDidSave((document) => void this.takeIn(document)));
    this.own(this.files.onDidConflict((file) => void this.offerEditor(file)));
    this.own({ dispose: () => clearTimeout(this.settling) });
  }

  async resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): Promise<void> {
    const channel = new WebviewChannel<ToPlanEditor, FromPlanEditor>(panel.webview, fromPlanEditor, this.parts.log);
    const shown = planInDocument(document.uri);
    if (shown) this.read(shown, channel, panel);
    else await this.edit(document, channel, panel);
  }

  private read(plan: string, channel: PlanEditorChannel, panel: vscode.WebviewPanel): void {
    const reader = new PlanReader(plan, channel, () => this.parts.connection.planner());
    this.readers.add(reader);
    panel.onDidDispose(() => {
      this.readers.delete(reader);
      reader.dispose();
    });
    this.fill(panel);
  }

  private async edit(
    document: vscode.TextDocument,
    channel: PlanEditorChannel,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const file = await this.files.adopt(document);
    const editor = new PlanEditor(file, channel, this.actions);
    this.editors.set(editor, panel);
    file.onDidChangeDisk(() => this.refreshSoon());
    panel.onDidDispose(() => {
      this.editors.delete(editor);
      editor.dispose();
    });
    this.fill(panel);
    await this.refresh(editor);
  }

  private fill(panel: vscode.WebviewPanel): void {
    const words = Object.fromEntries(Object.entries(planEditorWords).map(([key, text]) => [key, vscode.l10n.t(text)]));
    openPage(panel.webview, this.extension, { name: 'planEditor', title: vscode.l10n.t('Plan'), words });
  }

  private committed(change: CommittedChange): void {
    const plans = new Set(change.events.map((event) => ('plan' in event ? event.plan : undefined)));
    for (const { file, uri } of this.editors.keys()) {
      const id = namesInPath(uri.path)?.id;
      if (!plans.has(id)) continue;
      for (const event of change.own ? [] : change.events) {
        if (event.type === 'plan_edited' && event.plan === id && event.source === 'command') {
          file.editedElsewhere(event.sections);
        }
      }
      file.look();
    }
    this.refreshSoon();
  }

  private refreshSoon(): void {
    if (this.editors.size + this.readers.size === 0) return;
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      for (const editor of this.editors.keys()) void this.refresh(editor);
      for (const reader of this.readers) void reader.refresh();
    }, SETTLE);
  }

  private async refresh(editor: PlanEditor): Promise<void> {
    const standing = await this.standing(editor);
    const panel = this.editors.get(editor);
    if (!panel) return;
    editor.show(standing);
    // The file's name is an id and says nothing; it is the tab's as long as there is no goal.
    panel.title = plainLine(new PlanFile(editor.text).fields.goal, LONGEST_TITLE);
  }

  private async standing(editor: PlanEditor): Promise<PlanStanding> {
    const { path: file, fsPath } = editor.uri;
    try {
      const planner = await this.parts.connection.planner();
      const found = await planOfFile(planner, fsPath, samePath);
      const refused = this.refused.get(editor.uri.toString());
      const notices: Notice[] = refused ? [{ severity: 'error', text: refused, actions: ['openText'] }] : [];
      const kept = isFinished(found) && (editor.hasUnsavedText || (await isStray(editor.uri, found.plan)));
      return {
        header: headerOf(found, file),
        notices: [...noticesFor(found, kept), ...notices],
        finished: isFinished(found) && !kept ? new PlanFile(formatPlan(found.plan)) : undefined,
      };
    } catch (error) {
      const { message, suggestion } = describeError(error);
      const text = [message, suggestion].filter(Boolean).join(' ');
      return {
        header: headerOf('foreign', file),
        notices: [{ severity: 'error', text, actions: [] }],
        finished: undefined,
      };
    }
  }

  /** What was saved goes into the store, so that views and agents see it before the plan's next step. */
  private async takeIn(document: vscode.TextDocument): Promise<void> {
    const id = namesInPath(document.uri.path)?.id;
    if (!id || !vscode.workspace.isTrusted) return;
    const key = document.uri.toString();
    try {
      const planner = await this.parts.connection.planner();
      const found = await planOfFile(planner, document.uri.fsPath, samePath);
      await this.files.of(document)?.restoreOverwritten();
      if (typeof found === 'object' && !isFinished(found)) await planner.queue.takeInEdits(caller(), { planId: id });
      else if (found !== 'foreign') void offerWaysOut(document, found, this.actions, this.parts);
      this.refused.delete(key);
    } catch (error) {
      const { message, suggestion } = describeError(error);
      this.parts.log.info({ plan: id }, message);
      this.refused.set(key, [message, suggestion].filter(Boolean).join(' '));
    }
    this.refreshSoon();
  }

  /** The plain text editor can't show two versions; this one can. */
  private async offerEditor(file: OpenPlanFile): Promise<void> {
    if ([...this.editors.keys()].some((editor) => editor.file === file)) return;
    const show = vscode.l10n.t('Show Both Versions');
    const message = vscode.l10n.t(
      'Part of {0} was changed on disk while you were changing it. Yours is in the editor; the other version is kept.',
      path.basename(file.document.uri.fsPath),
    );
    if ((await this.parts.dialogs.tell('warning', message, show)) !== show) return;
    await vscode.commands.executeCommand('vscode.openWith', file.document.uri, PLAN_EDITOR);
  }
}

function noticesFor(found: PlanOfFile | 'foreign' | 'missing', kept: boolean): Notice[] {
  if (found === 'missing') {
    const text = vscode.l10n.t('This plan was deleted. The text is kept here until you close the editor.');
    return [{ severity: 'warning', text, actions: ['copyText', 'addAsNew'] }];
  }
  if (!isFinished(found) || !kept) return [];
  const text =
    found.plan.status === 'completed'
      ? vscode.l10n.t(
          'This plan was completed while you had unsaved text. The text is kept here; the plan doesn’t have it.',
        )
      : vscode.l10n.t(
          'This plan was discarded while you had unsaved text. The text is kept here; the plan doesn’t have it.',
        );
  return [{ severity: 'warning', text, actions: ['copyText', 'addAsNew'] }];
}

/** A finished plan has no file, unless somebody saved a text after that. */
async function isStray(uri: vscode.Uri, plan: Plan): Promise<boolean> {
  const text = await readPlanText(uri);
  return text !== undefined && !isRecorded(text, plan);
}

function samePath(a: string, b: string): boolean {
  const [one, other] = [path.normalize(a), path.normalize(b)];
  return process.platform === 'win32' ? one.toLowerCase() === other.toLowerCase() : one === other;
}
