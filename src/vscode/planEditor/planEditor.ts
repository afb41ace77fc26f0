import * as vscode from 'vscode';
import { FIELD_ORDER, PlanFile } from '../../planner/planFields';
import type { EditedField } from '../../planner/planMerge';
import type { Field, FromPlanEditor, Notice, PlanAction, PlanHeader, ToPlanEditor } from '../../webview/protocol';
import { Disposable } from '../disposable';
import { openLink, type WebviewChannel } from '../webviews';
import { type Change, FieldText } from './fieldText';
import type { OpenPlanFile } from './openPlanFile';

/** Milliseconds without a key after which what was typed goes into the document, as one step of undo. */
const PAUSE = 300;
/** Milliseconds that somebody may type without a pause before that happens all the same. */
const LONGEST = 1500;

/** What the store says about the file's plan. */
export interface PlanStanding {
  header: PlanHeader;
  notices: Notice[];
  /** The finished plan's text, to be shown instead of the file's when nobody has unsaved text in it. */
  finished: PlanFile | undefined;
}

export interface PlanEditorActions {
  act(action: PlanAction, editor: PlanEditor): Promise<void>;
  openPlan(id: string): Promise<void>;
}

/**
 * One plan editor: a webview on a document that may be open elsewhere as well. The document is the model; this carries
 * keys into it and everybody's changes out of it, field by field, and never overwrites the one with the other.
 */
export class PlanEditor extends Disposable {
  private fields: FieldText[] = [];
  private ready = false;
  private standing: PlanStanding | undefined;
  /** What is being written right now: when the document says so, it is no news. */
  private writing: { field: EditedField; text: string } | undefined;
  private written: Promise<void> | undefined;
  private pause: NodeJS.Timeout | undefined;
  private typingSince: number | undefined;
  private readOnly = false;

  constructor(
    readonly file: OpenPlanFile,
    private readonly channel: WebviewChannel<ToPlanEditor, FromPlanEditor>,
    private readonly actions: PlanEditorActions,
  ) {
    super();
    this.own(channel);
    this.own(channel.onDidReceive((message) => this.receive(message)));
    this.own(file.attach(this));
    this.own(file.onDidChangeConflicts(() => this.tellConflicts()));
    this.own(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document === file.document && contentChanges.length > 0) this.documentChanged();
      }),
    );
    this.own({ dispose: () => clearTimeout(this.pause) });
  }

  get uri(): vscode.Uri {
    return this.file.document.uri;
  }

  /** True if text of this file would be lost by forgetting it: it isn't saved, or not even in the document. */
  get hasUnsavedText(): boolean {
    return this.file.document.isDirty || this.fields.some((field) => field.unwritten !== undefined);
  }

  /** The text as the person sees it. */
  get text(): string {
    return this.withUnwritten(this.file.file.text);
  }

  /** Shows what the store says about the plan. */
  show(standing: PlanStanding): void {
    this.standing = standing;
    if (!this.ready) return;
    const readOnly = standing.finished !== undefined && !this.hasUnsavedText;
    if (readOnly !== this.readOnly) this.showFields();
    this.channel.post({ type: 'header', header: standing.header, notices: this.notices() });
  }

  withUnwritten(text: string): string {
    return this.fields.reduce((all, field) => {
      const typed = field.unwritten;
      if (typed === undefined) return all;
      return field.field === 'whole' ? typed : new PlanFile(all).with(field.field, typed);
    }, text);
  }

  /** Puts everything that was typed into the document. */
  async settle(): Promise<void> {
    clearTimeout(this.pause);
    this.typingSince = undefined;
    this.written ??= this.writeAll().finally(() => {
      this.written = undefined;
    });
    await this.written;
  }

  private async receive(message: FromPlanEditor): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.fields = this.fields.map((field) => field.restarted());
        this.showFields();
        if (this.standing) this.show(this.standing);
        this.tellConflicts();
        break;
      case 'edit':
      case 'whole':
        this.typed(message);
        break;
      case 'settle':
        await this.settle();
        break;
      case 'undo':
      case 'redo':
        await this.settle();
        await vscode.commands.executeCommand(message.type);
        break;
      case 'resolve':
        await this.settle();
        await this.file.resolve(message.field, message.choice);
        break;
      case 'act':
        await this.settle();
        await this.actions.act(message.action, this);
        break;
      case 'openPlan':
        await this.actions.openPlan(message.plan);
        break;
      case 'openLink':
        await openLink(message.target, vscode.workspace.getWorkspaceFolder(this.uri)?.uri);
        break;
    }
  }

  private typed(message: Extract<FromPlanEditor, { type: 'edit' | 'whole' }>): void {
    const field = this.fields.find((other) => other.field === message.field);
    if (!field || this.readOnly) return;
    const { revision, number } = message;
    const change = field.receive(
      message.type === 'whole'
        ? { revision, number, text: message.text }
        : { revision, number, edit: message, length: message.length },
    );
    this.after(field, change);
    this.settleSoon();
  }

  /** The first key makes the document unsaved at once; then a pause makes a step of undo. */
  private settleSoon(): void {
    clearTimeout(this.pause);
    this.typingSince ??= Date.now();
    const wait = this.file.document.isDirty ? Math.min(PAUSE, LONGEST - (Date.now() - this.typingSince)) : 0;
    this.pause = setTimeout(() => void this.settle(), Math.max(0, wait));
  }

  private async writeAll(): Promise<void> {
    for (;;) {
      const field = this.fields.find((other) => other.unwritten !== undefined);
      const text = field?.unwritten;
      if (!field || text === undefined) return;
      const { version } = this.file.document;
      this.writing = { field: field.field, text };
      const done = await this.file.write(field.field === 'whole' ? text : this.file.file.with(field.field, text));
      this.writing = undefined;
      if (!done && this.file.document.version === version) {
        // Nobody else changed it, so trying again would not help: the text stays here and goes along with the next save.
        return;
      }
    }
  }

  private documentChanged(): void {
    const { file } = this.file;
    if (this.shapeOf(file) !== this.shape) {
      this.reshape(file);
      return;
    }
    for (const field of this.fields) {
      const text = field.field === 'whole' ? file.text : file.fields[field.field];
      const own = this.writing?.field === field.field && this.writing.text === text;
      this.after(field, field.documentIs(text, own));
    }
  }

  private after(field: FieldText, change: Change): void {
    if (change.kind === 'none') return;
    if (change.kind === 'lost') {
      this.channel.post({ type: 'resend', field: field.field });
      return;
    }
    if (change.kind === 'conflict') {
      const { mine, theirs } = change;
      this.file.addConflict({ field: field.field, mine, theirs });
      this.settleSoon();
    }
    if (this.ready && !this.readOnly) this.channel.post({ type: 'text', field: field.field, ...field.shown });
    if (field.unwritten !== undefined) this.settleSoon();
  }

  private get shape(): string {
    return this.fields.map(({ field }) => field).join();
  }

  private shapeOf(file: PlanFile): string {
    return fieldsOf(file).join();
  }

  /** The file's headings came or went. What was typed and isn't in the document becomes one side of a conflict. */
  private reshape(file: PlanFile): void {
    const typed = this.fields.some((field) => field.unwritten !== undefined);
    if (typed && this.writing === undefined) {
      const before = Object.fromEntries(this.fields.map((field) => [field.field, field.shown.text]));
      const mine = before.whole ?? rebuilt(before);
      this.file.addConflict({ field: 'whole', mine, theirs: file.text });
    }
    this.showFields();
  }

  private showFields(): void {
    const { file } = this.file;
    this.readOnly = this.standing?.finished !== undefined && !this.hasUnsavedText;
    if (this.shapeOf(file) !== this.shape) {
      this.fields = fieldsOf(file).map(
        (field) => new FieldText(field, field === 'whole' ? file.text : file.fields[field]),
      );
    } else {
      this.fields = this.fields.map((field) => field.restarted());
    }
    if (!this.ready) return;
    const finished = this.readOnly ? this.standing?.finished : undefined;
    this.channel.post({
      type: 'show',
      readOnly: this.readOnly,
      fields: finished
        ? fieldsOf(finished).map((field) => ({ field, text: textIn(finished, field), revision: 0 }))
        : this.fields.map((field) => ({ field: field.field, text: field.shown.text, revision: 0 })),
    });
    if (this.standing) {
      this.channel.post({ type: 'header', header: this.standing.header, notices: this.notices() });
    }
  }

  private notices(): Notice[] {
    const { unreadable } = this.file.file;
    const notices = [...(this.standing?.notices ?? [])];
    if (unreadable && !this.readOnly) {
      const text =
        unreadable.kind === 'noHeadings'
          ? vscode.l10n.t(
              'This file has none of the seven headings (“# Goal” and so on), so it can’t be shown by sections. Nothing is lost: here is all of it. Add the headings, each on a line of its own.',
            )
          : vscode.l10n.t(
              'The heading “# {0}” is there twice, so the file can’t be shown by sections. Nothing is lost: here is all of it. Keep one of the two headings.',
              unreadable.heading,
            );
      notices.unshift({ severity: 'warning', text, actions: ['openText'] });
    }
    return notices;
  }

  private tellConflicts(): void {
    if (this.ready) this.channel.post({ type: 'conflicts', conflicts: [...this.file.conflicts] });
  }
}

function fieldsOf(file: PlanFile): Field[] {
  if (file.unreadable) return ['whole'];
  return FIELD_ORDER.filter((field) => field !== 'preamble' || file.fields.preamble !== '');
}

function textIn(file: PlanFile, field: Field): string {
  return field === 'whole' ? file.text : file.fields[field];
}

function rebuilt(fields: Partial<Record<Field, string>>): string {
  return FIELD_ORDER.reduce((text, field) => new PlanFile(text).with(field, fields[field] ?? ''), '');
}
