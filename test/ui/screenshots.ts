// `npm run screenshots`: each view and editor in three themes, at 100 % and 200 %, into test-results/screenshots, for
// people to look at. A window that shows something of every kind: blocked plans, to-dos, a plan to approve.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { root, say } from '../../scripts/lib/run.mjs';
import { makeSample } from '../../scripts/lib/sample.mjs';
import { exitOnSignals, scratchFolder } from '../../scripts/lib/scratch.mjs';
import { openWorkbench } from './openWorkbench';
import type { Theme, Workbench } from './workbench';

const folder = path.join(root, 'test-results/screenshots');

async function takeAll(): Promise<void> {
  exitOnSignals();
  await mkdir(folder, { recursive: true });
  const sample = await scratchFolder('screenshots');
  const workspace = path.join(sample.path, 'field-notes');
  await makeSample(workspace);
  const workbench = await openWorkbench({ workspace, size: { width: 1280, height: 800 } });
  try {
    await workbench.openContainer('9plan');
    await workbench.view('History').locator('.pane-header').click();
    await workbench.row('Queue', 'Empty the outbox').waitFor();
    for (const theme of ['light', 'dark', 'high-contrast'] as const) await inTheme(workbench, theme);
  } finally {
    await workbench.close();
    await sample.remove();
  }
}

async function inTheme(workbench: Workbench, theme: Theme): Promise<void> {
  await workbench.useTheme(theme);
  for (const zoom of [1, 2]) {
    const take = (name: string) => shoot(workbench, `${name}-${theme}-${zoom * 100}`);
    await workbench.zoom(zoom);
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('9plan: Focus on Queue View');
    await take('views');
    // At 200 % there is room for side bar or editor.
    if (zoom === 2) await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.runCommand('9plan: Open the Active Plan');
    await workbench.webview('.approach .preview .block');
    await take('editor');
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('9plan: Review a Plan');
    await workbench.webview('.decision button:enabled');
    await take('review');
    if (zoom === 2) await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  }
  await workbench.zoom(1);
}

async function shoot({ page }: Workbench, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  // What moved is to have come to rest.
  await page.waitForTimeout(700);
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  say(path.relative(root, file));
}

void takeAll();
