import { type EditedField, mergeField } from '../../planner/planMerge';
import { normalizeText } from '../../planner/text';
import { applyEdit, type TextEdit } from '../../planner/textEdit';

export type FromWebview = { revision: number; number: number } & (
  | { edit: TextEdit; length: number }
  | { text: string }
);

/** What is to be done after the webview's text or the document's has changed. */
export type Change =
  | { kind: 'none' }
  /** The webview is to be told the text in `shown`. */
  | { kind: 'tell' }
  /** Both changed the same lines. Mine stays and will be written; the webview is to be told, too. */
  | { kind: 'conflict'; mine: string; theirs: string }
  /** The edit fits no text that the webview was told: ask it for the whole text. */
  | { kind: 'lost' };

/**
 * The text of one field in one webview, and how it follows the document without ever losing a key.
 *
 * Each text the webview is told has a revision, and each edit names the revision it was made on. The webview ignores a
 * text that was sent before it typed on, so until an edit confirms a revision, every text since the last confirmed one
 * is kept: whichever the webview has, its next edit finds its ground here and is merged.
 */
export class FieldText {
  /** Oldest first; the last one is what the webview shows, or is about to. */
  private told: { revision: number; text: string }[];
  /** Number of the last edit taken. */
  private seen = 0;
  /** What was given away last to be saved with the document, which will come back from it. */
  private given: string | undefined;

  constructor(
    readonly field: EditedField,
    /** The field's text in the document; without outer blank lines unless it is the whole of it. */
    private inDocument: string,
  ) {
    this.told = [{ revision: 0, text: inDocument }];
  }

  /** The same for a webview that was loaded anew and counts its edits from the start. */
  restarted(): FieldText {
    const again = new FieldText(this.field, this.inDocument);
    again.told = [{ revision: 0, text: this.latest.text }];
    return again;
  }

  /** The text to show, and what the webview must know to judge whether it still fits. */
  get shown(): { text: string; revision: number; seen: number } {
    return { ...this.latest, seen: this.seen };
  }

  /** What the document should hold; undefined if it does. Blank lines at the ends stay in the webview alone. */
  get unwritten(): string | undefined {
    const text = this.settled;
    return text === this.inDocument ? undefined : text;
  }

  /** As `unwritten`, for a save: the document will hold it, with whatever else is merged then. */
  giveToSave(): string | undefined {
    const { unwritten } = this;
    this.given = unwritten ?? this.given;
    return unwritten;
  }

  receive(message: FromWebview): Change {
    const ground = this.told.find(({ revision }) => revision === message.revision);
    if (!ground || message.number <= this.seen) return { kind: 'lost' };
    const mine = 'text' in message ? message.text : applied(ground.text, message.edit);
    if (mine === undefined || ('length' in message && mine.length !== message.length)) return { kind: 'lost' };
    this.seen = message.number;
    const target = this.latest;
    this.told = [{ revision: ground.revision, text: mine }];
    if (target === ground) return { kind: 'none' };
    const merged = mergeField(this.field, ground.text, mine, target.text);
    this.tell(merged.kind === 'merged' ? merged.text : mine, target.revision + 1);
    return merged.kind === 'merged' ? { kind: 'tell' } : { kind: 'conflict', mine, theirs: target.text };
  }

  /** The document holds `text` now; `own` if that is what was written from here. */
  documentIs(text: string, own: boolean): Change {
    const base = this.groundOf(text);
    this.inDocument = text;
    this.given = undefined;
    const mine = this.settled;
    if (own || text === base || text === mine) return { kind: 'none' };
    const merged = mergeField(this.field, base, mine, text);
    if (merged.kind === 'conflict') return { kind: 'conflict', mine, theirs: text };
    if (merged.text === mine) return { kind: 'none' };
    this.tell(merged.text, this.latest.revision + 1);
    return { kind: 'tell' };
  }

  /** What `text` and the webview's text both began with: what was given to a save, if `text` holds that. */
  private groundOf(text: string): string {
    const { given, inDocument } = this;
    if (given === undefined || given === inDocument) return inDocument;
    const merged = mergeField(this.field, inDocument, given, text);
    return text === given || (merged.kind === 'merged' && merged.text === text) ? given : inDocument;
  }

  /** The webview's text as it goes into the document. */
  private get settled(): string {
    return this.field === 'whole' ? this.latest.text : normalizeText(this.latest.text);
  }

  private get latest(): { revision: number; text: string } {
    return this.told[this.told.length - 1] as { revision: number; text: string };
  }

  private tell(text: string, revision: number): void {
    this.told.push({ revision, text });
  }
}

function applied(text: string, edit: TextEdit): string | undefined {
  return edit.start <= edit.end && edit.end <= text.length ? applyEdit(text, edit) : undefined;
}
