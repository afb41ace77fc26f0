import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Frame } from 'playwright-core';
import { newest } from '../../scripts/lib/tools.mjs';
import { AgentMode } from './agentModeDriver';
import { testedVersion } from './workbench';

const plan = (goal: string) => ({ context: 'c', goal, approach: 'a', success_criteria: 's' });

/** Older versions have no agent mode that runs offline: it needs a sign-in before a model of an extension counts. */
const describeWhereItRuns = testedVersion === newest ? describe : describe.skip;

describeWhereItRuns('VS Code’s agent mode', () => {
  let agent: AgentMode;
  before(async () => {
    agent = await AgentMode.open();
  });
  after(() => agent?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'passed') return;
    await agent.workbench.screenshot(`agent-mode-${this.currentTest?.title}`);
    await agent.settle();
  });

  async function panel(text: string): Promise<Frame> {
    const frame = await agent.workbench.webview('.passages');
    await frame.locator('.passages', { hasText: text }).waitFor();
    return frame;
  }

  it('finds the server on the first message, without a question about it', async () => {
    await agent.ask('What is there to do?', [{ text: 'Nothing yet.' }]);
    await agent.said('Nothing yet.').waitFor();
    const ours = (await agent.tools()).filter((name) => name.startsWith('mcp_9plan_'));
    assert.equal(ours.length, 28);
    assert.equal(existsSync(agent.store), false, 'to look on leaves nothing behind');
  });

  it('tells the model how to work, and of the skill', async () => {
    await agent.ask('Hello', [{ text: 'Good day.' }]);
    await agent.said('Good day.').waitFor();
    const told = await agent.lastRequest();
    assert.match(told, /9plan keeps one queue of plans/);
    assert.match(told, /skill\/9plan\/SKILL\.md/);
    assert.match(told, /Plans and carries out work with the 9plan tools/);
  });

  it('works a queue; each change shows its title and input first, and the tree follows', async () => {
    const { workbench } = agent;
    await workbench.openContainer('9plan');
    await agent.ask('Plan the move', [
      { tool: '9plan_session_create', input: { task_description: 'Move house' } },
      { tool: '9plan_queue_add_batch', input: { plans: [plan('Order the van'), plan('Pack the boxes')] } },
      { tool: '9plan_queue_pull' },
      { text: 'Now I work.' },
    ]);
    const shown = await agent.allowUntil(agent.said('Now I work.'));
    const titles = ['Run Create a session', 'Run Add several plans', 'Run Pull the next plan'];
    assert.equal(shown.length, titles.length);
    for (const [i, title] of titles.entries()) assert.ok(shown[i]?.title.startsWith(title), shown[i]?.title);
    assert.match(shown[0]?.input ?? '', /Move house/);
    assert.match(shown[1]?.input ?? '', /Order the van.*Pack the boxes/s);
    await workbench.row('Queue', 'Order the van').and(agent.page.locator('[aria-label^="Active plan"]')).waitFor();
    await workbench.row('Queue', 'Pack the boxes').waitFor();

    await agent.ask('Go on', [
      { tool: '9plan_plan_complete', input: { outcome: 'The van comes on Friday.' } },
      { text: 'It is ordered.' },
    ]);
    await agent.allowUntil(agent.said('It is ordered.'));
    await workbench.row('Queue', 'Order the van').waitFor({ state: 'detached' });
    assert.equal((await agent.lastResult()).queue_length, 1);
  });

  it('asks nothing before a tool that only reads', async () => {
    const reading = ['9plan_admin_sessions', '9plan_admin_state', '9plan_admin_validate', 'get_plan_mode_standards'];
    await agent.ask('How does it stand?', [
      ...reading.map((tool) => ({ tool })),
      { tool: '9plan_history_search', input: { query: 'van' } },
      { tool: 'plan_mode_status' },
      { tool: 'task_list' },
      { text: 'All is well.' },
    ]);
    assert.deepEqual(await agent.allowUntil(agent.said('All is well.')), []);
  });

  it('changes nothing when the person skips the call', async () => {
    await agent.ask('Add one', [{ tool: '9plan_queue_add', input: plan('Never') }, { text: 'As you wish.' }]);
    await agent.skip();
    await agent.said('As you wish.').waitFor();
    assert.equal(await agent.workbench.row('Queue', 'Never').count(), 0);
  });

  it('exit_plan_mode opens the review panel; what is decided there goes on in the turn', async () => {
    await agent.reviewPanelIs(true);
    await agent.ask('Plan first', [
      { tool: 'exit_plan_mode', input: { plan: '# Paint the hall\n\nIn white.' } },
      { text: 'Then I start.' },
    ]);
    await agent.allowUntil(agent.workbench.statusItem('Plan to approve'));
    const review = await panel('In white.');
    assert.equal(await agent.form.count(), 0, 'one question, not two');
    assert.equal(await agent.said('Then I start.').count(), 0);
    await review.getByLabel('Feedback on the whole plan').fill('In green, please.');
    await review.getByRole('button', { name: 'Approve', exact: true }).click();
    await agent.said('Then I start.').waitFor();
    const { status, decided_by, feedback } = await agent.lastResult();
    assert.deepEqual([status, decided_by, feedback], ['approved', 'editor', 'In green, please.']);
  });

  describe('with the review panel switched off', () => {
    before(async () => {
      await agent.workbench.settings.change({ 'nineplan.review.open': 'nothing' });
      await agent.reviewPanelIs(false);
    });
    beforeEach(() => agent.workbench.runCommand('View: Close All Editors'));

    const propose = async (title: string, end: string) => {
      await agent.ask('Plan first', [{ tool: 'exit_plan_mode', input: { plan: `# ${title}` } }, { text: end }]);
      await agent.allowUntil(agent.form);
      await agent.form.getByText(title).first().waitFor();
    };

    it('the form in the chat takes the decision', async () => {
      await propose('Paint the roof', 'Up I go.');
      await agent.form.getByText('Approve the plan').click();
      await agent.form.getByRole('textbox').fill('Mind the gutter.');
      await agent.form.locator('.chat-question-submit-button').click();
      await agent.said('Up I go.').waitFor();
      const { status, decided_by, feedback } = await agent.lastResult();
      assert.deepEqual([status, feedback], ['approved', 'Mind the gutter.']);
      assert.notEqual(decided_by, 'editor');
    });

    it('a form into which somebody types and presses Enter by mistake approves nothing', async () => {
      await propose('Paint the attic', 'Not yet.');
      await agent.form.locator('.chat-question-list:focus').waitFor();
      await agent.page.keyboard.press('Enter');
      await agent.typeIntoForm('why');
      await agent.page.keyboard.press('Enter');
      await agent.said('Not yet.').waitFor();
      assert.notEqual((await agent.lastResult()).status, 'approved');
    });

    it('a form that is closed decides nothing: the plan still waits in the editor', async () => {
      await propose('Paint the cellar', 'I try again.');
      await agent.form.locator('.chat-question-close').click();
      await agent.form.waitFor({ state: 'hidden' });
      await agent.workbench.statusItem('Plan to approve').click();
      const review = await panel('cellar');
      assert.equal(await agent.said('I try again.').count(), 0);
      await review.getByLabel('Feedback on the whole plan').fill('It is damp.');
      await review.getByRole('button', { name: 'Request changes', exact: true }).click();
      await agent.said('I try again.').waitFor();
      const { decision, decided_by, feedback } = await agent.lastResult();
      assert.deepEqual([decision, decided_by, feedback], ['changes_requested', 'editor', 'It is damp.']);
    });
  });

  for (const [prompt, begins] of [
    ['bootstrap', 'Help me plan a large task'],
    ['plan_first', 'Plan this before you touch anything'],
  ] as const) {
    it(`offers the prompt ${prompt} as a command with a slash, and asks for the task`, async () => {
      await agent.begin([{ text: 'Gladly.' }]);
      await agent.type(`/mcp.9plan.${prompt}`);
      await agent.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: prompt }).click();
      await agent.workbench.quickInput.waitFor();
      await agent.workbench.answer('Move the piano');
      // It is put into the input, so that the person may change it before it is sent.
      await agent.page.locator('.interactive-input-part', { hasText: begins }).waitFor();
      await agent.page.keyboard.press('Enter');
      await agent.said('Gladly.').waitFor();
      const told = await agent.lastRequest();
      assert.ok(told.includes(begins), told.slice(-3000));
      assert.match(told, /The task:.*Move the piano/);
    });
  }

  it('offers the skill as a command with a slash', async () => {
    await agent.ask('/9plan Move the piano', [{ text: 'With skill.' }]);
    await agent.said('With skill.').waitFor();
    const told = await agent.lastRequest();
    assert.match(told, /Move the piano/);
    assert.ok(told.includes('# Working with 9plan'), told.slice(-3000));
  });
});
