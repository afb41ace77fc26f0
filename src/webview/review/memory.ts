import * as z from 'zod/mini';
import type { Host } from '../host';

const look = z.object({
  proposal: z.string(),
  round: z.number(),
  view: z.enum(['plan', 'changes', 'edit', 'yourChanges']),
});
export type Look = z.infer<typeof look>;

const remembered = z.extend(look, { scroll: z.number() });

/** Milliseconds until a change is kept. */
const PAUSE = 150;

/** What the page looked like when it was last shown. Without it VS Code could not open the panel again after a reload. */
export class PageMemory {
  private keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: Pick<Host<unknown, unknown>, 'remember' | 'remembered'>,
    private readonly now: () => Look | undefined,
  ) {}

  keepSoon(): void {
    this.keeping ??= setTimeout(() => this.keep(), PAUSE);
  }

  keep(): void {
    clearTimeout(this.keeping);
    this.keeping = undefined;
    const shown = this.now();
    if (shown) this.host.remember({ ...shown, scroll: document.scrollingElement?.scrollTop ?? 0 });
  }

  /** Scrolls to where the same round was left, and gives the view that it was in; undefined if another one was shown. */
  recall(shown: Look | undefined): Look['view'] | undefined {
    const before = this.host.remembered(remembered);
    if (!before || before.proposal !== shown?.proposal || before.round !== shown.round) return undefined;
    requestAnimationFrame(() => document.scrollingElement?.scrollTo({ top: before.scroll }));
    return before.view;
  }
}
