import * as vscode from 'vscode';
import { keepBoth } from '../../planner/merge';
import { type FieldName, PlanFile } from '../../planner/planFields';
import { type EditedField, type FieldConflict, mergePlanFiles } from '../../planner/planMerge';
import type { ConflictChoice } from '../../webview/protocol';
import { Disposable } from '../disposable';
import { editsTo, readAnew, readPlanText, textOf } from './planText';

/** What outlives a reload of the window: without it nobody could tell what changed on disk while text was unsaved. */
interface Remembered {
  /** The last text that the document and the disk had in common. */
  base: string;
  conflicts: FieldConflict[];
}

/** Something that holds text which is not in the document yet. */
export interface Typist {
  /** The document's text `text` with what was typed in it, which is going to be saved. */
  givenToSave(text: string): string;
}

/** Milliseconds until a change on disk is looked at, and looked at again: the editor itself may be reloading it. */
const LOOKS = [40, 600];
/** Milliseconds after which a save that nobody heard of again has failed. */
const LONGEST_SAVE = 3000;
/** Milliseconds between two looks without a reason: watchers start late, and some file systems have none. */
const EVERY = 1000;

/**
 * A plan file that is open in an editor, whichever one. While its text is unsaved, a change on disk is brought into it
 * section by section, so that the next save neither fails nor wipes what an agent wrote. Two versions of one part are
 * kept both, until the person chooses.
 */
export class OpenPlanFile extends Disposable {
  private readonly conflictsChanged = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeConflicts = this.conflictsChanged.event;
  /** The file appeared, changed or vanished on disk. */
  private readonly diskChanged = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeDisk = this.diskChanged.event;

  private readonly typists = new Set<Typist>();
  private readonly key: string;
  private remembered: Remembered | undefined;
  private base: string | undefined;
  private readonly begun: Promise<void>;
  private open: FieldConflict[] = [];
  private comparing: Promise<void> = Promise.resolve();
  private savingUntil = 0;
  /** What the disk may hold after a save that is under way, and what it held before. */
  private saving: { texts: Set<string>; text: string; over: string } | undefined;
  private lastSave: { text: string; over: string } | undefined;
  /** What agents wrote lately, as far as the disk has not been seen to hold it. */
  private readonly foreign = new Map<FieldName, string>();
  /** What stood on disk when the document was read anew, if it doesn't hold that. */
  private reloaded: string | undefined;
  private gone = false;
  private parsed: { version: number; file: PlanFile } | undefined;

  constructor(
    readonly document: vscode.TextDocument,
    private readonly memory: vscode.Memento,
  ) {
    super();
    this.key = `nineplan.unsaved:${document.uri.toString()}`;
    this.remembered = memory.get<Remembered>(this.key);
    this.open = this.remembered?.conflicts ?? [];
    this.base = this.remembered?.base;
    this.begun = this.begin();
    const looking = setInterval(() => this.compareNext(), EVERY);
    this.own({ dispose: () => clearInterval(looking) });
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(document.uri, '..'), basename(document.uri));
    const watcher = this.own(vscode.workspace.createFileSystemWatcher(pattern));
    this.own(watcher.onDidChange(() => this.look()));
    this.own(watcher.onDidCreate(() => this.look()));
    this.own(watcher.onDidDelete(() => this.look()));
  }

  /** A document may be unsaved from the start: what it was before a reload is known only from the disk, or from memory. */
  private async begin(): Promise<void> {
    const text = textOf(this.document);
    const disk = await readPlanText(this.document.uri).catch(() => undefined);
    if (disk === text) await this.saved(text);
    else this.look();
  }

  get conflicts(): readonly FieldConflict[] {
    return this.open;
  }

  get file(): PlanFile {
    const { version } = this.document;
    if (this.parsed?.version !== version) this.parsed = { version, file: new PlanFile(textOf(this.document)) };
    return this.parsed.file;
  }

  attach(typist: Typist): vscode.Disposable {
    this.typists.add(typist);
    return { dispose: () => this.typists.delete(typist) };
  }

  /** Makes the document's text `text`. False if the document changed meanwhile: then look again and try again. */
  async write(text: string): Promise<boolean> {
    const edits = editsTo(this.document, text);
    if (edits.length === 0) return true;
    const edit = new vscode.WorkspaceEdit();
    edit.set(this.document.uri, edits);
    return vscode.workspace.applyEdit(edit);
  }

  /** The document has changed, here or because the editor reloaded it. */
  async changed(): Promise<void> {
    this.saving?.texts.add(textOf(this.document));
    if (this.document.isDirty) {
      await this.remember();
      return;
    }
    // A first key may be reported before the document counts as unsaved: only what is on disk is common ground.
    const text = textOf(this.document);
    if ((await readPlanText(this.document.uri)) === text) await this.saved(text);
  }

  /** The document and the disk both hold `text`. */
  private saved(text: string): Promise<void> {
    this.savingUntil = 0;
    this.base = text;
    return this.remember();
  }

  /** A save is over. The document may have gone on since then, and the disk too. */
  async wasSaved(): Promise<void> {
    const { saving } = this;
    const disk = await readPlanText(this.document.uri);
    const text = disk !== undefined && saving?.texts.has(disk) ? disk : (saving?.text ?? textOf(this.document));
    if (this.saving === saving) this.saving = undefined;
    this.lastSave = { over: saving?.over ?? text, text };
    await this.saved(text);
    this.look();
  }

  /** An agent's change of this plan: it counts as seen when the disk is found to hold it. */
  editedElsewhere(sections: Partial<Record<FieldName, string>>): void {
    for (const [field, text] of Object.entries(sections)) this.foreign.set(field as FieldName, text);
  }

  /**
   * Brings back what an agent wrote between the look at the disk and the save that went over it. To be called before the
   * saved text goes into the store, and after the store was read, so that all such changes are known.
   */
  async restoreOverwritten(): Promise<void> {
    const { lastSave, foreign } = this;
    if (!lastSave || foreign.size === 0) return;
    const [before, after] = [new PlanFile(lastSave.over), new PlanFile(lastSave.text)];
    if (before.unreadable || after.unreadable) return;
    const theirs = [...foreign].reduce((text, [field, value]) => new PlanFile(text).with(field, value), before.text);
    foreign.clear();
    const merged = mergePlanFiles(before.text, after.text, theirs);
    for (const conflict of merged.conflicts) this.addConflict(conflict);
    if (merged.text === after.text) return;
    const text = mergePlanFiles(after.text, textOf(this.document), merged.text).text;
    await this.write(text);
  }

  /** What must be changed just before the document is saved: text still on its way, and what came to the disk meanwhile. */
  async editsBeforeSave(): Promise<vscode.TextEdit[]> {
    this.savingUntil = Date.now() + LONGEST_SAVE;
    await this.begun;
    let text = textOf(this.document);
    for (const typist of this.typists) text = typist.givenToSave(text);
    // What both have in common is settled only by the save itself: until then this may be asked again.
    const disk = await readPlanText(this.document.uri);
    const merged = disk === undefined ? text : this.merge(text, disk);
    this.saving = { texts: new Set([textOf(this.document), merged]), text: merged, over: disk ?? merged };
    return editsTo(this.document, merged);
  }

  /** Both versions of a part exist, and one of them only here. */
  addConflict(conflict: FieldConflict): void {
    this.open = [...this.open.filter(({ field }) => field !== conflict.field), conflict];
    this.conflictsChanged.fire();
    void this.remember();
  }

  async resolve(field: EditedField, choice: ConflictChoice): Promise<void> {
    const conflict = this.open.find((other) => other.field === field);
    if (!conflict) return;
    if (choice !== 'mine') {
      const now = field === 'whole' ? this.file.text : this.file.fields[field];
      const text = choice === 'theirs' ? conflict.theirs : keepBoth(now, conflict.theirs);
      const written = await this.write(field === 'whole' ? text : this.file.with(field, text));
      if (!written) return this.resolve(field, choice);
    }
    this.open = this.open.filter((other) => other !== conflict);
    this.conflictsChanged.fire();
    await this.remember();
  }

  /** Looks at the disk soon. */
  look(): void {
    this.diskChanged.fire();
    for (const delay of LOOKS) setTimeout(() => this.compareNext(), delay);
  }

  private compareNext(): void {
    if (!this.isDisposed) this.comparing = this.comparing.then(() => this.compare()).catch(() => undefined);
  }

  /** Brings what is on disk into the document. */
  private async compare(): Promise<void> {
    await this.begun;
    // A save has merged the disk already; it looks again when it is done, or has failed.
    if (this.isDisposed || Date.now() < this.savingUntil) return;
    const { base } = this;
    const { version } = this.document;
    const disk = await readPlanText(this.document.uri);
    const outdated = () => this.base !== base || this.document.version !== version;
    if (outdated()) return this.compare();
    const gone = disk === undefined;
    if (gone !== this.gone) this.diskChanged.fire();
    this.gone = gone;
    if (disk === undefined) return;
    this.seen(disk);
    if (!this.document.isDirty) return this.reload(disk);
    if (disk === base) return;
    if (await this.write(this.merge(textOf(this.document), disk))) {
      this.base = disk;
      await this.remember();
    } else if (outdated()) {
      await this.compare();
    }
  }

  /**
   * VS Code misses changes in folders made while it watches, and where file systems report none. Writing the text into
   * the document and saving that could overwrite a change that is newer still, so the document is made to read its file.
   */
  private async reload(disk: string): Promise<void> {
    if (disk === textOf(this.document)) this.reloaded = undefined;
    if (disk === textOf(this.document) || disk === this.reloaded) return;
    await readAnew(this.document);
    this.reloaded = disk;
    this.diskChanged.fire();
  }

  private seen(disk: string): void {
    if (this.foreign.size === 0) return;
    const { fields, unreadable } = new PlanFile(disk);
    for (const [field, text] of this.foreign) if (!unreadable && fields[field] === text) this.foreign.delete(field);
  }

  private merge(text: string, disk: string): string {
    this.seen(disk);
    const merged = mergePlanFiles(this.base, text, disk);
    for (const conflict of merged.conflicts) this.addConflict(conflict);
    return merged.text;
  }

  private async remember(): Promise<void> {
    const needed = this.document.isDirty || this.open.length > 0;
    const remembered: Remembered | undefined =
      needed && this.base !== undefined ? { base: this.base, conflicts: this.open } : undefined;
    if (remembered?.base === this.remembered?.base && remembered?.conflicts === this.remembered?.conflicts) return;
    this.remembered = remembered;
    await this.memory.update(this.key, remembered);
  }
}

function basename(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
