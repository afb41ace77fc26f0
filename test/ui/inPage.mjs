// Functions that a test runs inside a page: each must stand by itself.

/** Selects words of a review panel's plan as a mouse would. @param {string} text */
export function selectWords(text) {
  const walker = document.createTreeWalker(document.querySelector('.passages') ?? document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    const at = node.data.indexOf(text);
    if (at < 0) continue;
    window.getSelection()?.setBaseAndExtent(node, at, node, at + text.length);
    return;
  }
  throw new Error(`no text ${text}`);
}

/** How long a review panel took from the message that brought the plan until it was painted. @returns {number | undefined} milliseconds */
export function paintingTime() {
  return performance.getEntriesByName('review')[0]?.duration;
}

/** @param {string} text */
export function hasFocus(text) {
  return document.activeElement?.textContent === text;
}

export function isTooWide() {
  return document.documentElement.scrollWidth > window.innerWidth;
}

/** @param {Element} element */
export function directionOf(element) {
  return getComputedStyle(element).direction;
}

/** @param {Element[]} links @returns {string[]} */
export function targetsOf(links) {
  return links.map((link) => link.getAttribute('data-target') ?? '');
}

/** True if a script of the plan has run. @returns {boolean} */
export function hasRun() {
  return 'ran' in globalThis;
}

/** What axe, which is in the page already, finds wrong. @returns {Promise<string[]>} */
export async function axeViolations() {
  const { violations } = await /** @type {any} */ (globalThis).axe.run(document.body);
  return violations.map(
    (/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => node.html).join(' | ')}`,
  );
}
