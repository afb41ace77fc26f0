import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent } from './agent';
import { openWorkbench } from './openWorkbench';
import type { Workbench } from './workbench';

describe('the offer to run the next plan', () => {
  let folder: string;
  let agent: Agent;
  let workbench: Workbench;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-offer-'));
    agent = await Agent.connect(folder);
    await agent.call('9plan_session_create', { task_description: 'Move house' });
    workbench = await openWorkbench({ workspace: folder, settings: { 'nineplan.offerNextPlan': true } });
    await workbench.openContainer('9plan');
    // What was ready before the window followed the store is not offered.
    await workbench.row('Sessions', 'Move house').waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.screenshot('offer-failure');
  });

  after(async () => {
    await workbench?.close();
    await agent?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is a notification with one way to go on: the plan is taken, and the chat opens with the request', async () => {
    const plan = {
      goal: 'Pack the **books** `[first](command:x)`',
      context: 'c',
      approach: 'a',
      success_criteria: 's',
    };
    const { plan_id } = await agent.call('9plan_queue_add', plan);
    const offer = workbench.notifications.filter({ hasText: 'is next in the queue' });
    await offer.waitFor({ timeout: 30_000 });
    await workbench.screenshot('offer');
    assert.match((await offer.textContent()) ?? '', /“Pack the books \[first\]\u200b\(command:x\)/);
    await offer.locator('.monaco-button', { hasText: 'Run in Agent Mode' }).click();
    await workbench.page.getByText(`Work on the active plan ${plan_id}`).first().waitFor({ timeout: 30_000 });
    assert.equal((await agent.call<{ status: string }>('task_read', { id: plan_id })).status, 'in_progress');
  });
});
