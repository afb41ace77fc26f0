// What one start of the extension costs, as a line of test-results/activations.ndjson. There is one start a window, so
// `npm run bench -- editor` opens several, and makes figures of the lines.

import { strict as assert } from 'node:assert';
import { appendFileSync, cpSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until, workbench } from '../../host/support';
import { threadTime } from '../figures';

const ID = 'nineplan.9plan';
const root = vscode.extensions.getExtension(ID)?.extensionPath ?? '';

interface Mark {
  name: string;
  /** Milliseconds of the wall clock. */
  startTime: number;
}

/**
 * Milliseconds that VS Code took to load the extension's code, by the marks that it leaves for itself. The time that it
 * shows to people begins earlier, before it loads other extensions that start at the same moment.
 */
function loading(): number {
  const marks: Mark[] = Reflect.get(globalThis, 'MonacoPerformanceMarks').getMarks();
  const [will, did] = ['will', 'did'].map((when) =>
    marks.find(({ name }) => name === `code/extHost/${when}LoadExtensionCode/${ID}`),
  );
  assert.ok(will && did, 'VS Code marks when it loads an extension');
  return did.startTime - will.startTime;
}

/** Milliseconds that the call of `activate` took, as VS Code tells. */
async function calling(): Promise<number> {
  await vscode.commands.executeCommand('perfview.show');
  const row = () =>
    vscode.workspace.textDocuments
      .map((document) => /^\|?\s*nineplan\.9plan\s*\|.*$/im.exec(document.getText())?.[0])
      .find(Boolean);
  await until('VS Code tells what extensions cost', () => row() !== undefined, 20_000);
  // | id | eager | load | call | finish | …
  const [, , , , call] = (row() ?? '').split('|').map((cell) => cell.trim());
  return Number(call);
}

/** Milliseconds that this thread computes to load the extension's code anew, from a copy that V8 has not seen. */
function computingToLoad(): number {
  const copy = mkdtempSync(path.join(__dirname, 'dist-'));
  cpSync(path.join(root, 'dist'), copy, { recursive: true });
  const before = threadTime();
  require(path.join(copy, 'extension.js'));
  return threadTime() - before;
}

it('the extension starts', async function () {
  this.timeout(60_000);
  await workbench();
  const start = { took: loading() + (await calling()), computing: computingToLoad() };
  appendFileSync(path.join(root, 'test-results/activations.ndjson'), `${JSON.stringify(start)}\n`);
});
