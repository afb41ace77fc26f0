import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeSample } from '../../scripts/lib/sample.mjs';
import { openWorkbench } from './openWorkbench';
import { until } from './patience';
import type { Workbench } from './workbench';

describe('the side bar, used by a person', () => {
  let folder: string;
  let workbench: Workbench;
  const active = 'Queue changes while there is no network';
  const first = 'Accept a change once, however often it is sent';
  const second = 'Shrink photos before they are sent';

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-sidebar-'));
    await makeSample(folder);
    workbench = await openWorkbench({ workspace: folder });
    await workbench.openContainer('9plan');
    await workbench.row('Queue', first).waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'passed') return;
    await workbench.screenshot('sidebar-failure');
    await workbench.page.keyboard.press('Escape');
    await workbench.closeEditors();
  });

  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Positions on the screen say the order: rows of a list stand in the document in any. */
  async function above(upper: string, lower: string): Promise<boolean> {
    const [a, b] = await Promise.all([upper, lower].map((text) => workbench.row('Queue', text).boundingBox()));
    return a != null && b != null && a.y < b.y;
  }

  async function becomesAbove(upper: string, lower: string): Promise<void> {
    await until(`${upper} above ${lower}`, () => above(upper, lower));
  }

  it('shows the history as soon as it is unfolded', async function () {
    // It is about the first time in a window.
    this.retries(0);
    await workbench.unfold('History');
    const begin = Date.now();
    await workbench.rows('History').first().waitFor();
    assert.ok(Date.now() - begin < 1500, `after ${Date.now() - begin} ms`);
    await workbench.unfold('History', false);
  });

  it('shows the active plan first, then the queue in order, in every theme', async () => {
    await becomesAbove(active, first);
    await becomesAbove(first, second);
    await workbench.statusItem(active.slice(0, 20)).waitFor();
    for (const theme of ['light', 'dark', 'high-contrast'] as const) await workbench.screenshot('sidebar', theme);
  });

  /** A key acts on what is selected; one that meets a tree which is just drawn anew acts on nothing, and is pressed again. */
  async function pressUntil(key: string, upper: string, lower: string): Promise<void> {
    await until(`${upper} is above ${lower} after ${key}`, async () => {
      if (await above(upper, lower)) return true;
      await workbench.page.keyboard.press(key);
      await until('the row has moved', () => above(upper, lower), 3000).catch(() => undefined);
      return above(upper, lower);
    });
  }

  it('reorders by keyboard', async () => {
    await workbench.row('Queue', first).click();
    await workbench.row('Queue', first).click();
    await pressUntil('Alt+ArrowDown', second, first);
    await isSelected('Queue', first);
    await pressUntil('Alt+ArrowUp', first, second);
  });

  /** The keys of the commands act on what is selected, which the window is told a moment later. */
  const isSelected = async (view: 'Queue' | 'Sessions', text = '') => {
    const row = workbench.view(view).locator('.monaco-list-row.focused.selected');
    await row.filter({ hasText: text }).waitFor();
    await workbench.page.waitForTimeout(200);
  };

  it('is worked by keyboard alone', async () => {
    const { page } = workbench;
    await workbench.runCommand('9plan: Focus on Queue View');
    await page.keyboard.press('Home');
    const focused = workbench.view('Queue').locator('.monaco-list-row.focused');
    for (let i = 0; i < 10 && !(await focused.textContent())?.includes(first); i++) {
      await page.keyboard.press('ArrowDown');
    }
    await focused.filter({ hasText: first }).waitFor();
    await page.keyboard.press('Space');
    await isSelected('Queue', first);
    await pressUntil('Alt+End', second, first);
    await isSelected('Queue', first);
    await pressUntil('Alt+Home', first, second);

    await page.keyboard.press('Shift+F10');
    const menu = page.locator('.monaco-menu .action-item');
    await menu.getByText('Move Plan to the Back').waitFor();
    const entries = await menu.allTextContents();
    for (const entry of ['Open Plan', 'Move Plan Up', 'Discard Plan', 'Copy Plan as Markdown']) {
      assert.ok(
        entries.some((text) => text.includes(entry)),
        `${entry} in ${entries}`,
      );
    }
    await page.keyboard.press('Escape');
    await menu.first().waitFor({ state: 'detached' });

    await page.keyboard.press('Delete');
    await workbench.quickInput.getByText('Why is it not done after all?').waitFor();
    await page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await workbench.webview('.facts');
    await workbench.runCommand('View: Close All Editors');

    await workbench.runCommand('9plan: Focus on Sessions View');
    await page.keyboard.press('Home');
    await workbench.view('Sessions').locator('.monaco-list-row.focused').waitFor();
    await page.keyboard.press('Space');
    await isSelected('Sessions');
    await until('F2 asks for the new description', async () => {
      await page.keyboard.press('F2');
      return workbench.quickInput
        .locator('input')
        .waitFor({ timeout: 3000 })
        .then(() => true)
        .catch(() => false);
    });
    await page.keyboard.press('Escape');
  });

  it('has a name for a screen reader on every row', async () => {
    for (const view of ['Queue', 'Sessions']) {
      for (const row of await workbench.rows(view).all()) {
        const [name, text] = [
          await row.getAttribute('aria-label'),
          await row.locator('.monaco-highlighted-label').first().textContent(),
        ];
        const named =
          /^(Active plan|Plan \d+ in the queue|To-do|Current session|Session): |^To-dos of | asks you to approve “/;
        assert.match(name ?? '', named, `${text}: ${name}`);
      }
    }
  });

  it('reorders by an inline action and by dragging', async () => {
    await workbench.rowAction('Queue', first, 'Move Plan Down');
    await becomesAbove(second, first);
    await until(`${first} is dragged above ${second}`, async () => {
      if (await above(first, second)) return true;
      // A row that is drawn anew in the midst of it is dropped where it was: whoever drags does it again.
      await workbench.dragRow('Queue', first, second);
      await workbench.page.waitForTimeout(1000);
      return above(first, second);
    });
  });

  async function step(prompt: string, answer: string): Promise<void> {
    await workbench.quickInput.getByText(prompt).waitFor();
    await workbench.answer(answer);
  }

  it('adds a plan in steps, with a way back', async () => {
    await workbench.runCommand('9plan: Add a Plan…');
    await step('Goal:', 'Sync in the background');
    await step('Context:', 'The last step');
    await workbench.quickInput.getByText('Approach:').waitFor();
    await workbench.quickInput.getByLabel('Back').click();
    await step('Context:', 'The very last step');
    await step('Approach:', 'With a service worker');
    // Given up by mistake: all that was typed stands there again.
    await workbench.quickInput.getByText('Success criteria:').waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await workbench.runCommand('9plan: Add a Plan…');
    for (const [prompt, text] of [
      ['Goal:', 'Sync in the background'],
      ['Context:', 'The very last step'],
      ['Approach:', 'With a service worker'],
    ] as const) {
      await workbench.quickInput.getByText(prompt).waitFor();
      assert.equal(await workbench.quickInput.locator('input').inputValue(), text);
      await workbench.page.keyboard.press('Enter');
    }
    await step('Success criteria:', 'It works with the tab closed');
    await workbench.pick('Front of the queue');
    await workbench.row('Queue', 'Sync in the background').waitFor();
    await becomesAbove('Sync in the background', first);
  });

  it('opens a plan by a click on its row', async () => {
    await workbench.row('Queue', 'Sync in the background').click();
    await workbench.webview('text=The very last step');
  });

  it('shows completed plans with their outcomes, and finds them', async () => {
    await workbench.unfold('History');
    await workbench.row('History', 'Decide where notes live on the device').waitFor();
    await workbench.runCommand('9plan: Search History…');
    await workbench.answer('local store');
    await workbench.row('History', 'Keep notes in the local store').waitFor();
    await workbench.screenshot('history-search');
    await workbench.runCommand('9plan: Clear Search');
  });

  it('says that a plan is queued again, which may be out of sight', async () => {
    await workbench.rowAction('History', 'Keep notes in the local store', 'Queue Plan Again');
    await workbench.statusItem('Queued again: “Keep notes in the local store”').waitFor();
  });

  it('switches to a session by a double-click on it or by Enter, not by a click', async () => {
    const { page } = workbench;
    const offline = workbench.row('Sessions', 'Make the field notes app work offline');
    const other = workbench.row('Sessions', 'Another task');
    const isCurrent = (name: string) => page.locator(`[aria-label^="Current session: ${name}"]`).waitFor();
    await workbench.runCommand('9plan: Start a Session…');
    await workbench.answer('Another task');
    await isCurrent('Another task');
    await offline.click();
    await page.waitForTimeout(700);
    await isCurrent('Another task');
    await offline.dblclick();
    await isCurrent('Make the field notes app work offline');
    await other.click();
    await page.waitForTimeout(700);
    await page.keyboard.press('Enter');
    await isCurrent('Another task');
    await offline.dblclick();
    await isCurrent('Make the field notes app work offline');
  });

  it('asks before a session is deleted', async () => {
    await workbench.rowMenu('Sessions', 'Make the field notes app work offline', 'Delete Session');
    await workbench.dialog.getByText('Delete the session').waitFor();
    await workbench.screenshot('delete-session');
    await workbench.dialog.getByText('Cancel').click();
    await workbench.row('Sessions', 'Make the field notes app work offline').waitFor();
  });
});
