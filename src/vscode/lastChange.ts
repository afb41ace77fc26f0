import type { SetContext } from './contextKeys';

/** The last change made in this window that can be taken back, and how. */
export class LastChange {
  private step: { label: string; undo: () => Promise<void> } | undefined;

  constructor(private readonly setContext: SetContext) {}

  get label(): string | undefined {
    return this.step?.label;
  }

  remember(label: string, undo: () => Promise<void>): void {
    this.step = { label, undo };
    this.setContext('nineplan.canUndo', true);
  }

  /** Undoes it once. What the planner refuses, because others went on meanwhile, is the caller's to show. */
  async undo(): Promise<boolean> {
    const step = this.step;
    if (!step) return false;
    this.step = undefined;
    this.setContext('nineplan.canUndo', false);
    await step.undo();
    return true;
  }
}
