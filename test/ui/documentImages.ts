// `npm run images`: makes the pictures of the documents from a window on the sample folder.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { root, say } from '../../scripts/lib/run.mjs';
import { makeSample } from '../../scripts/lib/sample.mjs';
import { exitOnSignals, scratchFolder } from '../../scripts/lib/scratch.mjs';
import { selectWords } from './inPage.mjs';
import { openWorkbench } from './openWorkbench';
import type { Workbench } from './workbench';

const folder = path.join(root, 'docs/images');

async function makeImages(): Promise<void> {
  exitOnSignals();
  await mkdir(folder, { recursive: true });
  const sample = await scratchFolder('images');
  const workspace = path.join(sample.path, 'field-notes');
  await makeSample(workspace);
  const workbench = await openWorkbench({ workspace, size: { width: 1280, height: 760 } });
  try {
    await workbench.useTheme('light');
    await workbench.openContainer('9plan');
    await queue(workbench);
    await review(workbench);
  } finally {
    await workbench.close();
    await sample.remove();
  }
}

async function queue(workbench: Workbench): Promise<void> {
  // The sample opens with its README, which would come over the plan.
  await workbench.page.getByRole('tab', { name: /README/ }).waitFor();
  await workbench.runCommand('View: Close All Editors');
  await workbench.row('Queue', 'Queue changes while there is no network').click();
  const editor = await workbench.webview('main');
  await editor.getByText('Append each change to an outbox').waitFor();
  await shoot(workbench, 'queue');
}

async function review(workbench: Workbench): Promise<void> {
  await workbench.runCommand('View: Close All Editors');
  await workbench.statusItem('Plan to approve').click();
  const panel = await workbench.webview('.decision button:enabled');
  await panel.evaluate(selectWords, 'one change at a time');
  await panel.getByRole('button', { name: 'Comment on the selection' }).click();
  await workbench.page.keyboard.type('Send ten at once: the server gives each a number anyway.');
  await workbench.page.keyboard.press('Escape');
  await shoot(workbench, 'review');
}

async function shoot({ page }: Workbench, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  // What moved is to have come to rest.
  await page.waitForTimeout(600);
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  say(path.relative(root, file));
}

void makeImages();
