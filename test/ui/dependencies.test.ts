import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { newest } from '../../scripts/lib/tools.mjs';
import { shortened } from '../../src/planner/text';
import { Agent } from './agent';
import { openWorkbench } from './openWorkbench';
import { becomes } from './patience';
import { testedVersion, type Workbench } from './workbench';

const HOSTILE = [
  'Say "hello"] --> x; then `stop`',
  '%%{init: {"theme":"dark"}}%% click x call alert()',
  '<script>alert(1)</script> & <b>bold</b> <img src=x onerror=alert(1)>',
  '[link](command:nineplan.queue.pull) ![picture](https://example.org/x.png)',
  '1. not a list, *not* _marked_, #35; #quot; www.example.org',
  '- style a:b fill:#f00; 修复解析器 🧨',
  '```',
  'ftp://example.org, //example.org, a@example.org and mailto:a@example.org',
];

describe('the picture of dependencies', () => {
  let folder: string;
  let agent: Agent;
  let workbench: Workbench;
  let session: unknown;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-dependencies-'));
    agent = await Agent.connect(folder);
    await agent.call('9plan_session_create', { task_description: 'Print the photos' });
    const { plan_id: paper } = await agent.call('9plan_queue_add', plan('Buy paper of the right weight'));
    session = (await agent.call('9plan_session_create', { task_description: 'Ship *the* app' })).session_name;
    await agent.call('reasoning_plan', {
      goal: 'Ship it',
      steps: [
        { title: 'Write the parser' },
        { title: 'Test the parser', depends_on: [0] },
        { title: 'Write the manual', depends_on: [0] },
        { title: 'Print the manual', depends_on: [2] },
        { title: 'Release', depends_on: [1, 3] },
      ],
    });
    const { tasks } = await agent.call<{ tasks: { id: string; title: string }[] }>('task_list');
    const print = tasks.find(({ title }) => title === 'Print the manual');
    await agent.call('task_dep', { id: print?.id, add: [paper] });
    await agent.call('9plan_queue_pull');
    await agent.call('9plan_plan_complete', { outcome: 'It parses.' });
    await agent.call('9plan_queue_pull');
    await agent.call('9plan_session_create', { task_description: 'Hostile' });
    await agent.call('9plan_queue_add_batch', { plans: HOSTILE.map(plan) });
    const { tasks: hostile } = await agent.call<{ tasks: { id: string }[] }>('task_list');
    for (const { id } of hostile.slice(1)) await agent.call('task_dep', { id, add: [hostile[0]?.id] });
    workbench = await openWorkbench({ workspace: folder });
    await workbench.openContainer('9plan');
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'passed') await workbench.screenshot(`dependencies-failure-${testedVersion}`);
  });

  after(async () => {
    await workbench?.close();
    await agent?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const plan = (goal: string) => ({ goal, context: 'c', approach: 'a', success_criteria: 's' });

  /** The preview of a session's picture, when it is drawn or, in versions that don't draw, when it is there. */
  async function preview(task: string, row = task): Promise<Frame> {
    await workbench.rowMenu('Sessions', row, 'Show Dependencies');
    const drawn = testedVersion === newest ? 'svg g.node' : 'code.language-mermaid';
    return workbench.webview(`.markdown-body:has(h1:text-is("Dependencies: ${task}")) ${drawn}`, 30_000);
  }

  it('shows the plans, their states and what waits for what, and follows the queue', async () => {
    const frame = await preview('Ship *the* app', 'Ship the app');
    const item = (goal: string) => frame.locator('li', { hasText: goal });
    await item('Release')
      .filter({ hasText: / · waits · no\. 3 · waits for .+ \w{5}, .+ \w{5}$/ })
      .waitFor();
    const source = frame.locator(testedVersion === newest ? 'svg' : 'code.language-mermaid').first();
    if (testedVersion === newest) {
      await becomes(() => frame.locator('svg g.node').count(), 6);
      await becomes(() => frame.locator('svg path.flowchart-link').count(), 6);
      await becomes(async () => (await frame.locator('svg g.cluster').textContent())?.trim(), 'Print the photos');
    } else await source.filter({ hasText: /\(\["Test the parser<br>active · \w{5}"\]\)/ }).waitFor();
    await agent.call('9plan_plan_complete', { session_name: session, outcome: 'It passes.' });
    await item('Test the parser').filter({ hasText: 'completed' }).waitFor();
    await source
      .getByText(/Test the parser.*completed/s)
      .first()
      .waitFor();
    for (const theme of ['light', 'dark', 'high-contrast'] as const) {
      await workbench.useTheme(theme);
      // The preview draws itself anew.
      await workbench.page.waitForTimeout(1000);
      await workbench.screenshot(`dependencies-${testedVersion}`, theme);
    }
  });

  it('shows goals as the text that they are', async () => {
    const frame = await preview('Hostile');
    await workbench.screenshot(`dependencies-hostile-${testedVersion}`);
    const goals = frame.locator('li > strong');
    await becomes(async () => (await goals.allTextContents()).map((goal) => goal.trim()), HOSTILE);
    const live = frame.locator('li :is(a, img, script, b), svg :is(a, image, script, img)');
    assert.deepEqual(await live.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)), []);
    if (testedVersion !== newest) return;
    const labels = await frame.locator('svg g.node').allTextContents();
    for (const [index, goal] of HOSTILE.entries()) {
      assert.ok(labels[index]?.startsWith(shortened(goal, 60)), labels[index]);
    }
  });
});
