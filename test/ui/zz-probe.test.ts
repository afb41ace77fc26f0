import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent } from './agent';
import { openWorkbench } from './workbench';
describe('probe', () => {
  it('opens', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), '9plan-h-'));
    const agent = await Agent.connect(folder);
    await agent.call('9plan_session_create', { task_description: 'T' });
    await agent.call('9plan_queue_add', { context: 'Part **two**', goal: 'Goal one', approach: '1. a\n2. b', success_criteria: '- [ ] x' });
    await agent.call('9plan_queue_add', { context: 'Part **two**', goal: 'Goal two', approach: '1. a\n2. b', success_criteria: '- [ ] x' });
    const w = await openWorkbench({ workspace: folder });
    w.page.on('console', (m) => { if (/plan|9plan|csp|Content/i.test(m.text())) console.log('C', m.text().slice(0,300)); });
    try {
      await w.openContainer('9plan');
      await w.row('Queue', 'Goal two').click();
      const frame = await w.webview('#page h1').catch((e) => console.log(String(e)));
      await w.page.waitForTimeout(1500);
      await w.screenshot('h-probe', 'dark');
      console.log(frame ? await frame.locator('#page').innerText() : 'none');
      await w.screenshot('h-probe', 'light');
      await w.screenshot('h-probe', 'high-contrast');
    } finally { await w.close(); await agent.close(); await rm(folder, {recursive:true, force:true}); }
  });
});
