import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import { Planner } from '../../src/planner/planner';
import type { Disk } from '../../src/store/disk';
import { WorkspaceStore } from '../../src/store/workspaceStore';
import type { NodeTree, TreeNode } from '../../src/vscode/views/tree';
import { silent } from '../support/silentLog';
import { act, labels, rows, startSession, until, workbench } from './support';

describe('what stands in the way', () => {
  const settings = vscode.workspace.getConfiguration('nineplan');
  let scratch: string;

  beforeEach(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), '9plan-trouble-'));
  });

  afterEach(async () => {
    await settings.update('storePath', undefined, vscode.ConfigurationTarget.Workspace);
    const { parts } = await workbench();
    await until('the window is back on its own store', () => parts.state.planning?.condition === 'present');
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  async function use(folder: string): Promise<void> {
    const { parts } = await workbench();
    await startSession('in the window’s own store');
    await settings.update('storePath', folder, vscode.ConfigurationTarget.Workspace);
    await until('the window has gone there', () => parts.state.planning?.storeFolder === folder);
  }

  it('is nothing in a folder that is not there, but the view says so', async () => {
    const folder = path.join(scratch, 'mistyped');
    await use(folder);
    assert.match((await messages()).queue ?? '', /There is no store in .*mistyped/);
    const { parts } = await workbench();
    const offered = labels(await rows(parts.views.queue));
    assert.deepEqual(offered.slice(0, 3), ['Start a Session', 'Import Plans', 'Connect Another Agent']);
    assert.equal(existsSync(folder), false);
    await startSession('the first');
    assert.ok(existsSync(folder));
    assert.deepEqual(await messages(), { queue: undefined, history: undefined, sessions: undefined });
  });

  it('is not taken back before the rows are drawn, which VS Code would put off then', async () => {
    await use(path.join(scratch, 'mistyped'));
    assert.ok((await messages()).queue);
    const { queue } = (await workbench()).parts.views;
    const saidWhenDrawn: (string | undefined)[] = [];
    const drawing = queue.onDidChangeTreeData(() => saidWhenDrawn.push(messageOf(queue)));
    await startSession('the first');
    assert.equal((await messages()).queue, undefined);
    drawing.dispose();
    assert.match(saidWhenDrawn[0] ?? '', /There is no store in/);
  });

  it('is told when a newer version has written to the store, whose older part is still shown', async () => {
    const folder = path.join(scratch, 'newer');
    await makeStore(folder, 'known to both');
    const journal = path.join(folder, 'journal-1.ndjson');
    await appendFile(journal, nextRecord(await readFile(journal, 'utf8'), 1000));
    const before = await readFile(journal, 'utf8');
    await use(folder);
    const { parts } = await workbench();
    assert.deepEqual(labels(await rows(parts.views.queue)), ['known to both']);
    const { queue, history, sessions } = await messages();
    for (const message of [queue, history, sessions]) assert.match(message ?? '', /newer version.*Update 9plan/);
    const refused = await act('nineplan.queue.pull', []);
    assert.match(refused.said[0] ?? '', /newer version.*Update 9plan/s);
    assert.equal(await readFile(journal, 'utf8'), before);
  });

  it('is told when a newer version writes to the store that is shown', async () => {
    const folder = path.join(scratch, 'overtaken');
    await makeStore(folder, 'known to both');
    await use(folder);
    assert.equal((await messages()).queue, undefined);
    const journal = path.join(folder, 'journal-1.ndjson');
    await appendFile(journal, nextRecord(await readFile(journal, 'utf8'), 1000));
    await until('the view says so', async () => /newer/.test((await messages()).queue ?? ''));
  });

  for (const [code, advice] of [
    ['EROFS', /read-only: make it writable, or choose another store folder/],
    ['EACCES', /the right to read and write there/],
  ] as const) {
    it(`is told of a store that may not be opened for writing (${code}), in each view`, async () => {
      const folder = path.join(scratch, 'locked');
      await makeStore(folder, 'out of reach');
      const { parts } = await workbench();
      await startSession('in the window’s own store');
      await onDisk({ openAppend: () => fail(code) }, async () => {
        await settings.update('storePath', folder, vscode.ConfigurationTarget.Workspace);
        await until('the state is known', () => parts.state.current.kind === 'failed');
        const { queue, history, sessions } = await messages();
        for (const message of [queue, history, sessions]) assert.match(message ?? '', advice);
      });
      await act('nineplan.queue.refresh', []);
      assert.deepEqual(labels(await rows(parts.views.queue)), ['out of reach']);
      assert.equal((await messages()).queue, undefined);
    });
  }

  it('is told when the disk is full, and nothing is lost of what was there', async () => {
    const folder = path.join(scratch, 'full');
    await makeStore(folder, 'first');
    await use(folder);
    const { parts } = await workbench();
    const refused = await onDisk({ write: () => fail('ENOSPC') }, () =>
      act('nineplan.plan.add', [], { goal: 'no room' }, 'back'),
    );
    assert.match(refused.said.join(), /Nothing was changed.*Free some space/s);
    assert.deepEqual(labels(await rows(parts.views.queue)), ['first']);
    await act('nineplan.plan.add', [], { goal: 'room again' }, 'back');
    assert.deepEqual(labels(await rows(parts.views.queue)), ['first', 'room again']);
  });
});

/** What the views say above their rows. */
/** What the views say when no redraw of them is due any more. */
async function messages(): Promise<{ queue?: string; history?: string; sessions?: string }> {
  const { queue, history, sessions } = (await workbench()).parts.views;
  const isDue = (tree: NodeTree) => Reflect.get(tree, 'due') !== undefined;
  await until('the views are drawn', () => ![queue, history, sessions].some(isDue));
  return { queue: messageOf(queue), history: messageOf(history), sessions: messageOf(sessions) };
}

function messageOf(tree: NodeTree): string | undefined {
  return (Reflect.get(tree, 'view') as vscode.TreeView<TreeNode>).message || undefined;
}

async function makeStore(folder: string, goal: string): Promise<void> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
  const planner = new Planner(store);
  const { session } = await planner.sessions.create(newCaller('agent'), { taskDescription: 'made elsewhere' });
  await planner.queue.add(newCaller('agent'), { sessionName: session, plans: [{ goal }] });
  await store.close();
}

/** Meanwhile the window's disk fails like that. */
async function onDisk<T>(fault: Partial<Disk>, work: () => Promise<T>): Promise<T> {
  const { store } = await (await workbench()).parts.connection.planner();
  const disk: Disk = Reflect.get(store, 'disk');
  const healthy = { ...disk };
  Object.assign(disk, fault);
  try {
    return await work();
  } finally {
    Object.assign(disk, healthy);
  }
}

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: a test’s failure`), { code });
}

/** What a later version might append: the framing never changes. */
function nextRecord(journal: string, version: number): string {
  const last: { seq: number; sum: string } = JSON.parse(journal.trimEnd().split('\n').at(-1) ?? '');
  const body = `{"v":${version},"seq":${last.seq + 1},"prev":"${last.sum}","id":"later","at":"2030-01-01T00:00:00.000Z","by":"x","events":[{"type":"from_the_future"}]`;
  return `${body},"sum":"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"}\n`;
}
