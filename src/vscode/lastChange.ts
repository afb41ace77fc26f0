import type { SetContext } from './contextKeys';

interface Step {
  /** Tells it from every other, which a label doesn't: “Discarded 2 plans.” */
  number: number;
  label: string;
}

/** The last change made in this window that can be taken back, and how. */
export class LastChange {
  private step: (Step & { undo: () => Promise<void> }) | undefined;
  private undone: Step | undefined;
  private count = 0;

  constructor(private readonly setContext: SetContext) {}

  /** Returns the number by which a message can offer to undo this change and no other. */
  remember(label: string, undo: () => Promise<void>): number {
    this.step = { number: ++this.count, label, undo };
    this.undone = undefined;
    this.setContext('nineplan.canUndo', true);
    return this.count;
  }

  /** After a change that can't be taken back: an older one is not the last any more. */
  forget(): void {
    this.step = undefined;
    this.undone = undefined;
    this.setContext('nineplan.canUndo', false);
  }

  /** What was taken back last, as long as no other change was made. */
  get lastUndone(): Step | undefined {
    return this.undone;
  }

  /**
   * Undoes it once and says what it was; undefined if there is nothing, or if `only` names another change. What is
   * refused, because others went on meanwhile, is the caller's to show.
   */
  async undo(only?: number): Promise<string | undefined> {
    const step = this.step;
    if (!step || (only !== undefined && step.number !== only)) return undefined;
    this.step = undefined;
    this.setContext('nineplan.canUndo', false);
    await step.undo();
    this.undone = step;
    return step.label;
  }
}
