import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeSample } from '../../scripts/lib/sample.mjs';
import { openWorkbench, type Workbench } from './workbench';

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
    if (this.currentTest?.state === 'failed') await workbench.screenshot('sidebar-failure');
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
    for (let i = 0; i < 100 && !(await above(upper, lower)); i++) await workbench.page.waitForTimeout(50);
    assert.ok(await above(upper, lower), `${upper} above ${lower}`);
  }

  it('shows the active plan first, then the queue in order, in every theme', async () => {
    assert.ok(await above(active, first));
    assert.ok(await above(first, second));
    await workbench.statusItem(active.slice(0, 20)).waitFor();
    for (const theme of ['light', 'dark', 'high-contrast'] as const) await workbench.screenshot('sidebar', theme);
  });

  it('reorders by keyboard', async () => {
    await workbench.row('Queue', first).click();
    await workbench.row('Queue', first).click();
    await workbench.page.keyboard.press('Alt+ArrowDown');
    await becomesAbove(second, first);
    await workbench.page.keyboard.press('Alt+ArrowUp');
    await becomesAbove(first, second);
  });

  it('reorders by an inline action and by dragging', async () => {
    await workbench.rowAction('Queue', first, 'Move Plan Down');
    await becomesAbove(second, first);
    await workbench.row('Queue', first).dragTo(workbench.row('Queue', second));
    await becomesAbove(first, second);
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
    await workbench.view('History').locator('.pane-header').click();
    await workbench.row('History', 'Decide where notes live on the device').waitFor();
    await workbench.runCommand('9plan: Search History…');
    await workbench.answer('local store');
    await workbench.row('History', 'Keep notes in the local store').waitFor();
    await workbench.screenshot('history-search');
    await workbench.runCommand('9plan: Clear Search');
  });

  it('asks before a session is deleted', async () => {
    await workbench.rowMenu('Sessions', 'Make the field notes app work offline', 'Delete Session');
    await workbench.dialog.getByText('Delete the session').waitFor();
    await workbench.screenshot('delete-session');
    await workbench.dialog.getByText('Cancel').click();
    await workbench.row('Sessions', 'Make the field notes app work offline').waitFor();
  });
});

describe('a window with two folders', () => {
  let scratch: string;
  let workbench: Workbench;

  before(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), '9plan-roots-'));
    const file = path.join(scratch, 'two.code-workspace');
    await mkdir(path.join(scratch, 'empty'));
    await makeSample(path.join(scratch, 'notes'));
    await writeFile(file, JSON.stringify({ folders: [{ path: 'empty' }, { path: 'notes' }] }));
    workbench = await openWorkbench({ workspace: file });
    await workbench.openContainer('9plan');
  });

  after(async () => {
    await workbench?.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  it('says whose plans are shown, and shows another folder’s when told to', async () => {
    await workbench.view('Queue').getByText('Start a Session').waitFor();
    await workbench.view('Queue').locator('.pane-header', { hasText: 'empty' }).waitFor();
    await workbench.runCommand('9plan: Choose Store Folder…');
    await workbench.pick('notes');
    await workbench.row('Queue', 'Queue changes while there is no network').waitFor();
    await workbench.view('Queue').locator('.pane-header', { hasText: 'notes' }).waitFor();
    await workbench.screenshot('two-folders');
  });
});

describe('Restricted Mode', () => {
  let folder: string;
  let workbench: Workbench;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-restricted-'));
    await makeSample(folder);
    workbench = await openWorkbench({ workspace: folder, trusted: false });
    await workbench.openContainer('9plan');
  });

  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shows the plans and changes nothing', async () => {
    await workbench.row('Queue', 'Queue changes while there is no network').waitFor();
    await workbench.view('Queue').getByText('Restricted Mode').waitFor();
    await workbench.rowAction('Queue', 'Shrink photos before they are sent', 'Move Plan Up');
    await workbench.notifications.getByText('plans are shown but not changed').waitFor();
    await workbench.screenshot('restricted');
  });
});
