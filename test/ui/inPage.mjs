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

/** A click as quick as can be. @param {string} text */
export async function clickButton(text) {
  for (const button of document.querySelectorAll('button')) {
    if (button.textContent !== text) continue;
    while (button.disabled) await new Promise((resolve) => setTimeout(resolve, 20));
    button.click();
  }
}

/** @param {string} text */
export function hasFocus(text) {
  return document.activeElement?.textContent === text;
}

export function isTooWide() {
  return document.documentElement.scrollWidth > window.innerWidth;
}

/** Whether the view that is shown can be told from the others by the line around it. */
export function isChosenViewMarked() {
  const lines = [...document.querySelectorAll('.views span')].map((span) => getComputedStyle(span).outlineStyle);
  return lines.filter((line) => line !== 'none').length === 1;
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

/**
 * What a script could try that has come into the page in spite of all, and what of that worked.
 *
 * @param {string} address of a server that it could talk to
 * @returns {Promise<string[]>}
 */
export async function tryToEscape(address) {
  const inline = document.createElement('script');
  inline.textContent = 'globalThis.ran = true;';
  const handler = document.createElement('b');
  handler.setAttribute('onclick', 'globalThis.ran = true');
  const remote = Object.assign(document.createElement('script'), { src: `${address}/script` });
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${address}/style` });
  const picture = Object.assign(document.createElement('img'), { src: `${address}/picture` });
  const frame = Object.assign(document.createElement('iframe'), { src: `${address}/frame` });
  document.body.append(inline, handler, remote, style, picture, frame);
  handler.click();
  // Text that is to become code.
  setTimeout(/** @type {any} */ ('globalThis.ran = true'), 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const worked = 'ran' in globalThis ? ['a script in the page'] : [];
  for (const element of [inline, handler, remote, style, picture, frame]) element.remove();
  await fetch(`${address}/fetch`).then(
    () => worked.push('fetch'),
    () => undefined,
  );
  return worked;
}

/** What axe, which is in the page already, finds wrong. @returns {Promise<string[]>} */
export async function axeViolations() {
  const { violations } = await /** @type {any} */ (globalThis).axe.run(document.body);
  return violations.map(
    (/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => node.html).join(' | ')}`,
  );
}

/** Keeps what the extension says from the page until it is released. A listener would come after the page's own. */
export function holdMessages() {
  const data = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data'));
  /** @type {Set<unknown>} */
  const held = new Set();
  Object.defineProperty(MessageEvent.prototype, 'data', {
    configurable: true,
    get() {
      held.add(data.get?.call(this));
      return undefined;
    },
  });
  Object.assign(globalThis, {
    release() {
      Object.defineProperty(MessageEvent.prototype, 'data', data);
      for (const one of held) window.dispatchEvent(new MessageEvent('message', { data: one }));
    },
  });
}

export function releaseMessages() {
  /** @type {{ release?: () => void }} */ (globalThis).release?.();
}

/** @param {number} pixels */
export function isScrolledBeyond(pixels) {
  return window.scrollY > pixels;
}

/** True if all of the first such element is in sight. @param {string} selector */
export function isInSight(selector) {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
}

/** How much of the window's height a review panel's decision takes, and how far below the window it ends, in pixels. */
export function decisionPart() {
  const box = document.querySelector('.decision')?.getBoundingClientRect();
  return { share: (box?.height ?? 0) / window.innerHeight, below: (box?.bottom ?? 0) - window.innerHeight };
}

/** The texts of those elements that reach beyond the window's right edge. @param {Element[]} elements */
export function cutTexts(elements) {
  const edge = document.documentElement.clientWidth;
  return elements.filter((one) => one.getBoundingClientRect().right > edge).map((one) => one.textContent);
}

/** Scrolls to the end. @param {string} selector @returns what was scrolled, and where the element is then, from the top of the page's window in CSS pixels */
export function topAtTheEnd(selector) {
  // Longer than any window.
  document.querySelector('main')?.style.setProperty('padding-block-end', '3000px');
  window.scrollTo(0, document.documentElement.scrollHeight);
  return { scrolled: window.scrollY, top: document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN };
}

/** What VS Code has stored under a key, for all windows of this browser. @param {string} key @returns {Promise<string>} */
export async function storedByVSCode(key) {
  const all = await indexedDB.databases();
  const texts = all.map(
    ({ name = '' }) =>
      new Promise((resolve, reject) => {
        if (!name.startsWith('vscode-web-state-db-')) return resolve('');
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('ItemTable').objectStore('ItemTable').get(key);
          reading.onerror = () => reject(reading.error);
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result ?? '');
          };
        };
      }),
  );
  return (await Promise.all(texts)).join('\n');
}

/** Milliseconds that each key takes from now on, from its arrival to the layout that it makes necessary. @returns {number[]} */
export function measureKeys() {
  /** @type {number[]} */
  const costs = [];
  let started = 0;
  addEventListener('beforeinput', () => {
    started = performance.now();
  });
  addEventListener('input', () => {
    document.body.getBoundingClientRect();
    costs.push(performance.now() - started);
  });
  return costs;
}
