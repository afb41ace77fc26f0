import type { Dialogs, Field } from './dialogs';

/** What was typed for something that was refused then: it must not be gone with the refusal. */
export class UnusedText extends Error {
  constructor(
    readonly refusal: unknown,
    readonly text: string,
  ) {
    super('what was typed was not used', { cause: refusal });
  }
}

interface Question<K extends string> {
  title: string;
  /** What it is about, if the title doesn't say. */
  about?: string;
  fields: Field<K>[];
}

/** What the person typed into questions and was not used, since they gave up or were refused. */
export class Drafts {
  private readonly kept = new Map<string, Record<string, string>>();

  /**
   * Asks, and acts on the answers; `act` resolves to false if the person gave up in the middle of it, and only then. Until
   * they have been used, they stand there again when the same is asked. Rejects with UnusedText if `act` rejects.
   */
  async use<K extends string>(
    dialogs: Dialogs,
    { title, about = '', fields }: Question<K>,
    act: (answers: Record<K, string>) => Promise<unknown>,
  ): Promise<void> {
    const key = JSON.stringify([title, about]);
    const kept = this.kept.get(key);
    const filled = fields.map((field) => ({ ...field, value: kept?.[field.key] ?? field.value }));
    const answers = await dialogs.fill(title, filled, (typed) => this.kept.set(key, typed));
    if (!answers) return;
    this.kept.set(key, answers);
    try {
      if ((await act(answers)) !== false) this.kept.delete(key);
    } catch (error) {
      const text = Object.values<string>(answers).filter((answer) => answer.trim() !== '');
      throw text.length > 0 ? new UnusedText(error, text.join('\n\n')) : error;
    }
  }
}
