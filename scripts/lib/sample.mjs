// A folder with a queue to look at, filled by a real MCP client over stdio.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { root } from './run.mjs';

/**
 * @typedef {object} Piece a piece of work, as an agent left it
 * @property {string} title
 * @property {string} task
 * @property {{ goal: string }[]} plans in the order of the queue
 * @property {string[]} outcomes of the first ones, which are done
 * @property {Record<string, string[]>} waits by goal, the goals that come first
 * @property {{ plan: string, todos: string[] }} proposal
 */

/**
 * Fills the folder, unless it has a store already: what a person did in it stays.
 *
 * @param {string} folder absolute
 */
export async function makeSample(folder) {
  const store = path.join(folder, '.9plan');
  if (existsSync(store)) return;
  /** @type {Piece} */
  const piece = JSON.parse(await readFile(path.join(root, 'scripts/lib/sample.json'), 'utf8'));
  await mkdir(path.join(folder, '.vscode'), { recursive: true });
  await writeFile(path.join(folder, 'README.md'), readme(piece));
  const settings = { 'workbench.startupEditor': 'readme', 'git.openRepositoryInParentFolders': 'never' };
  await writeFile(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings, null, 2));
  const client = new Client({ name: 'sample-agent', version: '1.0.0' });
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
    return /** @type {any} */ (answer.structuredContent ?? {});
  };
  try {
    await call('9plan_session_create', { task_description: piece.task });
    const { plans } = await call('9plan_queue_add_batch', { plans: piece.plans });
    const id = (/** @type {string} */ goal) => plans[piece.plans.findIndex((plan) => plan.goal === goal)]?.plan_id;
    for (const [goal, blockers] of Object.entries(piece.waits)) {
      await call('task_dep', { id: id(goal), add: blockers.map(id) });
    }
    for (const outcome of piece.outcomes) {
      await call('9plan_queue_pull');
      await call('9plan_plan_complete', { outcome });
    }
    await call('9plan_queue_pull');
    const todos = piece.proposal.todos.map((content) => ({ content, status: 'pending' }));
    await call('exit_plan_mode', { plan: piece.proposal.plan, todos });
  } finally {
    await client.close();
  }
}

/** @param {Piece} piece */
function readme({ title, task, outcomes }) {
  return `# ${title}

${task}

An agent has split this task into plans. Open **9plan** in the activity bar: ${outcomes.length} plans are done, one is being worked on,
the others wait in the queue, some of them for each other. And the agent asks you something.

- Click a plan to read it. Drag plans to change their order.
- Click **Plan to approve** in the status bar, select words of the proposal to comment on them, and decide.
- Run **9plan: Complete Plan…** from the command palette, then **9plan: Pull Next Plan**.
- Look for *photo* in **History**: how long does one take to send?
- Run **9plan: Show Dependencies** for a picture of what waits for what.
- In agent mode, ask: *Resume the 9plan session of this folder and work on the next plan.*
`;
}
