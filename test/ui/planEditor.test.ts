import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { root } from '../../scripts/lib/run.mjs';
import { isChosenViewMarked, isTooWide, topAtTheEnd } from './inPage.mjs';
import { becomes } from './patience';
import { PlanEditorDriver } from './planEditorDriver';

const context = 'It follows the **journal**: see [the store](src/store.ts#L2).';
const plan = {
  context,
  goal: 'Read the journal',
  approach: '1. Open\n2. Read\n3. Close',
  success_criteria: 'It is read.',
};

describe('the plan editor', () => {
  let driver: PlanEditorDriver;

  before(async () => {
    driver = await PlanEditorDriver.open();
  });
  after(() => driver?.close());
  afterEach(async function () {
    if (this.currentTest?.state !== 'passed') await driver.workbench.screenshot('plan-editor-failure');
    await driver.workbench.zoom(1);
    await driver.closeEditors();
  });

  it('shows the sections, the place in the queue, and what can be done', async () => {
    await driver.add({ ...plan, goal: 'The one before' });
    const { editor } = await driver.openPlan(plan);
    await becomes(() => editor.locator('h1').textContent(), plan.goal);
    await driver.becomes(driver.box(editor, 'Approach'), plan.approach);
    await editor.locator('.preview strong', { hasText: 'journal' }).waitFor();
    await editor.locator('.facts', { hasText: /Queued.*Number \d+ of \d+/s }).waitFor();
    await editor.getByRole('button', { name: 'Move to front' }).click();
    await editor.locator('.facts', { hasText: 'Number 1 of' }).waitFor();
    await editor.getByRole('button', { name: 'Start this plan' }).waitFor();
  });

  it('writes what is typed into the document, and saves it where agents read', async () => {
    const { editor, id, file } = await driver.openPlan(plan);
    await driver.box(editor, 'Inputs').click();
    await driver.type('- numbers: bench\n# Goal\n```\nopen');
    await driver.isUnsaved(id);
    await driver.save(id);
    const text = await readFile(file, 'utf8');
    assert.match(text, /# Inputs\n- numbers: bench\n\\# Goal\n\\```\nopen\n/);
    await driver.agent.call('9plan_queue_move', { plan_id: id, position: 'front' });
    const pulled = await driver.agent.call('9plan_queue_pull');
    assert.equal(pulled.plan, text, 'the store has it as the file has it');
  });

  it('undoes and redoes with the keys of the document', async () => {
    const { editor, id } = await driver.openPlan(plan);
    const notes = driver.box(editor, 'Notes');
    await notes.click();
    await driver.insert('one');
    await driver.isUnsaved(id);
    await driver.insert(' two');
    await driver.press('Control+z');
    await driver.becomes(notes, 'one');
    await driver.press('Control+z');
    await driver.becomes(notes, '');
    await driver.press('Control+Shift+z');
    await driver.press('Control+Shift+z');
    await driver.becomes(notes, 'one two');
  });

  it('takes in what an agent changes while text is unsaved, and saves both', async () => {
    const { editor, id, file } = await driver.openPlan(plan);
    await driver.box(editor, 'Notes').click();
    await driver.type('mine');
    await driver.isUnsaved(id);
    await driver.agent.call('9plan_plan_update', { plan_id: id, approach: '1. Open\n2. Read twice\n3. Close' });
    await driver.becomes(driver.box(editor, 'Approach'), '1. Open\n2. Read twice\n3. Close');
    await driver.becomes(driver.box(editor, 'Notes'), 'mine');
    await driver.save(id);
    const text = await readFile(file, 'utf8');
    assert.match(text, /Read twice/);
    assert.match(text, /# Notes\nmine\n/);
  });

  it('keeps what both noted at the same time', async () => {
    const { editor, id } = await driver.openPlan(plan);
    await driver.box(editor, 'Notes').click();
    await driver.type('- mine');
    await driver.isUnsaved(id);
    await driver.agent.call('9plan_plan_update', { plan_id: id, append_notes: '- theirs' });
    await driver.becomes(driver.box(editor, 'Notes'), '- theirs\n- mine');
  });

  for (const [button, expected] of [
    ['Keep mine', 'Read the journal (mine)'],
    ['Take theirs', 'Read the journal (theirs)'],
    ['Keep both', 'Read the journal (mine)\n\nRead the journal (theirs)'],
  ] as const) {
    it(`shows two versions of one line, and “${button}” settles it`, async () => {
      const { editor, id } = await driver.openPlan(plan);
      const goal = driver.box(editor, 'Goal');
      await goal.click();
      await driver.press('Control+End');
      await driver.type(' (mine)');
      await driver.isUnsaved(id);
      await driver.agent.call('9plan_plan_update', { plan_id: id, goal: 'Read the journal (theirs)' });
      const conflict = editor.locator('.conflict');
      await conflict.waitFor();
      await driver.becomes(goal, 'Read the journal (mine)');
      await conflict.filter({ hasText: /Read the journal \(mine\).*Read the journal \(theirs\)/s }).waitFor();
      // A save in between must not throw the other version away.
      await driver.save(id);
      await conflict.waitFor();
      await editor.getByRole('button', { name: button }).click();
      await conflict.waitFor({ state: 'detached' });
      await driver.becomes(goal, expected);
    });
  }

  it('shows one document in two editors side by side', async () => {
    const { editor, id } = await driver.openPlan(plan);
    await driver.workbench.runCommand('View: Split Editor Right');
    const other = await driver.otherEditor(editor);
    await driver.box(other, 'Notes').click();
    await driver.type('from the right');
    await driver.becomes(driver.box(editor, 'Notes'), 'from the right');
    await driver.box(editor, 'Inputs').click();
    await driver.type('from the left');
    await driver.becomes(driver.box(other, 'Inputs'), 'from the left');
    await driver.save(id);
  });

  it('says that a plan was completed meanwhile, and keeps the unsaved text', async () => {
    const { editor, id } = await driver.openPlan(plan, 'front');
    await driver.agent.call('9plan_queue_pull');
    await editor.locator('.facts', { hasText: 'Active' }).waitFor();
    await driver.box(editor, 'Notes').click();
    await driver.type('not saved');
    await driver.isUnsaved(id);
    await driver.agent.call('9plan_plan_complete', { plan_id: id, outcome: 'Read.' });
    await editor.locator('.notice', { hasText: 'completed while you had unsaved text' }).waitFor();
    await driver.becomes(driver.box(editor, 'Notes'), 'not saved');
    await editor.getByRole('button', { name: 'Add as a new plan' }).click();
    await driver.page.locator('.tab.active:not(.dirty)').waitFor();
    await driver.workbench.row('Queue', plan.goal).waitFor();
    await driver.discardUnsaved(id);
  });

  it('shows a text that was saved after its plan was completed, rather than hide it', async () => {
    const { editor, id, file } = await driver.openPlan(plan, 'front');
    await driver.agent.call('9plan_queue_pull');
    await driver.box(editor, 'Notes').click();
    await driver.type('saved too late');
    await driver.isUnsaved(id);
    await driver.agent.call('9plan_plan_complete', { plan_id: id, outcome: 'Read.' });
    await editor.locator('.notice', { hasText: 'completed while' }).waitFor();
    await driver.save(id);
    assert.match(await readFile(file, 'utf8'), /saved too late/);
    const toast = driver.page.locator('.notification-toast', { hasText: 'the plan was completed before' });
    await toast.getByRole('button', { name: 'Add as New Plan' }).waitFor();
    const { scrolled, top } = await editor.evaluate(topAtTheEnd, '.notices');
    assert.ok(scrolled > 1000, 'the page is long enough to tell');
    assert.ok(top >= 0, `the notice is in sight: ${top}`);
    await driver.page.waitForTimeout(500);
    assert.equal(await driver.box(editor, 'Notes').inputValue(), 'saved too late');
    await rm(file);
    await editor.locator('.outcome').waitFor();
  });

  describe('with autosave', () => {
    before(() => driver.workbench.settings.change({ 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 300 }));
    after(() => driver.workbench.settings.change({ 'files.autoSave': 'off' }));

    it('keeps what an agent writes while somebody types on, and calls nothing of his own the other version', async () => {
      for (const wait of [700, 1500, 2300]) {
        const { editor, id } = await driver.openPlan(plan);
        const box = driver.box(editor, 'Context');
        await box.click();
        await driver.press('Control+End');
        const typing = driver.page.keyboard.type(' and I type on and on without a pause, word by word by word', {
          delay: 80,
        });
        await driver.page.waitForTimeout(wait);
        await driver.agent.call('9plan_plan_update', { plan_id: id, context: `The agent’s text after ${wait} ms.` });
        await typing;
        const versions = editor.locator('.conflict .version pre');
        await versions.nth(1).waitFor();
        assert.equal((await versions.nth(1).textContent())?.trim(), `The agent’s text after ${wait} ms.`);
        await driver.becomes(box, `${context} and I type on and on without a pause, word by word by word`);
        await driver.closeEditors();
      }
    });

    it('calls nothing a conflict while one person types on', async () => {
      const { editor } = await driver.openPlan(plan);
      const box = driver.box(editor, 'Context');
      await box.click();
      await driver.press('Control+End');
      await driver.page.keyboard.type(' typed without a pause, saved in the midst of it, and again', { delay: 80 });
      await driver.becomes(box, `${context} typed without a pause, saved in the midst of it, and again`);
      assert.equal(await editor.locator('.conflict').count(), 0);
    });
  });

  it('follows every change of an agent while nothing is typed', async () => {
    const { editor, id, file } = await driver.openPlan(plan);
    for (const notes of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await driver.agent.call('9plan_plan_update', { plan_id: id, notes });
      await driver.becomes(driver.box(editor, 'Notes'), notes);
      assert.match(await readFile(file, 'utf8'), new RegExp(`# Notes\n${notes}\n$`), 'the window has written nothing');
    }
  });

  it('turns into the rendered plan with its outcome when it is completed', async () => {
    const { editor, id } = await driver.openPlan(plan, 'front');
    await driver.agent.call('9plan_queue_pull');
    await driver.agent.call('9plan_plan_complete', { plan_id: id, outcome: 'It was **read**.' });
    await editor.locator('.outcome strong', { hasText: 'read' }).waitFor();
    await becomes(() => editor.locator('textarea').count(), 0);
    await editor.locator('.facts', { hasText: 'Completed' }).waitFor();
    await driver.workbench.screenshot('plan-editor-completed', 'light');
  });

  it('shows a plan of the history for reading, loads no picture, and queues it again on request', async () => {
    const goal = 'Look at the picture';
    const { id } = await driver.add(
      { ...plan, goal, context: '![beacon](https://example.invalid/beacon.png)' },
      'front',
    );
    await driver.agent.call('9plan_queue_pull');
    await driver.agent.call('9plan_plan_complete', { plan_id: id, outcome: 'It was **seen**.' });
    const requests: string[] = [];
    driver.page.on('request', (request) => requests.push(request.url()));
    await driver.workbench.unfold('History');
    await driver.workbench.row('History', goal).click();
    const editor = await driver.workbench.webview('.outcome strong');
    await becomes(() => editor.locator('h1').textContent(), goal);
    assert.equal(await editor.locator('textarea, img').count(), 0);
    assert.ok(requests.every((url) => !url.includes('example.invalid')));
    await driver.workbench.screenshot('plan-of-the-history', 'dark');
    await editor.getByRole('button', { name: /Queue Again|Reopen/i }).click();
    await editor.locator('.facts', { hasText: 'Queued' }).waitFor();
    await driver.workbench.unfold('History', false);
  });

  it('opens a file without headings whole, says so, and changes nothing of it', async () => {
    const { editor, id, file } = await driver.openPlan(plan);
    const text = 'No headings\nat all  \n';
    await writeFile(file, text);
    await editor.locator('.notice.warning', { hasText: 'none of the seven headings' }).waitFor();
    const box = driver.box(editor, 'Whole file');
    await driver.becomes(box, text);
    assert.equal(await readFile(file, 'utf8'), text);
    await box.click();
    await driver.press('Control+Home');
    await driver.type('# Goal\n');
    await editor.locator('.notice', { hasText: 'The headings are in order now' }).waitFor();
    await editor.getByRole('button', { name: 'Show by sections' }).click();
    await driver.becomes(driver.box(editor, 'Goal'), 'No headings\nat all  ');
    await driver.save(id);
  });

  it('keeps what was being typed when the headings vanish under it', async () => {
    const { editor, id, file } = await driver.openPlan(plan);
    await driver.box(editor, 'Notes').click();
    await driver.type('mine');
    await driver.isUnsaved(id);
    await writeFile(file, 'theirs');
    await editor.locator('.conflict', { hasText: 'theirs' }).waitFor();
    await driver.becomes(driver.box(editor, 'Notes'), 'mine');
    await editor.getByRole('button', { name: 'Keep mine' }).click();
    await driver.save(id);
    assert.match(await readFile(file, 'utf8'), /# Notes\nmine\n/);
  });

  it('keeps unsaved text over a reload of the window', async () => {
    const { editor, id, file } = await driver.openPlan(plan);
    await driver.box(editor, 'Notes').click();
    await driver.type('unsaved');
    await driver.isUnsaved(id);
    const again = await driver.reload();
    await driver.becomes(driver.box(again, 'Notes'), 'unsaved');
    await driver.agent.call('9plan_plan_update', { plan_id: id, inputs: '- theirs: there' });
    await driver.becomes(driver.box(again, 'Inputs'), '- theirs: there');
    await driver.save(id);
    assert.match(await readFile(file, 'utf8'), /- theirs: there.*# Notes\nunsaved\n/s);
  });

  it('follows links into the workspace and nowhere else', async () => {
    const evil = '[a](command:workbench.action.closeWindow) [b](javascript:alert(1)) ![c](https://example.org/x.png)';
    const { editor } = await driver.openPlan({ ...plan, success_criteria: evil });
    await editor.locator('.successCriteria .preview .block').waitFor();
    assert.equal(await editor.locator('.successCriteria .preview a:not(.image)').count(), 0);
    assert.equal(await editor.locator('img').count(), 0);
    await editor.locator('a', { hasText: 'the store' }).click();
    await driver.page.locator('.tab.active', { hasText: 'store.ts' }).waitFor();
    await driver.page.locator('.statusbar-item', { hasText: 'Ln 2' }).waitFor();
  });

  for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
    it(`has no accessibility violation in ${theme}`, async () => {
      const { editor, id } = await driver.openPlan(plan);
      await driver.box(editor, 'Goal').click();
      await driver.type('!');
      await driver.isUnsaved(id);
      await driver.agent.call('9plan_plan_update', { plan_id: id, goal: 'Theirs' });
      await editor.locator('.conflict').waitFor();
      await driver.workbench.useTheme(theme, editor);
      await becomes(() => violations(editor), []);
      if (theme === 'high-contrast') await becomes(() => editor.evaluate(isChosenViewMarked), true);
      await driver.workbench.screenshot('plan-editor', theme);
      await editor.getByRole('button', { name: 'Keep mine' }).click();
      await driver.save(id);
    });
  }

  it('fits a window of half the size, and text from right to left', async () => {
    const goal = 'قراءة السجل حتى النهاية';
    const { editor } = await driver.openPlan({ ...plan, goal, context: 'x'.repeat(400) });
    await driver.workbench.zoom(2);
    await becomes(() => editor.evaluate(isTooWide), false);
    await becomes(() => driver.box(editor, 'Goal').evaluate((box) => box.matches(':dir(rtl)')), true);
    await driver.workbench.screenshot('plan-editor-zoomed', 'dark');
  });
});

async function violations(editor: Frame): Promise<unknown> {
  await editor.evaluate(await readFile(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  return editor.evaluate(
    'axe.run(document.body).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html).join(" | ")))',
  );
}
