import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { run } from '../../scripts/lib/run.mjs';
import { makeSample } from '../../scripts/lib/sample.mjs';
import { Agent } from './agent';
import { openWorkbench } from './openWorkbench';
import type { Workbench } from './workbench';

describe('a window without a folder', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ workspace: 'none' });
    await workbench.openContainer('9plan');
  });
  after(() => workbench?.close());

  it('says in each view that a folder is needed, with the way to open one', async () => {
    await workbench.unfold('History');
    for (const view of ['Queue', 'History', 'Sessions']) {
      await workbench.view(view).getByText('Plans are kept in a folder of your project.').waitFor();
      await workbench.view(view).getByRole('button', { name: 'Open Folder' }).waitFor();
    }
    await workbench.screenshot('no-folder');
  });

  it('answers a command with what to do', async () => {
    await workbench.runCommand('9plan: Add a Plan…');
    await workbench.notifications.getByText('Open a folder first.').waitFor();
  });
});

describe('a window with two folders', () => {
  let scratch: string;
  let workbench: Workbench;

  before(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), '9plan-roots-'));
    const file = path.join(scratch, 'two.code-workspace');
    await mkdir(path.join(scratch, 'empty'));
    await makeSample(path.join(scratch, 'notes'));
    await writeFile(file, JSON.stringify({ folders: [{ path: 'empty' }, { path: 'notes' }] }));
    workbench = await openWorkbench({ workspace: file });
    await workbench.openContainer('9plan');
  });

  after(async () => {
    await workbench?.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  it('says whose plans are shown, and shows another folder’s when told to', async () => {
    await workbench.view('Queue').getByText('Start a Session').waitFor();
    await workbench.view('Queue').locator('.pane-header', { hasText: 'empty' }).waitFor();
    await workbench.runCommand('9plan: Choose Store Folder…');
    await workbench.pick('notes');
    await workbench.row('Queue', 'Queue changes while there is no network').waitFor();
    await workbench.view('Queue').locator('.pane-header', { hasText: 'notes' }).waitFor();
    await workbench.screenshot('two-folders');
  });
});

describe('a window on several sessions, of which nobody has chosen one', () => {
  let folder: string;
  let workbench: Workbench;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-sessions-'));
    const agent = await Agent.connect(folder);
    for (const goal of ['Paint the fence', 'Mow the lawn']) {
      await agent.call('9plan_session_create', { task_description: `${goal} before winter` });
      await agent.call('9plan_queue_add', { goal, context: 'c', approach: 'a', success_criteria: 's' });
    }
    await agent.close();
    workbench = await openWorkbench({ workspace: folder });
    await workbench.openContainer('9plan');
  });

  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('offers to choose one', async () => {
    const queue = workbench.view('Queue');
    const choose = queue.getByRole('button', { name: 'Choose a Session' });
    await choose.waitFor();
    assert.equal(await queue.getByRole('button', { name: 'Start a Session' }).count(), 0);
    await workbench.screenshot('no-session-chosen');
    await choose.click();
    await workbench.pick('Mow the lawn');
    await workbench.row('Queue', 'Mow the lawn').waitFor();
  });
});

describe('a window on a store that can’t be read', () => {
  let folder: string;
  let workbench: Workbench;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-unreadable-'));
    await makeSample(folder);
    const store = path.join(folder, '.9plan');
    for (const name of (await readdir(store)).filter((one) => one.startsWith('journal-'))) {
      await rm(path.join(store, name));
      await symlink(path.join(folder, 'elsewhere'), path.join(store, name));
    }
    workbench = await openWorkbench({ workspace: folder });
    await workbench.openContainer('9plan');
  });

  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('says why, and repairs it after a backup', async () => {
    const queue = workbench.view('Queue');
    await queue.getByText('is no ordinary file').waitFor();
    await workbench.screenshot('unreadable');
    await workbench.row('Queue', 'Validate and Repair…').click();
    await workbench.notifications.getByText('How everything was before is kept in').waitFor();
    await workbench.row('Queue', 'Queue changes while there is no network').waitFor();
    await workbench.screenshot('repaired');
    const names = await readdir(path.join(folder, '.9plan'));
    assert.equal(names.filter((name) => name.startsWith('backup-')).length, 1, names.join());
    assert.ok(!(await readdir(folder)).includes('elsewhere'));
  });
});

describe('Restricted Mode', () => {
  let folder: string;
  let workbench: Workbench;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-restricted-'));
    const workspace = path.join(folder, 'field-notes');
    await makeSample(workspace);
    const vsix = path.join(folder, '9plan.vsix');
    await run(process.execPath, ['scripts/package.mjs', '--no-build', '--out', vsix], { quiet: true });
    workbench = await openWorkbench({ workspace, vsix, trusted: false });
    await workbench.openContainer('9plan');
  });

  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shows the plans and changes nothing', async () => {
    await workbench.row('Queue', 'Queue changes while there is no network').waitFor();
    await workbench.view('Queue').getByText('Restricted Mode').waitFor();
    await workbench.rowAction('Queue', 'Shrink photos before they are sent', 'Move Plan Up');
    await workbench.notifications.getByText('plans are shown but not changed').waitFor();
    await workbench.screenshot('restricted');
  });

  it('starts no server, and says why when it is asked', async () => {
    await workbench.runCommand('9plan: Why Does My Agent Not See the Tools?');
    await workbench.quickInput.getByText('This folder is not trusted, so no server is started').waitFor();
    await workbench.page.keyboard.press('Escape');
    if (process.platform === 'linux') assert.deepEqual(await serversOf(workbench), []);
    assert.deepEqual(
      await readdir(path.join(folder, 'field-notes/.9plan')).then((names) => names.includes('windows')),
      false,
    );
  });
});

/** Command lines of the MCP servers among the descendants of the window's VS Code. */
async function serversOf({ server }: Workbench): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
  return stdout
    .split('\n')
    .filter((line) => line.includes('mcp-server.js') && line.includes(path.dirname(server.userDataDir)));
}
