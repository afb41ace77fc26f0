import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'playwright-core';
import {
  clickButton,
  cutTexts,
  decisionPart,
  directionOf,
  hasFocus,
  hasRun,
  holdMessages,
  isInSight,
  isScrolledBeyond,
  isTooWide,
  paintingTime,
  releaseMessages,
  targetsOf,
  tryToEscape,
} from './inPage.mjs';
import { becomes, until } from './patience';
import { hostilePlan, isPending, ReviewDriver, type Verdict, violations } from './reviewDriver';
import { OPEN_EDITORS } from './workbench';

const PLAN = `# Move to the new flat

Everything goes **on Friday**, with a big van for $15,000.

## Steps

1. Order the van
2. Pack all boxes
3. Drive

## Risks

Nobody has time. See [the list](list.md).`;

describe('the review panel', () => {
  let driver: ReviewDriver;
  before(async () => {
    driver = await ReviewDriver.open();
  });
  after(() => driver?.close());
  afterEach(async function () {
    if (this.currentTest?.state !== 'passed') {
      await driver.workbench.screenshot('review-failure');
      // What a test has left undecided would be the first round of the next one.
      await driver.agent.call('enter_plan_mode');
    }
    await driver.workbench.zoom(1);
    await driver.workbench.closeEditors();
  });

  it('opens beside without the focus; comments reach the waiting call of the outside agent on approval', async () => {
    await driver.workbench.runCommand('File: New Untitled Text File');
    await driver.page.keyboard.type('one ');
    const call = driver.submit(PLAN);
    const panel = await driver.panel('Move to the new flat');
    await driver.page.keyboard.type('two');
    await driver.page.locator('.view-line', { hasText: 'one two' }).waitFor();
    await driver.workbench.runCommand('View: Revert and Close Editor');
    await driver.workbench.statusItem('Plan to approve').waitFor();
    assert.ok(await isPending(call));
    await driver.commentOn(panel, 'a big van', 'Two small ones.');
    await panel.locator('.passage', { hasText: 'Pack all boxes' }).focus();
    await driver.page.keyboard.press('c');
    await driver.page.keyboard.type('Only the books.');
    await panel.getByLabel('Feedback on the whole plan').fill('Good, go on.');
    await driver.press(panel, 'Approve');
    assert.ok(await isPending(call), 'nothing is decided while the question is open');
    await driver.press(panel, 'Approve and send them along');
    const verdict = await call;
    assert.equal(verdict.status, 'approved');
    assert.equal(verdict.decided_by, 'editor');
    assert.equal(verdict.feedback, 'Good, go on.');
    assert.deepEqual(verdict.comments, [
      { quote: 'a big van', comment: 'Two small ones.' },
      { quote: '2. Pack all boxes', comment: 'Only the books.' },
    ]);
    await panel.locator('.verdict', { hasText: 'Approved by you, in the editor' }).waitFor();
    await driver.workbench.statusItem('Plan to approve').waitFor({ state: 'detached' });
    await becomes(() => panel.getByRole('button', { name: 'Approve' }).count(), 0);
  });

  it('takes closing the question, and closing the panel, as no decision', async () => {
    const call = driver.submit(`${PLAN}\n\nNo decision.`);
    const panel = await driver.panel('No decision.');
    await driver.commentOn(panel, 'a big van', 'Hm.');
    await driver.press(panel, 'Approve');
    await panel.getByRole('dialog').waitFor();
    await driver.page.keyboard.press('Escape');
    await panel.getByRole('dialog').waitFor({ state: 'detached' });
    await driver.press(panel, 'Reject');
    await driver.press(panel, 'Back');
    await driver.workbench.runCommand('View: Close All Editors');
    assert.ok(await isPending(call));
    await driver.workbench.statusItem('Plan to approve').click();
    const again = await driver.panel('No decision.');
    await becomes(() => again.locator('.comment textarea').inputValue(), 'Hm.');
    await driver.press(again, 'Reject');
    await driver.press(again, 'Reject without them');
    const verdict = await call;
    assert.equal(verdict.decision, 'rejected');
    assert.deepEqual(verdict.comments, []);
  });

  it('shows in the next round what was changed, beside the comments of the last one', async () => {
    const call = driver.submit(PLAN);
    const panel = await driver.panel('a big van');
    await driver.press(panel, 'Request changes');
    await panel.locator('.notice.error', { hasText: 'Say what should be changed' }).waitFor();
    await driver.commentOn(panel, 'a big van', 'Two small ones.');
    await driver.commentOn(panel, 'Nobody has time.', 'Ask around.');
    await panel.locator('.passage', { hasText: 'Drive' }).focus();
    await driver.page.keyboard.press('c');
    await driver.page.keyboard.type('Slowly.');
    await panel.getByLabel('Feedback on the whole plan').fill('Cheaper.');
    await driver.press(panel, 'Request changes');
    const first = await call;
    assert.equal(first.status, 'rejected');
    assert.equal(first.decision, 'changes_requested');
    assert.equal(first.comments.length, 3);

    const next = PLAN.replace('a big van for $15,000', 'two small vans for $900')
      .replace('2. Pack all boxes\n3. Drive', '2. Ask friends\n3. Pack all boxes\n4. Drive')
      .replace('Nobody has time. ', '');
    const second = driver.submit(next);
    await panel.locator('ins', { hasText: 'two small vans' }).waitFor();
    const changed = panel.locator('.passage.changed', { hasText: 'two small vans' });
    await becomes(() => changed.locator('del').first().textContent(), 'a big van');
    const onChanged = /quoted words changed.*a big van.*Two small ones\./s;
    await changed.locator('.comment', { hasText: onChanged }).waitFor();
    const onUnchanged = /Drive.*quoted words unchanged.*Slowly\./s;
    await panel.locator('.passage', { hasText: onUnchanged }).waitFor();
    await panel.locator('.passage.added', { hasText: 'Ask friends' }).waitFor();
    await panel.getByText('Your feedback on the last round').waitFor();
    await becomes(() => panel.locator('.passage.added, .passage.changed, .passage.removed').count(), 3);
    for (const theme of ['light', 'dark', 'high-contrast'] as const) {
      await driver.workbench.screenshot('review-changes', theme);
    }
    await driver.press(panel, 'Reject');
    const verdict = await second;
    assert.equal(verdict.decision, 'rejected');
    assert.equal(verdict.proposal_id, first.proposal_id);
    await panel.getByLabel('Round').selectOption('1');
    await panel.locator('.verdict', { hasText: 'Changes requested' }).waitFor();
    await panel.locator('.passage', { hasText: /a big van.*Two small ones/s }).waitFor();
  });

  it('keeps a comment at the one of equal passages that it is about', async () => {
    const first = driver.submit('Wait a day.\n\nPack the piano.\n\nWait a day.');
    const panel = await driver.panel('Pack the piano.');
    await panel.locator('.passage').nth(2).focus();
    await driver.page.keyboard.press('c');
    await driver.page.keyboard.type('Two days.');
    await driver.press(panel, 'Request changes');
    const { comments, message } = await first;
    assert.deepEqual(comments, [{ quote: 'Wait a day.', comment: 'Two days.' }]);
    assert.match(message, /occurrence 2 of its quote/);
    const second = driver.submit('Wait a day.\n\nPack the grand piano.\n\nWait a day.');
    await panel.locator('ins', { hasText: 'grand' }).waitFor();
    assert.equal(await panel.locator('.passage').nth(0).locator('.comment').count(), 0);
    assert.match((await panel.locator('.passage').nth(2).locator('.comment').textContent()) ?? '', /Two days\./);
    await driver.press(panel, 'Reject');
    await second;
  });

  it('lets the person change the plan: the agent gets the text and a diff', async () => {
    const call = driver.submit(PLAN);
    const panel = await driver.panel('a big van');
    await panel.getByText('Edit', { exact: true }).click();
    const box = panel.getByLabel('Text of the plan');
    await becomes(() => box.inputValue(), PLAN);
    await box.fill('  ');
    await driver.press(panel, 'Approve');
    await panel.locator('.notice.error', { hasText: 'An empty plan' }).waitFor();
    await driver.press(panel, 'Take the agent’s text again');
    await box.fill(PLAN.replace('on Friday', 'on Monday'));
    await panel.getByText('Your changes', { exact: true }).click();
    await panel.locator('ins', { hasText: 'Monday' }).waitFor();
    await driver.press(panel, 'Approve');
    const verdict = await call;
    assert.equal(verdict.status, 'approved');
    assert.equal(verdict.approved_plan, PLAN.replace('on Friday', 'on Monday'));
    assert.match(verdict.message, /^-Everything goes \*\*on Friday\*\*.*\n\+Everything goes \*\*on Monday\*\*/m);
    await panel.getByText('Changed on approval').waitFor();
    await panel.getByText('Plan', { exact: true }).click();
    await panel.locator('.passages', { hasText: 'Everything goes on Monday' }).waitFor();
    assert.doesNotMatch((await panel.locator('.passages').textContent()) ?? '', /Friday/);
  });

  it('sends changes of the text as a suggestion when changes are requested', async () => {
    const call = driver.submit(PLAN);
    const panel = await driver.panel('a big van');
    await panel.getByText('Edit', { exact: true }).click();
    await panel.getByLabel('Text of the plan').fill(PLAN.replace('Drive', 'Drive slowly'));
    await driver.press(panel, 'Request changes');
    const verdict = await call;
    assert.equal(verdict.decision, 'changes_requested');
    assert.match(verdict.feedback ?? '', /-3\. Drive\n\+3\. Drive slowly/);
    assert.equal(verdict.approved_plan, undefined);
    await panel.locator('.verdict .diff', { hasText: /^@@.*@@\n[\s\S]*\+3\. Drive slowly/ }).waitFor();
    assert.doesNotMatch((await panel.locator('.verdict .commentText').textContent()) ?? '', /@@/);
    const next = driver.submit('Stay.');
    await driver.press(await driver.panel('Stay.'), 'Reject');
    await next;
  });

  it('queues the chosen to-dos in order', async () => {
    const call = driver.submit('Queue them.', ['Order the van', 'Pack', 'Drive']);
    const panel = await driver.panel('Queue them.');
    await panel.getByRole('button', { name: 'Approve and queue 3 to-dos' }).waitFor();
    await panel.getByLabel('Pack').uncheck();
    await driver.press(panel, 'Approve and queue 2 to-dos');
    const verdict = await call;
    assert.equal(verdict.queued_plans.length, 2);
    const pulled = await driver.agent.call<{ plan_id: string; goal: string }>('9plan_queue_pull');
    assert.deepEqual([pulled.plan_id, pulled.goal], [verdict.queued_plans[0], 'Order the van']);
    const links = panel.locator('.verdict p', { hasText: 'Queued as' });
    await becomes(() => links.textContent(), 'Queued as Order the van, Drive');

    const unrelated = driver.submit('Water the plants.');
    const left = await driver.panel('Water the plants.');
    await left.getByRole('button', { name: 'Approve and queue 1 to-do' }).waitFor();
    await becomes(() => left.locator('.todos .content').allTextContents(), ['Pack']);
    await driver.press(left, 'Reject');
    await unrelated;
    const same = driver.submit('Move again.', ['Order the van', 'Pack', 'Drive']);
    const again = await driver.panel('Move again.');
    await again.getByRole('button', { name: 'Approve and queue 1 to-do' }).waitFor();
    await becomes(
      () => again.locator('.todos li').allTextContents(),
      ['Order the van to do, already queued', 'Pack to do', 'Drive to do, already queued'],
    );
    await becomes(() => again.getByLabel('Order the van').isChecked(), false);
    await driver.workbench.screenshot('review-queued', 'light');
    await driver.press(again, 'Reject');
    await same;
    await driver.agent.call('9plan_plan_discard', { reason: 'test' });
    await driver.agent.call('9plan_plan_discard', { plan_id: verdict.queued_plans[1], reason: 'test' });
  });

  it('shows the verdict to whoever decided further down, and says it', async () => {
    const steps = Array.from({ length: 120 }, (_, index) => `${index + 1}. Box ${index + 1}`).join('\n');
    const call = driver.submit(`# Many boxes\n\n${steps}`);
    const panel = await driver.panel('Many boxes');
    await panel.locator('.passage', { hasText: 'Box 120' }).scrollIntoViewIfNeeded();
    await panel.waitForFunction(isScrolledBeyond, 500);
    await driver.press(panel, 'Approve');
    await call;
    await panel.locator('.verdict').waitFor();
    await panel.waitForFunction(isInSight, '.verdict');
    await panel.locator('p[role=status]', { hasText: /^Approved by you/ }).waitFor();
  });

  it('does not move the plan when the first comment is begun', async () => {
    const call = driver.submit('Only this.');
    const panel = await driver.panel('Only this.');
    const passage = panel.locator('.passage', { hasText: 'Only this.' });
    const before = await passage.boundingBox();
    await driver.commentOn(panel, 'Only this.', 'And that.');
    const after = await passage.boundingBox();
    assert.deepEqual([after?.x, after?.y, after?.width], [before?.x, before?.y, before?.width]);
    await driver.press(panel, 'Request changes');
    await call;
    const next = driver.submit('Never.');
    await driver.press(await driver.panel('Never.'), 'Reject');
    await next;
  });

  it('keeps what was written while it is hidden, over a reload, and the call waits on', async () => {
    const call = driver.submit(`${PLAN}\n\nReloaded.`, ['Order the van', 'Pack']);
    const panel = await driver.panel('Reloaded.');
    await driver.commentOn(panel, 'a big van', 'Two small ones.');
    await panel.getByLabel('Pack').uncheck();
    await panel.getByLabel('Feedback on the whole plan').fill('Half');
    await driver.page.locator('.tab', { hasText: 'Review: Move' }).click();
    await driver.workbench.runCommand('File: New Untitled Text File');
    await driver.page.locator('.tab', { hasText: 'Review: Move' }).click();
    await shows(await driver.panel('Reloaded.'), 'Half');
    const { proposal_id } = await driver.agent.call<Verdict>('plan_mode_status');
    await driver.workbench.reload({ [OPEN_EDITORS]: proposal_id, 'nineplan.9plan': 'Half' });
    // Which of the tabs was in front may have been stored earlier than that they are there.
    await driver.page.locator('.tab', { hasText: 'Review: Move' }).click();
    const again = await driver.panel('Reloaded.');
    await shows(again, 'Half');
    await becomes(() => again.getByLabel('Pack').isChecked(), false);
    assert.ok(await isPending(call));
    await driver.press(again, 'Approve and queue 1 to-do');
    await driver.press(again, 'Approve and send them along');
    const verdict = await call;
    assert.equal(verdict.feedback, 'Half');
    assert.deepEqual(verdict.comments, [{ quote: 'a big van', comment: 'Two small ones.' }]);
    assert.equal(verdict.queued_plans.length, 1);
    await driver.agent.call('9plan_plan_discard', { plan_id: verdict.queued_plans[0], reason: 'test' });

    async function shows(frame: Frame, feedback: string): Promise<void> {
      await becomes(() => frame.locator('.comment textarea').inputValue(), 'Two small ones.');
      await becomes(() => frame.getByLabel('Feedback on the whole plan').inputValue(), feedback);
    }
  });

  it('takes no click for a decision on a plan that took the place of another just then', async () => {
    const first = driver.submit(`${PLAN}\n\nHarmless.`);
    const panel = await driver.panel('Harmless.');
    const approve = panel.getByRole('button', { name: 'Approve', exact: true });
    await approve.click({ trial: true });
    const { x, y, width, height } = (await approve.boundingBox()) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    await driver.page.mouse.move(x + width / 2, y + height / 2);
    const second = driver.submit(`${PLAN}\n\nHarmful.`);
    await driver.panel('Harmful.');
    for (let i = 0; i < 3; i++) await driver.page.mouse.click(x + width / 2, y + height / 2);
    assert.equal((await first).status, 'superseded');
    const newer = await driver.panel('Harmful.');
    assert.equal(await newer.locator('.verdict').count(), 0);
    assert.ok(await isPending(second));
    await driver.press(newer, 'Reject');
    assert.equal((await second).decision, 'rejected');
  });

  it('leaves the panel that is worked in when the agent hands in another plan, and takes the comments along', async () => {
    const first = driver.submit(`${PLAN}\n\nThe first.`);
    const panel = await driver.panel('The first.');
    await driver.commentOn(panel, 'a big van', 'Two small ones.');
    const second = driver.submit(`${PLAN}\n\nThe second.`);
    assert.equal((await first).status, 'superseded');
    await panel.locator('.notice', { hasText: 'handed in a newer plan' }).waitFor();
    await driver.press(panel, 'Open the newer one and take your comments along');
    await commentStands(await driver.panel('The second.'));

    await driver.workbench.runCommand('File: New Untitled Text File');
    const third = driver.submit(`${PLAN}\n\nThe third.`);
    assert.equal((await second).status, 'superseded');
    const newest = await driver.panel('The third.');
    await commentStands(newest);
    await driver.press(newest, 'Reject');
    await driver.press(newest, 'Reject and send them along');
    assert.deepEqual((await third).comments, [{ quote: 'a big van', comment: 'Two small ones.' }]);

    async function commentStands(frame: Frame): Promise<void> {
      const box = frame.locator('.passage', { hasText: 'a big van' }).locator('.comment textarea');
      await box.waitFor();
      await becomes(() => box.inputValue(), 'Two small ones.');
    }
  });

  it('works by the keyboard alone', async () => {
    const call = driver.submit(`${PLAN}\n\nBy keys.`);
    await driver.panel('By keys.');
    await driver.workbench.runCommand('9plan: Review a Plan');
    const panel = await driver.panel('By keys.');
    await panel.locator('.passage').first().focus();
    const { keyboard } = driver.page;
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'c']) {
      await keyboard.press(key);
    }
    await keyboard.type('By hand.');
    await keyboard.press('Control+Enter');
    await keyboard.press('End');
    await keyboard.press('p');
    await keyboard.press('c');
    await keyboard.type('Gone again.');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await panel.locator('.notice', { hasText: 'Comment deleted' }).waitFor();
    for (let i = 0; i < 30 && !(await panel.evaluate(hasFocus, 'Request changes')); i++) await keyboard.press('Tab');
    await keyboard.press('Enter');
    const verdict = await call;
    assert.equal(verdict.decision, 'changes_requested');
    assert.deepEqual(verdict.comments, [{ quote: '2. Pack all boxes', comment: 'By hand.' }]);
  });

  it('renders 2,000 hostile lines, and runs and loads nothing', async () => {
    const asked: string[] = [];
    driver.page.on('request', (request) => {
      if (request.url().includes('evil.example')) asked.push(request.url());
    });
    const call = driver.submit(hostilePlan(2000));
    const panel = await driver.panel('Hostile plan');
    await panel.waitForFunction(paintingTime);
    assert.equal(await panel.evaluate(hasRun), false);
    await becomes(() => panel.locator('#page :is(img, iframe, script, svg, style, object, form)').count(), 0);
    await becomes(() => panel.locator('#page a[href]').count(), 0);
    const targets = await panel.locator('#page a').evaluateAll(targetsOf);
    assert.ok(targets.length > 0);
    for (const target of targets) assert.doesNotMatch(target, /^(javascript|command|data|vscode):/i);
    assert.deepEqual(asked, []);
    await driver.press(panel, 'Reject');
    await call;
  });

  it('lets no script run and loads nothing, whatever got into the page', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(String(request.url));
      response.setHeader('access-control-allow-origin', '*').end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const call = driver.submit('# Let me out');
    const panel = await driver.panel('Let me out');
    try {
      const { port } = server.address() as AddressInfo;
      assert.deepEqual(await panel.evaluate(tryToEscape, `http://127.0.0.1:${port}`), []);
      assert.equal(await panel.evaluate(hasRun), false);
      assert.deepEqual(asked, []);
    } finally {
      server.close();
    }
    await driver.press(panel, 'Reject');
    await call;
  });

  for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
    it(`has no accessibility violation in ${theme}`, async () => {
      const call = driver.submit(`${PLAN}\n\n| a | b |\n| - | - |\n| 1 | \`2\` |\n\nIn ${theme}.`, [
        'Order the van',
        'Pack',
      ]);
      const panel = await driver.panel(`In ${theme}.`);
      await driver.commentOn(panel, 'a big van', 'Two small ones.');
      await driver.workbench.useTheme(theme, panel);
      await becomes(() => violations(panel), []);
      await driver.workbench.screenshot('review', theme);
      await driver.press(panel, 'Approve');
      await panel.getByRole('dialog').waitFor();
      await becomes(() => violations(panel), []);
      await driver.workbench.screenshot('review-question', theme);
      await driver.press(panel, 'Request changes with them instead');
      await call;
      const next = driver.submit(`${PLAN.replace('a big van', 'two vans')}\n\nThen in ${theme}.`);
      await panel.locator('.passage.changed').first().waitFor();
      await becomes(() => violations(panel), []);
      await driver.press(panel, 'Reject');
      await next;
      await panel.locator('.verdict').waitFor();
      await becomes(() => violations(panel), []);
    });
  }

  it('fits half the size, and text from right to left', async () => {
    const call = driver.submit(`# قراءة السجل حتى النهاية\n\n${'x'.repeat(400)}`, ['ابدأ']);
    const panel = await driver.panel('قراءة السجل');
    await driver.workbench.zoom(2);
    await becomes(() => panel.evaluate(isTooWide), false);
    await becomes(() => panel.locator('h1').evaluate(directionOf), 'rtl');
    await driver.workbench.screenshot('review-zoomed', 'dark');
    await driver.press(panel, 'Reject');
    await call;
  });

  it('leaves the plan the most of a small panel beside an editor', async () => {
    await driver.workbench.runCommand('File: New Untitled Text File');
    const call = driver.submit(PLAN, ['Order the van', 'x'.repeat(250)]);
    await driver.panel('a big van');
    await driver.workbench.zoom(2);
    const small = await driver.panel('a big van');
    await small.locator('.passage', { hasText: 'a big van' }).scrollIntoViewIfNeeded();
    await until('the decision takes no more than two fifths of the window, and ends in it', async () => {
      const { share, below } = await small.evaluate(decisionPart);
      return share > 0 && share <= 0.41 && below <= 1;
    });
    await becomes(() => small.evaluate(isTooWide), false);
    await driver.workbench.screenshot('review-small', 'dark');
    await small.locator('.todos').scrollIntoViewIfNeeded();
    await becomes(() => small.locator('.todos .content').evaluateAll(cutTexts), []);
    await driver.workbench.screenshot('review-small-todos', 'light');
    await driver.press(small, 'Reject');
    await call;
  });
});

describe('two windows that decide at once', () => {
  let one: ReviewDriver;
  let two: ReviewDriver;
  before(async () => {
    one = await ReviewDriver.open();
    two = await ReviewDriver.open({}, one.folder);
  });
  after(async () => {
    await two?.close();
    await one?.close();
  });

  it('have one winner; the other is told, and keeps its comments', async () => {
    const call = one.submit(PLAN);
    const [left, right] = await Promise.all([one.panel('a big van'), two.panel('a big van')]);
    await two.commentOn(right, 'a big van', 'Two small ones.');
    await two.press(right, 'Reject');
    await right.getByRole('dialog').waitFor();
    await Promise.all([
      left.evaluate(clickButton, 'Approve'),
      right.evaluate(clickButton, 'Reject and send them along'),
    ]);
    const verdict = await call;
    const word = verdict.decision === 'approved' ? 'Approved' : 'Rejected';
    for (const panel of [left, right]) await panel.locator('.verdict', { hasText: `${word} by you` }).waitFor();
    if (verdict.decision !== 'approved') return;
    await right.locator('.notice', { hasText: 'were not sent' }).waitFor();
    await becomes(() => right.locator('.comment textarea').inputValue(), 'Two small ones.');
  });

  it('tell the one that comes too late who has decided', async () => {
    const call = one.submit(`${PLAN}\n\nToo late.`);
    const right = await two.panel('Too late.');
    const { proposal_id } = await one.agent.call<Verdict>('plan_mode_status');
    // This window hears of the decision only after its own click.
    await right.evaluate(holdMessages);
    await (await one.panel('Too late.')).evaluate(clickButton, 'Reject');
    assert.equal((await call).proposal_id, proposal_id);
    await right.evaluate(clickButton, 'Approve');
    await right.evaluate(releaseMessages);
    await right.locator('.notice.error', { hasText: /already settled.*rejected/ }).waitFor();
    await right.locator('.verdict', { hasText: 'Rejected by you' }).waitFor();
  });
});

describe('a window that should not open panels', () => {
  let driver: ReviewDriver;
  before(async () => {
    driver = await ReviewDriver.open({ 'nineplan.review.open': 'notify' });
  });
  after(() => driver?.close());

  it('tells of a plan and opens it on a click', async () => {
    const call = driver.submit(PLAN);
    await driver.workbench.notifications.getByText('asks you to approve').waitFor();
    assert.equal(await driver.page.locator('.tab', { hasText: 'Review' }).count(), 0);
    await driver.workbench.notifications.getByRole('button', { name: 'Review' }).click();
    const panel = await driver.panel('a big van');
    await driver.press(panel, 'Approve');
    assert.equal((await call).status, 'approved');
  });

  it('shows it on top of the queue, with the ways to decide', async () => {
    const call = driver.submit('From the tree.');
    await driver.workbench.openContainer('9plan');
    const row = driver.workbench.row('Queue', 'From the tree.');
    await row.waitFor();
    await driver.workbench.screenshot('review-queue', 'dark');
    await driver.workbench.rowMenu('Queue', 'From the tree.', 'Reject a Plan');
    await driver.workbench.answer('Not now.');
    const verdict = await call;
    assert.deepEqual([verdict.decision, verdict.feedback], ['rejected', 'Not now.']);
    await row.waitFor({ state: 'detached' });
  });
});
