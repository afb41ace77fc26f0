import assert from 'node:assert/strict';
import { isPending, ReviewDriver, violations } from './reviewDriver';

const PLAN = `# Move to the new flat

Everything goes **on Friday**, with a big van for $15,000.

## Steps

1. Order the van
2. Pack all boxes
3. Drive

## Risks

Nobody has time on Friday.`;

describe('the review panel', () => {
  let driver: ReviewDriver;
  before(async () => {
    driver = await ReviewDriver.open();
  });
  after(() => driver?.close());
  afterEach(async () => {
    await driver.workbench.runCommand('View: Close All Editors');
  });

  it('opens beside without the focus when an outside agent hands in a plan; comments reach the waiting call', async () => {
    await driver.workbench.runCommand('File: New Untitled Text File');
    await driver.page.keyboard.type('one ');
    const call = driver.submit(PLAN, ['Order the van', 'Pack']);
    const panel = await driver.panel('Move to the new flat');
    await driver.page.keyboard.type('two');
    await driver.page.locator('.view-line', { hasText: 'one two' }).waitFor();
    await driver.workbench.statusItem('Plan to approve').waitFor();
    assert.ok(await isPending(call));
    await driver.commentOn(panel, 'on Friday', 'Saturday is better.');
    await panel.locator('.passage', { hasText: 'Pack all boxes' }).focus();
    await driver.page.keyboard.press('c');
    await driver.page.keyboard.type('Only the books.');
    await panel.getByLabel('Feedback on the whole plan').fill('Good, go on.');
    await driver.workbench.screenshot('review-commented', 'dark');
    await driver.press(panel, 'Approve');
    await driver.press(panel, 'Approve and send them along');
    const verdict = await call;
    assert.equal(verdict.status, 'approved');
    assert.equal(verdict.decided_by, 'editor');
    assert.equal(verdict.feedback, 'Good, go on.');
    assert.deepEqual(verdict.comments, [
      { quote: 'on Friday', comment: 'Saturday is better.' },
      { quote: '2. Pack all boxes', comment: 'Only the books.' },
    ]);
    await panel.locator('.verdict', { hasText: 'Approved by you, in the editor' }).waitFor();
    await driver.workbench.statusItem('Plan to approve').waitFor({ state: 'detached' });
  });
});
