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
  private reshaping: NodeJS.Timeout | undefined;
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
    this.own({
      dispose: () => {
        clearTimeout(this.reshaping);
        // Closed in the middle of a word: VS Code then shows the document again, unsaved.
        void this.settle();
      },
    });
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
    return this.with(this.file.file.text, (field) => field.unwritten);
  }

  /** Shows what the store says about the plan. */
  show(standing: PlanStanding): void {
    this.standing = standing;
    const readOnly = standing.finished !== undefined && !this.hasUnsavedText;
    if (readOnly === this.readOnly) this.tellStanding();
    else this.showFields();
  }

  givenToSave(text: string): string {
    return this.with(text, (field) => field.giveToSave());
  }

  private with(text: string, typedIn: (field: FieldText) => string | undefined): string {
    return this.fields.reduce((all, field) => {
      const typed = typedIn(field);
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
        this.showFields();
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
        if (message.action === 'showSections') this.showFields();
        else await this.actions.act(message.action, this);
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

  /** A pause makes a step of undo. */
  private settleSoon(): void {
    clearTimeout(this.pause);
    this.typingSince ??= Date.now();
    const wait = Math.min(PAUSE, LONGEST - (Date.now() - this.typingSince));
    this.pause = setTimeout(() => void this.settle(), Math.max(0, wait));
  }

  private async writeAll(): Promise<void> {
    for (;;) {
      const field = this.fields.find((other) => other.unwritten !== undefined);
      const text = field?.unwritten;
      if (!field || text === undefined) return;
      if (this.shapeChanged) return;
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
    if (this.shapeChanged) {
      // Keys may be on their way, and the fields they were typed in must still be there.
      clearTimeout(this.reshaping);
      this.reshaping = setTimeout(() => void this.reshape(), PAUSE);
      return;
    }
    for (const field of this.fields) {
      const text = textIn(this.file.file, field.field);
      const own = this.writing?.field === field.field && this.writing.text === text;
      this.after(field, field.documentIs(text, own));
    }
    if (this.showsWhole && !this.file.file.unreadable) {
      // Whoever types the missing headings shouldn't have the box taken away; they get a button.
      if (this.writing) this.tellStanding();
      else this.showFields();
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

  /** The document can't be shown by the fields there are: its headings were lost, by another's hand. */
  private get shapeChanged(): boolean {
    return !this.showsWhole && this.file.file.unreadable !== undefined;
  }

  private get showsWhole(): boolean {
    return this.fields[0]?.field === 'whole';
  }

  private async reshape(): Promise<void> {
    if (!this.shapeChanged) return this.documentChanged();
    const typed = this.fields.some((field) => field.unwritten !== undefined);
    if (!typed) return this.showFields();
    const theirs = this.file.file.text;
    const mine = this.fields.reduce((text, { field, shown }) => {
      return field === 'whole' ? shown.text : new PlanFile(text).with(field, shown.text);
    }, '');
    if (await this.file.write(mine)) this.file.addConflict({ field: 'whole', mine, theirs });
    else this.documentChanged();
  }

  /** Makes the fields anew if the file's shape asks for it, and shows all there is. */
  private showFields(): void {
    const { file } = this.file;
    this.readOnly = this.standing?.finished !== undefined && !this.hasUnsavedText;
    const names = fieldsOf(file);
    this.fields =
      this.fields[0]?.field === names[0]
        ? this.fields.map((field) => field.restarted())
        : names.map((field) => new FieldText(field, textIn(file, field)));
    if (!this.ready) return;
    const finished = this.readOnly ? this.standing?.finished : undefined;
    this.channel.post({
      type: 'show',
      readOnly: this.readOnly,
      fields: finished
        ? fieldsOf(finished).map((field) => ({ field, text: textIn(finished, field), revision: 0 }))
        : this.fields.map(({ field, shown }) => ({ field, text: shown.text, revision: 0 })),
    });
    this.tellStanding();
  }

  private tellStanding(): void {
    if (!this.ready || !this.standing) return;
    this.channel.post({ type: 'header', header: this.standing.header, notices: this.notices() });
  }

  private notices(): Notice[] {
    const { unreadable } = this.file.file;
    const notices = [...(this.standing?.notices ?? [])];
    if (this.readOnly || !this.showsWhole) return notices;
    if (!unreadable) {
      const text = vscode.l10n.t('The headings are in order now.');
      return [{ severity: 'info', text, actions: ['showSections'] }, ...notices];
    }
    const text =
      unreadable.kind === 'noHeadings'
        ? vscode.l10n.t(
            'This file has none of the seven headings (“# Goal” and so on), so it can’t be shown by sections. Nothing is lost: here is all of it. Add the headings, each on a line of its own.',
          )
        : vscode.l10n.t(
            'The heading “# {0}” is there twice, so the file can’t be shown by sections. Nothing is lost: here is all of it. Keep one of the two.',
            unreadable.heading,
          );
    return [{ severity: 'warning', text, actions: ['openText'] }, ...notices];
  }

  private tellConflicts(): void {
    if (this.ready) this.channel.post({ type: 'conflicts', conflicts: [...this.file.conflicts] });
  }
}

function fieldsOf(file: PlanFile): readonly Field[] {
  return file.unreadable ? ['whole'] : FIELD_ORDER;
}

function textIn(file: PlanFile, field: Field): string {
  return field === 'whole' ? file.text : file.fields[field];
}
