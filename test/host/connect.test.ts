import { strict as assert } from 'node:assert';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { LineClient } from '../support/lineClient';
import { act, ScriptedDialogs, startSession, until, workbench } from './support';

interface Entry {
  command: string;
  args: string[];
  env: Record<string, string>;
}

describe('connecting another agent', () => {
  let file: string;
  before(async () => {
    const { parts } = await workbench();
    file = join(parts.connection.folder?.uri.fsPath ?? '', '.mcp.json');
  });
  afterEach(() => rmSync(file, { force: true }));

  const entry = (): Entry => JSON.parse(readFileSync(file, 'utf8')).mcpServers['9plan'];

  it('writes a configuration with which the agent reaches the queue of this window', async () => {
    const [plan] = await startSession('Reached by Claude Code');
    const dialogs = await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    assert.match(dialogs.said.join(), /Claude Code finds 9plan/);
    const { command, args, env } = entry();
    const client = new LineClient(command, args, { ...env, PATH: '/usr/bin:/bin' });
    await client.initialize();
    assert.equal((await client.call('9plan_queue_pull')).plan_id, plan);
    await client.close();
  });

  it('keeps what stands there, and puts it back on request', async () => {
    const before = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
    writeFileSync(file, before, { mode: 0o640 });
    const dialogs = await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    assert.match(readFileSync(file, 'utf8'), /\/\/ mine/);
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.deepEqual(dialogs.unused, 0);

    writeFileSync(file, before);
    await undoing(() => act('nineplan.agent.connect', [], 'Claude Code', 'write'));
    await until('the file is as before', () => readFileSync(file, 'utf8') === before);
  });

  it('takes away a file that was not there', async () => {
    await undoing(() => act('nineplan.agent.connect', [], 'Claude Code', 'write'));
    await until('the file is gone', () => !existsSync(file));
  });

  it('is taken back later, to the byte', async () => {
    const before = '{"mcpServers" :{},\r\n /* mine */ "other": 1 }';
    writeFileSync(file, before);
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    await act('nineplan.agent.disconnect', [], 'Claude Code', 'write');
    assert.equal(readFileSync(file, 'utf8'), before);
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    await act('nineplan.agent.connect', [], 'Claude Code', 'disconnect', 'write');
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('is taken back from a file that was changed since, without touching the change', async () => {
    writeFileSync(file, '{"mcpServers": {}}');
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{"mcpServers"', '{"mine":  true,"mcpServers"'));
    await act('nineplan.agent.disconnect', [], 'Claude Code', 'write');
    const text = readFileSync(file, 'utf8');
    assert.ok(text.startsWith('{"mine":  true,"mcpServers"'), text);
    assert.deepEqual(JSON.parse(text), { mine: true, mcpServers: {} });
  });

  it('is taken back by removing a file that was made for it, which can be undone', async () => {
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    const made = readFileSync(file, 'utf8');
    await act('nineplan.agent.disconnect', [], 'Claude Code', 'write');
    assert.ok(!existsSync(file));
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    await undoing(() => act('nineplan.agent.disconnect', [], 'Claude Code', 'write'));
    await until('the file is back', () => existsSync(file) && readFileSync(file, 'utf8') === made);
  });

  it('is taken back wholly if it was renewed since', async () => {
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"command": "[^"]+"/, '"command": "/of/before"'));
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    await act('nineplan.agent.disconnect', [], 'Claude Code', 'write');
    assert.doesNotMatch(readFileSync(file, 'utf8'), /9plan/);
  });

  it('leaves everything as it is when the person closes the preview of disconnecting', async () => {
    await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    const made = readFileSync(file, 'utf8');
    await act('nineplan.agent.disconnect', [], 'Claude Code', undefined);
    assert.equal(readFileSync(file, 'utf8'), made);
  });

  it('says so when there is none to be taken back', async () => {
    const dialogs = await act('nineplan.agent.disconnect', []);
    assert.match(dialogs.said.join(), /No agent is connected/);
  });

  it('writes nothing when the person gives up, and leaves no tab behind', async () => {
    await act('nineplan.agent.connect', [], 'Claude Code', undefined);
    assert.ok(!existsSync(file));
    const labels = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
    assert.deepEqual(
      labels.filter((label) => label.includes('with 9plan')),
      [],
    );
  });

  it('copies the configuration instead', async () => {
    await act('nineplan.agent.connect', [], 'Claude Code', 'copy');
    assert.ok(!existsSync(file));
    assert.ok('9plan' in JSON.parse(await vscode.env.clipboard.readText()).mcpServers);
  });

  it('leaves a file alone that it does not understand', async () => {
    const broken = '{ "mcpServers": {';
    writeFileSync(file, broken);
    const dialogs = await act('nineplan.agent.connect', [], 'Claude Code');
    assert.match(dialogs.said.join(), /left as it is: line 1/);
    assert.equal(readFileSync(file, 'utf8'), broken);
  });

  it('writes nowhere else when the project’s folder became a link while the preview was open', async () => {
    const cursor = join(dirname(file), '.cursor');
    const elsewhere = mkdtempSync(join(tmpdir(), '9plan-elsewhere-'));
    const { answerTo } = ScriptedDialogs.prototype;
    ScriptedDialogs.prototype.answerTo = async <A extends string>(_: vscode.Uri, answers: readonly A[]) => {
      symlinkSync(elsewhere, cursor, 'junction');
      return answers.find((answer) => answer === 'write');
    };
    try {
      const dialogs = await act('nineplan.agent.connect', [], 'Cursor');
      assert.match(dialogs.said.join(), /left as it is: it is a link/);
      assert.deepEqual(readdirSync(elsewhere), []);
    } finally {
      ScriptedDialogs.prototype.answerTo = answerTo;
      rmSync(cursor, { force: true });
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('leaves a file alone that has unsaved changes in the editor', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'off', vscode.ConfigurationTarget.Workspace);
    writeFileSync(file, '{}');
    const document = await vscode.workspace.openTextDocument(file);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 1), ' ');
    await vscode.workspace.applyEdit(edit);
    const dialogs = await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    assert.match(dialogs.said.join(), /changed elsewhere/);
    assert.equal(readFileSync(file, 'utf8'), '{}');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await files.update('autoSave', undefined, vscode.ConfigurationTarget.Workspace);
  });

  it('serves all projects with one entry where the agent starts in them', async () => {
    const config = join(homedir(), '.codex', 'config.toml');
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, '# mine\nmodel = "m"\n');
    await act('nineplan.agent.connect', [], 'Codex', 'write');
    const text = readFileSync(config, 'utf8');
    assert.ok(text.startsWith('# mine\nmodel = "m"\n\n[mcp_servers.9plan]\n'), text);
    assert.doesNotMatch(text, /NINEPLAN_SESSIONS_PATH/);
    rmSync(dirname(config), { recursive: true });
  });

  it('keeps copies of what it replaced where only the person can read them', async () => {
    writeFileSync(file, '{ "key": "secret" }');
    const dialogs = await act('nineplan.agent.connect', [], 'Claude Code', 'write');
    assert.match(dialogs.said.join(), /finds 9plan/);
    const backups = join(dirname(entry().command), 'backups');
    const copies = readdirSync(backups).filter((name) => readFileSync(join(backups, name), 'utf8').includes('secret'));
    assert.equal(copies.length, 1);
    assert.equal(statSync(join(backups, copies[0] as string)).mode & 0o777, 0o600);
  });
});

/** Clicks Undo in whatever message comes. */
async function undoing(run: () => ReturnType<typeof act>): Promise<void> {
  const tell = ScriptedDialogs.prototype.tell;
  ScriptedDialogs.prototype.tell = async (_severity, _message, ...actions) => actions.find((one) => one === 'Undo');
  try {
    await run();
  } finally {
    ScriptedDialogs.prototype.tell = tell;
  }
}
