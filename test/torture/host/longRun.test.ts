// A server and the editor itself, in a real VS Code, under steady load: neither may grow. `npm run torture -- long`.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { act, labels, rows, until, workbench } from '../../host/support';
import { LineClient } from '../../support/lineClient';
import { liveMemoryIn, Trend } from '../support/processUse';
import { steadyLoad } from '../support/steadyLoad';

const SECONDS = Number(process.env.LONG_RUN_SECONDS ?? 1800);
/** Milliseconds; the machine may be busy. */
const SHOWN_WITHIN = 20_000;

describe('A long run', () => {
  it(`of a server and the editor (${SECONDS} s) makes neither grow`, async function () {
    this.timeout((SECONDS + 120) * 1000);
    const { parts } = await workbench();
    const scratch = await mkdtemp(path.join(tmpdir(), '9plan-long-'));
    const folder = path.join(scratch, '.9plan');
    const settings = vscode.workspace.getConfiguration('nineplan');
    await settings.update('storePath', folder, vscode.ConfigurationTarget.Workspace);
    await until('the window has gone there', () => parts.state.planning?.storeFolder === folder, SHOWN_WITHIN);
    await vscode.commands.executeCommand('nineplan.queue.focus');
    const extension = vscode.extensions.getExtension('nineplan.9plan')?.extensionPath ?? '';
    const server = path.join(extension, 'dist', 'mcp-server.js');
    const telling = path.join(extension, 'test/torture/support/liveMemory.cjs');
    const LIVE_MEMORY = path.join(scratch, 'server.live');
    const env = { ELECTRON_RUN_AS_NODE: '1', NINEPLAN_SESSIONS_PATH: folder, NINEPLAN_LOG_LEVEL: 'error', LIVE_MEMORY };
    const client = new LineClient(process.execPath, ['--require', telling, server], env);
    await client.initialize();
    const { liveMemory }: { liveMemory(): number } = createRequire(telling)(telling);
    const trends = [
      new Trend('server', Number(client.child.pid), liveMemoryIn(LIVE_MEMORY)),
      new Trend('editor', process.pid, liveMemory),
    ];
    let round = 0;
    const { rounds, calls } = await steadyLoad(
      client,
      async (session) => {
        await act('nineplan.session.switch', [session]);
        await until('the session is shown', () => parts.state.planning?.session?.name === session, SHOWN_WITHIN);
        assert.ok(labels(await rows(parts.views.queue)).length > 0);
        // A page of its own comes and goes, too, though not in every round: it takes a second.
        if (round++ % 5 === 0) {
          await vscode.commands.executeCommand('nineplan.plan.open', parts.state.planning?.queue[0]?.id);
          await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        }
        await act('nineplan.session.delete', [session], true);
      },
      trends,
      SECONDS * 1000,
    );
    const growth = trends.flatMap((trend) => trend.growth());
    const entry = {
      what: `A server and the editor in VS Code at work on one store for ${SECONDS / 60} minutes: ${rounds} rounds`,
      calls,
      figures: `From the second quarter to the last: ${trends.map(({ figures }) => figures).join('; ')}`,
    };
    if (process.env.LONG_RUN_ENTRY) writeFileSync(process.env.LONG_RUN_ENTRY, JSON.stringify(entry));
    await client.close();
    await settings.update('storePath', undefined, vscode.ConfigurationTarget.Workspace);
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    assert.deepEqual(growth, []);
  });
});
