import path from 'node:path';
import type { Dialog, Frame, Locator, Page } from 'playwright-core';
import { root } from '../../scripts/lib/run.mjs';
import { newest, oldest } from '../../scripts/lib/tools.mjs';
import type { Server } from '../../scripts/lib/vscodeServer.mjs';
import { storedByVSCode } from './inPage.mjs';
import { until } from './patience';
import type { Settings } from './userSettings';

/** The class of a window with the theme, and the names that it has in newer and older versions of VS Code. */
const themes = {
  light: { shown: 'vs', newer: 'Light 2026', older: 'Default Light Modern' },
  dark: { shown: 'vs-dark', newer: 'Dark 2026', older: 'Default Dark Modern' },
  'high-contrast': { shown: 'hc-black', newer: 'Default High Contrast', older: 'Default High Contrast' },
  'high-contrast-light': {
    shown: 'hc-light',
    newer: 'Default High Contrast Light',
    older: 'Default High Contrast Light',
  },
} as const;

export type Theme = keyof typeof themes;

/** Under this key VS Code stores which editors are open. */
export const OPEN_EDITORS = 'memento/workbench.parts.editor';

/** The version of VS Code that is tested. */
export const testedVersion = process.env.VSCODE_VERSION || newest;

/** Of a window, in CSS pixels. */
export const defaultSize = { width: 1400, height: 900 };

/** A VS Code window that a test drives as a person would: with the keyboard, the mouse and the command palette. */
export class Workbench {
  private unzoomed: { width: number; height: number } | undefined;

  constructor(
    readonly page: Page,
    readonly workspace: string,
    readonly version: string,
    readonly server: Server,
    readonly settings: Settings,
    /** Ends the window and its server and removes what they wrote. */
    readonly close: () => Promise<void>,
  ) {}

  /** Resolves when the window has drawn its parts and the extension host has started. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
    await this.page.locator('.monaco-workbench .activitybar .action-item').first().waitFor();
  }

  /**
   * Reloads the window, once VS Code has stored what is to come back: it does so every few seconds, and not on leaving.
   * `stored` are texts by the keys under which they are stored.
   */
  async reload(stored: Record<string, string>): Promise<void> {
    for (const [key, text] of Object.entries(stored)) {
      await until(`VS Code stores ${text} in ${key}`, async () =>
        (await this.page.evaluate(storedByVSCode, key)).includes(text),
      );
    }
    while (!(await this.leaves())) await this.page.waitForTimeout(500);
    await this.ready();
  }

  /** False if VS Code asked whether to stay, as it does while it has not backed unsaved text up. */
  private async leaves(): Promise<boolean> {
    let stay: (dialog: Dialog) => void = () => undefined;
    const stayed = new Promise<boolean>((resolve) => {
      stay = (dialog) => void dialog.dismiss().then(() => resolve(false));
    });
    this.page.on('dialog', stay);
    const left = this.page.waitForEvent('domcontentloaded', { timeout: 60_000 }).then(() => true);
    left.catch(() => undefined);
    await this.page.evaluate('setTimeout(() => location.reload())');
    try {
      return await Promise.race([left, stayed]);
    } finally {
      this.page.off('dialog', stay);
    }
  }

  /** Runs a command by its title in the palette, as `9plan: Pull Next Plan`. */
  async runCommand(title: string): Promise<void> {
    const entry = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
    // While the window settles, something else may take the focus, and the palette closes.
    for (let attempt = 1; ; attempt++) {
      try {
        await this.page.keyboard.press('F1');
        await this.quickInputBox.fill(`>${title}`, { timeout: 3_000 });
        return await entry.click({ timeout: 3_000 });
      } catch (error) {
        if (attempt === 5) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** The quick input: the palette, a picker or an input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  private get quickInputBox(): Locator {
    return this.quickInput.locator('.quick-input-box input');
  }

  /** Types into the open input box and presses Enter. */
  async answer(text: string): Promise<void> {
    await this.quickInputBox.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Picks the first entry that contains the text. */
  async pick(text: string): Promise<void> {
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
  }

  /** The entry of a view container in the activity bar. */
  activity(title: string): Locator {
    return this.page.locator('.activitybar .action-item').filter({
      has: this.page.locator(`.action-label[aria-label^="${title}"]`),
    });
  }

  /** Closes all editors and throws away what is unsaved in them. */
  async closeEditors(): Promise<void> {
    const discard = this.dialog.getByRole('button', { name: /Don.t Save/ });
    const tabs = this.page.locator('.editor-group-container .tab');
    if ((await tabs.count()) > 0) await this.runCommand('View: Close All Editors');
    await until('all editors are closed', async () => {
      if (await discard.isVisible()) await discard.click({ timeout: 5000 });
      return (await tabs.count()) === 0;
    });
  }

  /** Clicks an action in the title bar of the active editor, by its text. */
  async editorAction(title: string): Promise<void> {
    await this.page.locator('.editor-group-container.active .editor-actions .action-label', { hasText: title }).click();
  }

  /** Unfolds a view of the side bar, or folds it up. */
  async unfold(view: string, unfolded = true): Promise<void> {
    const header = this.view(view).locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) !== `${unfolded}`) await header.click();
    await until(`${view} is unfolded: ${unfolded}`, async () => {
      return (await header.getAttribute('aria-expanded')) === `${unfolded}`;
    });
  }

  /** Shows a view container by a click in the activity bar, unless it is showing. */
  async openContainer(title: string): Promise<void> {
    const item = this.activity(title);
    await item.waitFor({ timeout: 30_000 });
    if (!(await item.getAttribute('class'))?.includes('checked')) await item.click();
    await this.page.locator('.sidebar .composite.title', { hasText: title }).waitFor();
  }

  /** A view of the side bar or the panel, by the title in its header. */
  view(title: string): Locator {
    return this.page.locator('.split-view-view .pane').filter({
      has: this.page.locator(`.pane-header[aria-label^="${title}"]`),
    });
  }

  /** The visible rows of a view's tree. */
  rows(view: string): Locator {
    return this.view(view).locator('.monaco-list-row');
  }

  row(view: string, text: string): Locator {
    return this.rows(view).filter({ hasText: text }).first();
  }

  /** Clicks an inline action of a tree row by its tooltip. */
  async rowAction(view: string, text: string, action: string): Promise<void> {
    const row = this.row(view, text);
    const button = row.locator(`.action-label[aria-label^="${action}"]`);
    // A row that moves under the pointer hides its actions again.
    await until(`${action} of ${text} is clicked`, async () => {
      await row.hover();
      return button.click({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    });
  }

  /** Drags a tree row onto another one. */
  async dragRow(view: string, from: string, to: string): Promise<void> {
    const [source, target] = [this.row(view, from), this.row(view, to)];
    await until(`${from} is dragged onto ${to}`, async () => {
      await source.hover();
      await this.page.mouse.down();
      // The first move begins to drag, the second one comes over the target.
      await target.hover();
      await target.hover();
      // Where it may be dropped, VS Code marks the target; a row that was drawn anew just then is dragged in vain.
      const marked = target.and(this.page.locator('.drop-target'));
      const isMarked = await marked.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      if (!isMarked) await this.page.keyboard.press('Escape');
      await this.page.mouse.up();
      return isMarked;
    });
  }

  /** Opens the context menu of a tree row and chooses an entry. */
  async rowMenu(view: string, text: string, entry: string): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item', { hasText: entry }).first();
    await until(`${entry} is chosen from the menu of ${text}`, async () => {
      // What takes the focus, as an editor that is still opening, closes the menu.
      if (!(await item.isVisible())) await this.row(view, text).click({ button: 'right' });
      const opened = await item.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      // A menu takes no click in the moment after it opened: that is the end of the one that opened it.
      for (let isOpen = opened; isOpen; isOpen = await item.isVisible()) {
        await item.click({ timeout: 3000 });
        await item.waitFor({ state: 'hidden', timeout: 1000 }).catch(() => undefined);
      }
      return opened;
    });
  }

  /** The notifications that show now. */
  get notifications(): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item');
  }

  /** A modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box:visible');
  }

  /** An entry of the status bar, by a part of its text. */
  statusItem(text: string): Locator {
    return this.page.locator('.statusbar-item', { hasText: text });
  }

  /** Waits for the document inside a webview: the innermost frame that has an element matching the selector. */
  async webview(selector: string, timeout = 15_000): Promise<Frame> {
    const deadline = Date.now() + timeout;
    for (;;) {
      for (const frame of this.page.frames().reverse()) {
        if (frame === this.page.mainFrame()) continue;
        const found = await frame.$(selector).catch(() => null);
        if (found) return frame;
      }
      if (Date.now() > deadline) throw new Error(`no webview has an element ${selector}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Resolves when the window shows the colour theme, and so does the page, if one is given. */
  async useTheme(theme: Theme, page?: Frame): Promise<void> {
    const { shown, newer, older } = themes[theme];
    const name = this.version === oldest ? older : newer;
    await this.settings.change({ 'workbench.colorTheme': name, 'window.autoDetectColorScheme': false });
    await this.page.locator(`.monaco-workbench.${shown}`).waitFor();
    await page?.locator(`body[data-vscode-theme-id="${name}"]`).waitFor();
  }

  /** Leaves as much room as Ctrl and plus in a browser would: at 2, half the pixels each way. 1 is the normal size. */
  async zoom(factor: number): Promise<void> {
    this.unzoomed ??= this.page.viewportSize() ?? undefined;
    const { width, height } = this.unzoomed ?? defaultSize;
    await this.page.setViewportSize({ width: Math.round(width / factor), height: Math.round(height / factor) });
  }

  /** Writes `test-results/screenshots/<name>[-theme].png` and returns its path. */
  async screenshot(name: string, theme?: Theme): Promise<string> {
    if (theme) await this.useTheme(theme);
    const file = path.join(root, 'test-results/screenshots', `${name}${theme ? `-${theme}` : ''}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }
}
