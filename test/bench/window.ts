// What a person waits for in the pages of a real window: prints a table, and adds its rows to those of the editor.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/run.mjs';
import { exitOnSignals } from '../../scripts/lib/scratch.mjs';
import { measureKeys, paintingTime } from '../ui/inPage.mjs';
import { PlanEditorDriver } from '../ui/planEditorDriver';
import { hostilePlan, ReviewDriver } from '../ui/reviewDriver';
import { budgeted, median, percentile, type Row, table } from './figures';

const FILE = path.join(root, 'test-results/bench-editor.json');
const STEP = '- **Step**: look at `code`, then [follow](src/a.ts) it to the end.\n';

async function keys(): Promise<Row[]> {
  const driver = await PlanEditorDriver.open();
  try {
    const approach = STEP.repeat(200_000 / STEP.length).trim();
    const { editor } = await driver.openPlan({ context: 'c', goal: 'Type on', approach, success_criteria: 's' });
    await driver.box(editor, 'Approach').click();
    await driver.press('Control+End');
    const costs = await editor.evaluateHandle(measureKeys);
    for (let i = 0; i < 5; i++) {
      // With pauses, in which the preview follows and the text goes into the document.
      await driver.type(' and so on and on, for a hundred keys or so, until there is a median');
      await driver.page.waitForTimeout(1000);
    }
    const all = await costs.evaluate((list) => list);
    return [
      budgeted(`a key in the plan editor, 200 kB, p50 of ${all.length}`, median(all), 'ms', 16),
      budgeted('a key in the plan editor, 200 kB, p95', percentile(all, 0.95), 'ms', 16),
    ];
  } finally {
    await driver.closeEditors();
    await driver.close();
  }
}

/** From the message that brought the plan until it was painted. */
async function reviews(): Promise<Row[]> {
  const driver = await ReviewDriver.open();
  try {
    const call = driver.submit(hostilePlan(2000));
    const times: number[] = [];
    for (let run = 0; run < 7; run++) {
      if (run > 0) {
        await driver.workbench.closeEditors();
        await driver.workbench.statusItem('Plan to approve').click();
      }
      const panel = await driver.panel('Hostile plan');
      await panel.waitForFunction(paintingTime);
      times.push((await panel.evaluate(paintingTime)) ?? Number.NaN);
    }
    await driver.press(await driver.panel('Hostile plan'), 'Reject');
    await call;
    return [budgeted('a plan of 2,000 lines in the review panel', median(times), 'ms', 300)];
  } finally {
    await driver.close();
  }
}

async function measure(): Promise<void> {
  exitOnSignals();
  const rows = [...(await keys()), ...(await reviews())];
  const before: Row[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];
  writeFileSync(FILE, `${JSON.stringify([...before, ...rows], null, 2)}\n`);
  console.log(table(rows));
}

void measure();
