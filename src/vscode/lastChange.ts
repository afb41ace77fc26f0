import type { SetContext } from './contextKeys';

/** The last change made in this window that can be taken back, and how. */
export class LastChange {
  private step: { label: string; undo: () => Promise<void> } | undefined;

  constructor(private readonly setContext: SetContext) {}

  remember(label: string, undo: () => Promise<void>): void {
    this.step = { label, undo };
    this.setContext('nineplan.canUndo', true);
  }

  /** Undoes it once and says what it was; undefined if there is nothing. What the planner refuses, because others went on meanwhile, is the caller's to show. */
  async undo(): Promise<string | undefined> {
    const step = this.step;
    if (!step) return undefined;
    this.step = undefined;
    this.setContext('nineplan.canUndo', false);
    await step.undo();
    return step.label;
  }
}
