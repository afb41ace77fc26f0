import { applyEdit, editBetween } from '../../planner/textEdit';
import type { Field, FromPlanEditor, ToPlanEditor } from '../protocol';

type TextMessage = Extract<ToPlanEditor, { type: 'text' }>;

/**
 * One text box and its half of the protocol. What is typed goes out as the smallest edit; what changed elsewhere comes
 * in without moving the caret, unless something was typed meanwhile: then the extension merges it and sends it again.
 */
export class FieldEditor {
  private text: string;
  private revision: number;
  private number = 0;
  private composing = false;
  /** Came in while an input method was composing: setting the text then would break the composition. */
  private waiting: TextMessage | undefined;

  constructor(
    readonly field: Field,
    readonly box: HTMLTextAreaElement,
    shown: { text: string; revision: number },
    private readonly post: (message: FromPlanEditor) => void,
    private readonly changed: (text: string) => void,
  ) {
    this.text = shown.text;
    this.revision = shown.revision;
    box.value = shown.text;
    box.addEventListener('input', () => this.typed());
    box.addEventListener('compositionstart', () => {
      this.composing = true;
    });
    box.addEventListener('compositionend', () => {
      this.composing = false;
      this.typed();
      const waiting = this.waiting;
      this.waiting = undefined;
      if (waiting) this.hear(waiting);
    });
    box.addEventListener('blur', () => this.post({ type: 'settle' }));
  }

  get value(): string {
    return this.text;
  }

  hear(message: TextMessage): void {
    if (message.seen !== this.number) return;
    if (this.composing) {
      this.waiting = message;
      return;
    }
    this.revision = message.revision;
    const edit = editBetween(this.text, message.text);
    if (!edit) return;
    this.text = message.text;
    this.box.setRangeText(edit.insert, edit.start, edit.end, 'preserve');
    this.changed(this.text);
  }

  resend(): void {
    this.number++;
    this.post({ type: 'whole', field: this.field, revision: this.revision, number: this.number, text: this.text });
  }

  private typed(): void {
    if (this.composing) return;
    const text = this.box.value;
    const edit = editBetween(this.text, text);
    if (!edit) return;
    this.text = applyEdit(this.text, edit);
    this.number++;
    const { field, revision, number } = this;
    this.post({ type: 'edit', field, revision, number, ...edit, length: text.length });
    this.changed(text);
  }
}
