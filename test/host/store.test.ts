import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { WorkspaceStore } from '../../src/store/workspaceStore';
import { silent } from '../support/silentLog';
import { act, labels, rows, startSession, until, workbench } from './support';

describe('a session whose files went wrong', () => {
  it('is found unsound, and repaired: what is missing comes back, what is too many is asked about', async () => {
    const { parts } = await workbench();
    const [missing, kept] = await startSession('lost its file', 'keeps its file');
    const plans = await plansFolder();
    await rm(path.join(plans, `${missing}.txt`));
    const before = await readFile(path.join(plans, `${kept}.txt`), 'utf8');
    await writeFile(path.join(plans, 'zz0zz.txt'), before.replaceAll('keeps its file', 'came from somewhere'));
    await writeFile(path.join(plans, 'notes.md'), 'not a plan');

    const checked = await act('nineplan.store.validate', []);
    assert.match(checked.said[0] ?? '', /^3 things are wrong/);
    const repaired = await act('nineplan.store.repair', [], 'leave', 'queue');
    assert.match(repaired.said.join(), /notes\.md/, repaired.said.join());
    assert.ok((await readFile(path.join(plans, `${missing}.txt`), 'utf8')).includes('lost its file'));
    assert.equal(existsSync(path.join(plans, 'zz0zz.txt')), false);
    assert.ok(existsSync(path.join(plans, 'notes.md')));
    assert.deepEqual(labels(await rows(parts.views.queue)), ['lost its file', 'keeps its file', 'came from somewhere']);
    await rm(path.join(plans, 'notes.md'));
    assert.match((await act('nineplan.store.validate', [])).said[0] ?? '', /is sound/);
  });
});

describe('a store that is damaged', () => {
  const backupOf = (said: string) => /kept in (.*backup-[^ ]*)\.$/.exec(said)?.[1] ?? '';

  it('is repaired after a backup: the journal gives way, plans of a lost state are offered, unreadable files are asked about', async () => {
    const { parts } = await workbench();
    const [first] = await startSession('keeps its text', 'is only in a lost state');
    const folder = await storeFolder();
    const plans = await plansFolder();
    const lost = path.join(folder, 'rescue-of-the-test.ndjson');
    await copyFile(await journalOf(folder), lost);
    const task = parts.state.planning?.session?.name ?? '';
    await act('nineplan.session.create', [], { task: 'another' });
    await act('nineplan.session.delete', [task], true);
    assert.equal(existsSync(plans), false);

    const [kept] = await startSession('has an unreadable file');
    const unreadable = path.join(await plansFolder(), `${kept}.txt`);
    await writeFile(unreadable, 'no heading at all');
    const journal = await journalOf(folder);
    const before = await readFile(journal);

    assert.match((await act('nineplan.store.validate', [])).said[0] ?? '', /^2 things are wrong/);
    const { said, asked } = await act('nineplan.store.repair', [], 'add', 'trash');
    assert.match(asked.join(), /former state has 2 plans.*\.kept belongs to no open plan/);
    assert.match(said.at(-1) ?? '', /is sound\. How everything was before/);
    const backup = backupOf(said.at(-1) ?? '');
    assert.equal(await readFile(path.join(backup, path.relative(folder, unreadable)), 'utf8'), 'no heading at all');
    assert.ok((await readFile(path.join(backup, path.basename(journal)))).subarray(0, before.length).equals(before));
    assert.equal(existsSync(lost), false);
    assert.ok(existsSync(path.join(backup, path.basename(lost))));
    assert.match(await readFile(unreadable, 'utf8'), /# Goal\nhas an unreadable file/);
    assert.match(await readFile(path.join(plans, `${first}.txt`), 'utf8'), /keeps its text/);
    assert.match((await act('nineplan.store.validate', [])).said[0] ?? '', /is sound/);
  });

  it('and can’t be opened is repaired, too: its state comes from the image', async () => {
    const { parts } = await workbench();
    await startSession('is in the image');
    const folder = await storeFolder();
    const image = new WorkspaceStore({ folder, log: silent, snapshots: true });
    await image.read(() => undefined);
    await image.close();
    const journals = (await readdir(folder)).filter((name) => name.startsWith('journal-'));
    // In one go, when the store is closed and before the window opens it again.
    const closed = parts.connection.onDidMove(() => {
      for (const name of journals) {
        rmSync(path.join(folder, name));
        symlinkSync(path.join(folder, '..', 'elsewhere'), path.join(folder, name));
      }
    });
    await parts.connection.reopen();
    closed.dispose();
    await until('the window can’t read it', async () => {
      await parts.state.refresh();
      return parts.state.current.kind === 'failed';
    });
    assert.match((await act('nineplan.store.validate', [])).said[0] ?? '', /is no ordinary file/);
    const { said } = await act('nineplan.store.repair', []);
    assert.match(said.at(-1) ?? '', /is sound/);
    assert.deepEqual(labels(await rows(parts.views.queue)), ['is in the image']);
    assert.equal(existsSync(path.join(folder, '..', 'elsewhere')), false);
    for (const name of journals) await readlink(path.join(backupOf(said.at(-1) ?? ''), name));
  });

  async function journalOf(folder: string): Promise<string> {
    const numbers = (await readdir(folder)).flatMap((name) => /^journal-(\d+)\.ndjson$/.exec(name)?.[1] ?? []);
    return path.join(folder, `journal-${Math.max(...numbers.map(Number))}.ndjson`);
  }
});

describe('a store that is deleted under the window', () => {
  it('is told of, still shown, and restored', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('must not be lost');
    const folder = await storeFolder();
    for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true, force: true });
    await until('the window notices', () => parts.state.planning?.condition === 'deleted');
    assert.deepEqual(labels(await rows(parts.views.queue)), ['must not be lost']);
    const refused = await act('nineplan.queue.pull', []);
    assert.match(refused.said[0] ?? '', /deleted/);

    await act('nineplan.store.restore', []);
    assert.equal(parts.state.planning?.condition, 'present');
    await act('nineplan.queue.pull', []);
    assert.equal(parts.state.planning?.active?.id, id);
    assert.ok(existsSync(path.join(await plansFolder(), `${id}.txt`)));
  });
});

describe('a store that cannot be opened', () => {
  const settings = vscode.workspace.getConfiguration('nineplan');
  let scratch: string;

  before(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), '9plan-store-'));
  });

  afterEach(async () => {
    await settings.update('storePath', undefined, vscode.ConfigurationTarget.Workspace);
    const { parts } = await workbench();
    await until('the window is back on its own store', () => parts.state.current.kind === 'ready');
    await rm(scratch, { recursive: true, force: true });
  });

  it('is told of in the view, and left alone; another one is opened when the setting changes', async () => {
    const { parts, mcp } = await workbench();
    const newer = path.join(scratch, 'newer');
    const journal = path.join(newer, 'journal-1.ndjson');
    await mkdir(newer);
    await writeFile(journal, ofVersion(1000));
    await settings.update('storePath', newer, vscode.ConfigurationTarget.Workspace);
    await until('the view says so', () => parts.state.current.kind === 'failed');
    assert.deepEqual(labels(await rows(parts.views.queue)), [
      'Try Again',
      'Validate and Repair…',
      'Choose Store Folder…',
      'Show Log',
    ]);
    const refused = await act('nineplan.plan.add', []);
    assert.match(refused.said[0] ?? '', /newer version.*Update 9plan/s);
    assert.equal(await readFile(journal, 'utf8'), ofVersion(1000));

    const elsewhere = path.join(scratch, 'elsewhere');
    await settings.update('storePath', elsewhere, vscode.ConfigurationTarget.Workspace);
    await until('an empty store is shown', () => parts.state.planning?.storeFolder === elsewhere);
    assert.equal(parts.state.planning?.sessions.length, 0);
    const [server] = await mcp.provideMcpServerDefinitions();
    assert.equal(server?.env.NINEPLAN_SESSIONS_PATH, elsewhere, 'agents follow');
    assert.equal(existsSync(elsewhere), false, 'looking makes nothing');
  });
});

async function storeFolder(): Promise<string> {
  const folder = await (await workbench()).parts.connection.storeFolder();
  assert.ok(folder);
  return folder;
}

async function plansFolder(): Promise<string> {
  const { parts } = await workbench();
  return path.join(await storeFolder(), parts.state.planning?.session?.name ?? '', 'plans');
}

/** A journal as a later version might write it, in the framing that never changes. */
function ofVersion(version: number): string {
  const body = `{"v":${version},"seq":1,"prev":"","id":"x","at":"2030-01-01T00:00:00.000Z","by":"x","events":[]`;
  const sum = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return `${body},"sum":"${sum}"}\n`;
}
