import { focusPassage } from './navigation';

/** Finds places on the page, and brings them into sight with the focus. */
export class Places {
  /** Rows from which on unchanged passages are shown. */
  readonly opened = new Set<number>();

  constructor(
    private readonly root: HTMLElement,
    private readonly redraw: () => void,
  ) {}

  go(row: number): void {
    this.openAround(row);
    focusPassage(this.passage(row));
  }

  /** To a comment: one that is being written, one that was sent, or those that have no passage. */
  goComment({ key, row }: { key: string; row: number }): void {
    this.openAround(row);
    if (this.comment(key)) this.focusComment(key);
    else if (row >= 0) this.go(row);
    else this.root.querySelector('.unplaced')?.scrollIntoView();
  }

  /** Whoever decided further down sees what came of it. */
  goVerdict(): void {
    this.root.querySelector('.verdict')?.scrollIntoView({ block: 'nearest' });
  }

  openGap(from: number): void {
    this.opened.add(from);
    this.redraw();
    focusPassage(this.passage(from));
  }

  focusComment(id: string): void {
    const box = this.comment(id)?.querySelector('textarea');
    box?.focus({ preventScroll: true });
    box?.scrollIntoView({ block: 'nearest' });
  }

  /** The passage below which a comment is written. */
  passageOfComment(id: string): HTMLElement | null | undefined {
    return this.comment(id)?.closest<HTMLElement>('.passage');
  }

  private openAround(row: number): void {
    if (row < 0 || this.passage(row)) return;
    for (let from = row; from >= 0; from--) this.opened.add(from);
    this.redraw();
  }

  private passage(row: number): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`.passage[data-row="${row}"]`);
  }

  private comment(id: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`[data-comment="${CSS.escape(id)}"]`);
  }
}
