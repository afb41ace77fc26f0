/** The passage that an element is in. */
export function passageOf(node: Node | null): HTMLElement | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('.passage') ?? undefined;
}

export function rowOfPassage(passage: HTMLElement): number {
  return Number(passage.dataset.row);
}

/** Puts the passage in sight and gives it the focus, with which the tab key comes back to it. */
export function focusPassage(passage: HTMLElement | null | undefined): void {
  passage?.focus({ preventScroll: true });
  passage?.scrollIntoView({ block: 'nearest' });
}

/**
 * The keys of the plan: arrows, Home and End from passage to passage, N and P from comment to comment, C to comment.
 * Only one passage at a time is a stop of the tab key.
 */
export function navigateByKeys(root: HTMLElement, comment: (passage: HTMLElement) => void): void {
  root.addEventListener('focusin', ({ target }) => {
    const passage = passageOf(target as Node);
    if (!passage) return;
    for (const other of root.querySelectorAll<HTMLElement>('.passage[tabindex="0"]')) other.tabIndex = -1;
    passage.tabIndex = 0;
  });
  root.addEventListener('keydown', (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return;
    if (!target.classList.contains('passage')) return;
    const passages = [...root.querySelectorAll<HTMLElement>('.passage')];
    const here = passages.indexOf(target);
    const commented = (one: HTMLElement) => one.querySelector('.comment') !== null;
    const key = event.key.toLowerCase();
    let next: HTMLElement | undefined;
    if (key === 'arrowdown') next = passages[here + 1];
    else if (key === 'arrowup') next = passages[here - 1];
    else if (key === 'home') next = passages[0];
    else if (key === 'end') next = passages.at(-1);
    else if (key === 'n') next = passages.slice(here + 1).find(commented);
    else if (key === 'p') next = passages.slice(0, Math.max(here, 0)).findLast(commented);
    else if (key === 'c') comment(target);
    else return;
    event.preventDefault();
    focusPassage(next);
  });
}
