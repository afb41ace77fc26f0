// A folder with a queue to look at, filled by a real MCP client over stdio.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { root } from './run.mjs';

/**
 * Fills the folder, unless it has a store already: what a person did in it stays.
 *
 * @param {string} folder absolute
 */
export async function makeSample(folder) {
  const store = path.join(folder, '.9plan');
  if (existsSync(store)) return;
  const piece = JSON.parse(await readFile(path.join(root, 'scripts/lib/sample.json'), 'utf8'));
  await mkdir(path.join(folder, '.vscode'), { recursive: true });
  await writeFile(path.join(folder, 'README.md'), readme(piece));
  const settings = { 'workbench.startupEditor': 'readme', 'git.openRepositoryInParentFolders': 'never' };
  await writeFile(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings, null, 2));
  const client = new Client({ name: 'sample', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'dist/mcp-server.js')],
      cwd: folder,
      env: { NINEPLAN_SESSIONS_PATH: store, NINEPLAN_LOG_LEVEL: 'warn' },
      stderr: 'inherit',
    }),
  );
  /** @param {string} name @param {Record<string, unknown>} args */
  const call = async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: args });
    if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
    return /** @type {Record<string, unknown>} */ (answer.structuredContent ?? {});
  };
  try {
    await call('9plan_session_create', { task_description: piece.task });
    await call('9plan_queue_add_batch', { plans: piece.plans });
    for (const outcome of piece.outcomes) {
      await call('9plan_queue_pull');
      await call('9plan_plan_complete', { outcome });
    }
    await call('9plan_queue_pull');
  } finally {
    await client.close();
  }
}

/** @param {{ title: string, task: string }} piece */
function readme({ title, task }) {
  return `# ${title}

${task}

An agent has split this task into plans. Open **9plan** in the activity bar: two plans are done, one is being worked on,
the others wait in the queue.

- Click a plan to read it. Drag plans to change their order.
- Run **9plan: Complete Plan…** from the command palette, then **9plan: Pull Next Plan**.
- Look for a word in **History**.
- In agent mode, ask: *Resume the 9plan session of this folder and work on the next plan.*
`;
}
