import type { SetContext } from './contextKeys';

/** The last change made in this window that can be taken back, and how. */
export class LastChange {
  private step: { label: string; undo: () => Promise<void> } | undefined;
  private undone: string | undefined;

  constructor(private readonly setContext: SetContext) {}

  remember(label: string, undo: () => Promise<void>): void {
    this.step = { label, undo };
    this.undone = undefined;
    this.setContext('nineplan.canUndo', true);
  }

  /** After a change that can't be taken back: an older one is not the last any more. */
  forget(): void {
    this.step = undefined;
    this.undone = undefined;
    this.setContext('nineplan.canUndo', false);
  }

  /** What was taken back last, as long as no other change was made. */
  get lastUndone(): string | undefined {
    return this.undone;
  }

  /** Undoes it once and says what it was; undefined if there is nothing, or if `only` names another change. What the planner refuses, because others went on meanwhile, is the caller's to show. */
  async undo(only?: string): Promise<string | undefined> {
    const step = this.step;
    if (!step || (only !== undefined && step.label !== only)) return undefined;
    this.step = undefined;
    this.setContext('nineplan.canUndo', false);
    await step.undo();
    this.undone = step.label;
    return step.label;
  }
}
