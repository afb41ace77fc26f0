// `npm start -- --smoke`: opens the extension on the sample folder and works its queue once, as a person would.

import { say } from '../../scripts/lib/run.mjs';
import { makeSample } from '../../scripts/lib/sample.mjs';
import { exitOnSignals, scratchFolder } from '../../scripts/lib/scratch.mjs';
import { openWorkbench } from './openWorkbench';
import type { Workbench } from './workbench';

async function smoke(): Promise<void> {
  exitOnSignals();
  const folder = await scratchFolder('smoke');
  try {
    await makeSample(folder.path);
    const workbench = await openWorkbench({ workspace: folder.path });
    try {
      await workQueue(workbench);
    } catch (error) {
      say(`what the window showed: ${await workbench.screenshot('smoke-failure')}`);
      throw error;
    } finally {
      await workbench.close();
    }
  } finally {
    await folder.remove();
  }
}

async function workQueue(workbench: Workbench): Promise<void> {
  const active = 'Queue changes while there is no network';
  const next = 'Accept a change once, however often it is sent';
  await workbench.openContainer('9plan');
  await workbench.row('Queue', active).waitFor();
  await workbench.row('Queue', next).waitFor();
  say('the queue shows');

  await workbench.runCommand('9plan: Complete Plan…');
  await workbench.answer('`Outbox` is in src/sync/outbox.ts: every change arrives once, in order.');
  await workbench.row('Queue', active).waitFor({ state: 'detached' });
  say('completed the active plan');

  await workbench.runCommand('9plan: Pull Next Plan');
  await workbench.row('Queue', next).and(workbench.page.locator('[aria-label^="Active plan"]')).waitFor();
  say('pulled the next one');
}

// A rejection ends the process with its error and a code other than 0.
void smoke().then(() => say('smoke test passed'));
