// What a newcomer does with the extension as it is installed: from the walkthrough to the first plan in the history. The
// agent is one that was connected on the way, started as its configuration says.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../scripts/lib/run.mjs';
import { Agent } from './agent';
import { openWorkbench } from './openWorkbench';
import { until } from './patience';
import type { Verdict } from './reviewDriver';
import type { Workbench } from './workbench';

const tasks = {
  master: {
    tasks: [
      { id: 1, title: 'Draw the floor plan', description: 'Rooms and doors, to scale.', status: 'pending' },
      { id: 2, title: 'Order the boxes', status: 'pending', dependencies: [1] },
      { id: 3, title: 'Tell the neighbours', status: 'pending' },
    ],
  },
};

const proposal = `# Move in two days

1. Carry the books on the first day.
2. Carry the furniture on the second.
`;

describe('the installed extension', function () {
  // Each of them goes on from where the one before has come to.
  this.retries(0);
  let folder: string;
  let workspace: string;
  let workbench: Workbench;
  let agent: Agent | undefined;
  let failures = 0;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-installed-'));
    workspace = path.join(folder, 'moving');
    await mkdir(workspace);
    await writeFile(path.join(workspace, 'tasks.json'), JSON.stringify(tasks, null, 2));
    const vsix = path.join(folder, '9plan.vsix');
    await run(process.execPath, ['scripts/package.mjs', '--no-build', '--out', vsix], { quiet: true });
    workbench = await openWorkbench({ workspace, vsix });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.screenshot(`installed-failure-${++failures}`);
  });

  after(async () => {
    await agent?.close();
    await workbench?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const configFile = () => path.join(workspace, '.mcp.json');
  const walkthrough = () => workbench.page.locator('.gettingStartedContainer');

  async function openWalkthrough(): Promise<void> {
    await workbench.runCommand('Welcome: Open Walkthrough...');
    await workbench.pick('Get Started with 9plan');
    await walkthrough().getByText('Let other agents in').waitFor();
  }

  it('explains itself in a walkthrough', async () => {
    await openWalkthrough();
    for (const step of ['Find the queue', 'Have a task planned', 'Work through it']) {
      await walkthrough().getByText(step, { exact: true }).waitFor();
    }
    // A picture beside the steps, in a page of its own.
    await workbench.webview('svg text');
    await workbench.screenshot('installed-walkthrough');
    await walkthrough().getByRole('button', { name: 'Show the Queue' }).click();
    await workbench.view('Queue').getByText('Start a Session').waitFor();
  });

  it('connects another agent, shows what it writes, and takes it back', async () => {
    await openWalkthrough();
    await walkthrough().getByText('Let other agents in').click();
    await walkthrough().getByRole('button', { name: 'Connect Another Agent' }).click();
    await workbench.pick('Claude Code');
    await workbench.page.locator('.monaco-diff-editor .editor.modified', { hasText: '"9plan": {' }).waitFor();
    await workbench.screenshot('installed-connect');
    assert.ok(!existsSync(configFile()));
    await workbench.editorAction('Write This');
    const written = workbench.notifications.filter({ hasText: 'Claude Code finds 9plan' });
    await written.getByRole('button', { name: 'Undo' }).click();
    await until('the file is gone', async () => !existsSync(configFile()));

    await workbench.runCommand('9plan: Connect Another Agent…');
    await workbench.pick('Claude Code');
    await workbench.editorAction('Write This');
    await written.waitFor();
    const { command, args, env } = JSON.parse(await readFile(configFile(), 'utf8')).mcpServers['9plan'];
    agent = await Agent.start({ command, args, env, cwd: workspace });
  });

  it('imports plans in their order, after a preview', async () => {
    await workbench.runCommand('9plan: Import Plans…');
    await workbench.pick('tasks.json');
    await workbench.page.locator('.editor-instance .view-line', { hasText: '1. Draw the floor plan' }).waitFor();
    await workbench.screenshot('installed-import');
    await workbench.editorAction('Import into a New Session');
    await workbench.row('Queue', 'Tell the neighbours').waitFor();
    const rows = workbench.rows('Queue').filter({ hasText: /floor plan|boxes|neighbours/ });
    const expected = [
      /^Plan 1 in the queue: Draw the floor plan. Ready/,
      /^Plan 2 in the queue: Order the boxes. Blocked, waits for “Draw the floor plan”/,
      /^Plan 3 in the queue: Tell the neighbours. Ready/,
    ];
    await until('the plans stand in their order', async () => {
      const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
      return expected.every((label, index) => label.test(labels[index] ?? ''));
    });
    await workbench.screenshot('installed-imported');
  });

  it('has what an agent proposes approved by a person', async () => {
    assert.ok(agent, 'no agent was connected');
    const waiting = agent.call<Verdict>('exit_plan_mode', { plan: proposal });
    const panel = await workbench.webview('.decision', 30_000);
    await panel.getByText('Carry the books').waitFor();
    await workbench.screenshot('installed-review');
    await panel.locator('#feedback').fill('Ask for the lift first.');
    await panel.getByRole('button', { name: 'Approve', exact: true }).click();
    const verdict = await waiting;
    assert.deepEqual([verdict.decision, verdict.decided_by], ['approved', 'editor']);
    assert.match(verdict.feedback ?? '', /lift/);
  });

  it('takes a plan from the queue to the history, where it is found', async () => {
    await workbench.runCommand('9plan: Pull Next Plan');
    await workbench.page.locator('[aria-label^="Active plan: Draw the floor plan"]').waitFor();
    await workbench.webview('.approach .preview .block, .approach');
    await workbench.screenshot('installed-pulled');
    await workbench.runCommand('9plan: Complete Plan…');
    await workbench.answer('The plan is in rooms.pdf, at a scale of 1 to 50.');
    await workbench.row('Queue', 'Draw the floor plan').waitFor({ state: 'detached' });
    await workbench.runCommand('9plan: Search History…');
    await workbench.answer('scale of rooms');
    await workbench.row('History', 'Draw the floor plan').waitFor();
    await workbench.screenshot('installed-found');
    const next = await agent?.call('9plan_queue_pull');
    assert.equal(next?.goal, 'Order the boxes', 'what waited for it is ready');
  });
});
