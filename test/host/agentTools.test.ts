import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { LineClient } from '../support/lineClient';
import { act, labels, rows, startSession, until, workbench } from './support';

describe('the server that agents get', () => {
  it('is defined whole, on this window’s store', async () => {
    const { mcp, parts } = await workbench();
    const [server, ...others] = await mcp.provideMcpServerDefinitions();
    assert.ok(server);
    assert.equal(others.length, 0);
    assert.equal(server.label, '9plan');
    assert.equal(server.command, process.execPath);
    assert.ok(existsSync(server.args[0] as string), server.args[0]);
    assert.equal(server.env.ELECTRON_RUN_AS_NODE, '1');
    assert.equal(server.env.NINEPLAN_SESSIONS_PATH, await parts.connection.storeFolder());
    assert.equal(server.cwd?.toString(), vscode.workspace.workspaceFolders?.[0]?.uri.toString());
    assert.equal(server.version, vscode.extensions.getExtension('nineplan.9plan')?.packageJSON.version);
  });

  it('follows the settings, and says so', async () => {
    const { mcp } = await workbench();
    const settings = vscode.workspace.getConfiguration('nineplan');
    const told = new Promise<void>((resolve) => {
      const listening = mcp.onDidChangeMcpServerDefinitions(() => {
        listening.dispose();
        resolve();
      });
    });
    try {
      await settings.update('toolsets', ['queue'], vscode.ConfigurationTarget.Global);
      await told;
      const [server] = await mcp.provideMcpServerDefinitions();
      assert.equal(server?.env.NINEPLAN_TOOLSETS, 'queue');
      assert.match(server?.version ?? '', /\+queue$/, 'or VS Code goes on with the tools that it knew');
    } finally {
      await settings.update('toolsets', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('runs, and what an agent does with its tools shows in the window', async () => {
    const { parts } = await workbench();
    await startSession('for the agent');
    // VS Code asks a new extension for its servers only a moment after it is active.
    await until(
      'VS Code knows the server',
      async () => {
        await vscode.commands.executeCommand('workbench.mcp.startServer', 'nineplan.9plan/9plan', {
          waitForLiveTools: true,
        });
        return vscode.lm.tools.some((tool) => tool.name === 'mcp_9plan_9plan_queue_pull');
      },
      20_000,
    );
    const sessionName = parts.state.planning?.session?.name;
    await vscode.lm.invokeTool('mcp_9plan_9plan_session_resume', {
      input: { session_name: sessionName },
      toolInvocationToken: undefined,
    });
    await vscode.lm.invokeTool('mcp_9plan_9plan_queue_pull', { input: {}, toolInvocationToken: undefined });
    await until('the pull shows', () => parts.state.planning?.active?.goal === 'for the agent');
  });

  it('shares one queue with the person and with servers of other agents', async () => {
    const { parts } = await workbench();
    await startSession('of the person');
    const { storeFolder, session } = parts.state.planning ?? assert.fail('nothing is shown');
    const session_name = session?.name;
    const env = { ELECTRON_RUN_AS_NODE: '1', NINEPLAN_SESSIONS_PATH: storeFolder };
    const { extensionPath } = vscode.extensions.getExtension('nineplan.9plan') ?? assert.fail();
    const server = () => new LineClient(process.execPath, [`${extensionPath}/dist/mcp-server.js`], env);
    const [one, other] = [server(), server()];
    try {
      await Promise.all([one.initialize(), other.initialize()]);
      const sections = { context: 'c', approach: 'a', success_criteria: 's' };
      await one.call('9plan_queue_add', { ...sections, goal: 'of one agent', session_name });
      await vscode.lm.invokeTool('mcp_9plan_9plan_queue_add', {
        input: { ...sections, goal: 'of agent mode', session_name },
        toolInvocationToken: undefined,
      });
      const shown = async () => labels(await rows(parts.views.queue));
      await until('the tree shows all three', async () => (await shown()).length === 3);
      assert.deepEqual(await shown(), ['of the person', 'of one agent', 'of agent mode']);

      await act('nineplan.queue.pull', []);
      const pulled = await other.call('9plan_session_resume', { session_name });
      assert.equal((pulled.active_plan as { goal: string }).goal, 'of the person');
      await assert.rejects(one.call('9plan_queue_pull', { session_name }), /PLAN_ALREADY_ACTIVE/);

      await act('nineplan.plan.complete', [], { outcome: 'Done by the person.' });
      await other.call('9plan_queue_pull', { session_name });
      await until('the tree shows whose it is', () => parts.state.planning?.active?.goal === 'of one agent');
      const report = await one.call('9plan_admin_validate', { session_name });
      assert.deepEqual(report.issues, []);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('is found healthy by the diagnosis, and what is wrong is found', async () => {
    assert.deepEqual(await diagnose(), []);
    const settings = vscode.workspace.getConfiguration('nineplan');
    try {
      await settings.update('nodePath', '/nowhere/node', vscode.ConfigurationTarget.Global);
      const [wrong, ...others] = await diagnose();
      assert.match(wrong ?? '', /does not start.*ENOENT/);
      assert.deepEqual(others, []);
    } finally {
      await settings.update('nodePath', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  /** The findings that are not fine. */
  async function diagnose(): Promise<string[]> {
    const dialogs = await act('nineplan.tools.diagnose', [], undefined);
    assert.ok((dialogs.offered[0]?.length ?? 0) >= 6);
    return (dialogs.offered[0] ?? []).filter((label) => !label.startsWith('$(pass)'));
  }
});
