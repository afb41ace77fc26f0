import assert from 'node:assert/strict';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newCaller } from '../../../src/planner/caller';
import { Planner } from '../../../src/planner/planner';
import type { Log } from '../../../src/planner/ports';
import { WorkspaceStore } from '../../../src/store/workspaceStore';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

describe('two planners on one folder, with real plan files', () => {
  let folder: string;
  let stores: WorkspaceStore[];
  let first: Planner;
  let second: Planner;
  const agent = newCaller('agent');
  const other = newCaller('other');

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'two-planners-')), '.9plan');
    stores = [0, 1].map(() => new WorkspaceStore({ folder, log: silent, snapshots: false }));
    [first, second] = stores.map((store) => new Planner(store)) as [Planner, Planner];
    await first.sessions.create(agent, {});
    await second.sessions.resume(other, { sessionName: agent.session as string });
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await rm(join(folder, '..'), { recursive: true, force: true });
  });

  const sound = async (): Promise<void> => {
    assert.deepEqual((await second.integrity.validate(other, {})).issues, []);
  };

  it('notes that many calls append at once are all kept: a file that is behind is no hand edit', async () => {
    const { plans } = await first.queue.add(agent, { plans: [{ goal: 'log' }] });
    const { planId, planPath } = plans[0] as (typeof plans)[number];
    const notes = Array.from({ length: 60 }, (_, i) => `note ${i}`);
    await Promise.all(
      notes.map((appendNotes, i) => {
        const [planner, caller] = i % 2 ? [first, agent] : [second, other];
        return planner.queue.update(caller, { planId, sections: {}, appendNotes });
      }),
    );
    await sound();
    const text = await readFile(planPath, 'utf8');
    assert.deepEqual(text.split('# Notes\n')[1]?.trim().split('\n').sort(), [...notes].sort());
  });

  it('an edit made by hand is taken in by either, also one that takes something back', async () => {
    const { plans } = await first.queue.add(agent, { plans: [{ goal: 'log', notes: 'one' }] });
    const { planId, planPath } = plans[0] as (typeof plans)[number];
    await second.queue.update(other, { planId, sections: {}, appendNotes: 'two' });
    await writeFile(planPath, (await readFile(planPath, 'utf8')).replace('one\ntwo', 'one'));
    const pulled = await first.queue.pull(agent, {});
    assert.ok(pulled.kind === 'pulled' && pulled.plan.text.endsWith('# Notes\none\n'));
    await writeFile(planPath, `\uFEFF${(await readFile(planPath, 'utf8')).replaceAll('\n', '\r\n')}by hand\r\n`);
    await second.queue.complete(other, { planId, outcome: 'ok' });
    assert.equal((await first.history.get(agent, { planId })).notes, 'one\nby hand');
    await assert.rejects(readFile(planPath), { code: 'ENOENT' });
    await sound();
  });

  it('a change after an edit by hand stands in the file and in the history, and so does one after a mere save', async () => {
    const { plans } = await first.queue.add(agent, { plans: [{ goal: 'log', notes: 'one' }] });
    const { planId, planPath } = plans[0] as (typeof plans)[number];
    await writeFile(planPath, `${await readFile(planPath, 'utf8')}by hand\n`);
    await first.queue.update(agent, { planId, sections: {}, appendNotes: 'by an agent' });
    assert.match(await readFile(planPath, 'utf8'), /# Notes\none\nby hand\nby an agent\n$/);
    await writeFile(planPath, await readFile(planPath, 'utf8'));
    await second.queue.update(other, { planId, sections: { goal: 'log more' } });
    assert.match(await readFile(planPath, 'utf8'), /# Goal\nlog more\n/);
    await first.queue.pull(agent, {});
    await writeFile(planPath, `${await readFile(planPath, 'utf8')}once more\n`);
    await first.queue.defer(agent, { reason: 'later' });
    await second.queue.pull(other, {});
    await second.queue.complete(other, { outcome: 'ok' });
    const { goal, notes } = await first.history.get(agent, { planId });
    assert.equal(goal, 'log more');
    assert.match(notes, /^one\nby hand\nby an agent\nonce more\n- \[.*Deferred: later$/);
    await sound();
  });

  const unreadable: [string, (path: string) => Promise<unknown>, (kept: string) => Promise<unknown>][] = [
    ['text without headings', (path) => writeFile(path, 'my words'), (kept) => readFile(kept, 'utf8')],
    [
      'bytes that are no text',
      (path) => writeFile(path, Buffer.from([0x6d, 0xff])),
      (kept) => readFile(kept, 'latin1'),
    ],
    ['a folder', (path) => mkdir(path), async (kept) => (await lstat(kept)).isDirectory()],
    ['a link', (path) => symlink('/etc/hostname', path), async (kept) => (await lstat(kept)).isSymbolicLink()],
  ];
  const shown = ['my words', 'm\u00ff', true, true];
  unreadable.forEach(([what, spoil, look], index) => {
    it(`${what} in the place of a plan file stops a pull until a note is added, and is kept`, async function () {
      if (what === 'a link' && process.platform === 'win32') this.skip();
      const { plans } = await first.queue.add(agent, { plans: [{ goal: 'log' }] });
      const { planId, planPath } = plans[0] as (typeof plans)[number];
      await rm(planPath);
      await spoil(planPath);
      await assert.rejects(first.queue.pull(agent, {}), /Plan|plan/);
      const { fileSetAside } = await second.queue.update(other, { planId, sections: {}, appendNotes: 'note' });
      assert.ok(fileSetAside);
      assert.match(await readFile(planPath, 'utf8'), /# Goal\nlog\n[\s\S]*# Notes\nnote\n$/);
      const [kept] = (await readdir(join(planPath, '..'))).filter((name) =>
        /^[0-9a-z]{5}\.[0-9a-f]+\.kept$/.test(name),
      );
      assert.deepEqual(await look(join(planPath, '..', kept as string)), shown[index]);
      const pulled = await first.queue.pull(agent, {});
      assert.ok(pulled.kind === 'pulled' && pulled.plan.id === planId);
      await first.queue.complete(agent, { outcome: 'ok' });
      assert.deepEqual(await readdir(join(planPath, '..')), [kept], 'nothing else is left');
    });
  });

  it('pulls, deferrals and additions at once leave one active plan and a queue without gaps', async () => {
    await first.queue.add(agent, { plans: Array.from({ length: 10 }, (_, i) => ({ goal: `plan ${i}` })) });
    const work = Array.from({ length: 40 }, async (_, i) => {
      const [planner, caller] = i % 2 ? [first, newCaller('a')] : [second, newCaller('b')];
      const sessionName = agent.session;
      try {
        const pulled = await planner.queue.pull(caller, { sessionName });
        if (pulled.kind !== 'pulled') return 0;
        if (i % 3 === 0) {
          await planner.queue.defer(caller, { sessionName, reason: 'later', position: i % 4 ? 'front' : 'back' });
          return 0;
        }
        await planner.queue.complete(caller, { sessionName, outcome: `by ${i}` });
        return 1;
      } catch (error) {
        assert.match(String(error), /already has an active plan/);
        await planner.queue.add(caller, { sessionName, plans: [{ goal: `extra ${i}` }], position: 'front' });
        return 0;
      }
    });
    const completed = (await Promise.all(work)).reduce<number>((sum, one) => sum + one, 0);
    const state = await first.sessions.state(agent, {});
    assert.equal(state.activePlan, null);
    assert.equal(state.completedCount, completed);
    assert.deepEqual(
      state.queue.map(({ queuePosition }) => queuePosition),
      state.queue.map((_, index) => index + 1),
    );
    await sound();
  });
});
