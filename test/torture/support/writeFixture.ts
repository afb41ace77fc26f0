/**
 * Writes a store with something of everything, as this version does it, for later versions to open:
 *   npx tsx test/torture/support/writeFixture.ts
 * Run it once a released version, and keep what it wrote for good.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { newCaller } from '../../../src/planner/caller';
import { copyStore } from '../../support/copyStore';
import { HOSTILE_TEXTS } from './hostile';
import { House } from './house';

const FIXTURES = join(__dirname, '../../fixtures');

async function write(): Promise<void> {
  const folder = join(FIXTURES, `store-${version}`);
  rmSync(folder, { recursive: true, force: true });
  const house = new House(join(folder, 'being-written'), { snapshots: true });
  await fill(house);
  const dump = await house.dump();
  await house.store.close();
  mkdirSync(folder, { recursive: true });
  copyStore(house.folder, folder);
  rmSync(house.folder, { recursive: true });
  // It would keep the store out of the repository.
  rmSync(join(folder, '.gitignore'));
  writeFileSync(join(FIXTURES, `store-${version}.json`), `${dump}\n`);
  process.stdout.write(`${folder}: ${readdirSync(folder).join(', ')}\n`);
}

async function fill(house: House): Promise<void> {
  const { planner, caller } = house;
  const { queue, sessions, tasks, planMode } = planner;
  const other = newCaller('another', 'agent-7');
  await sessions.create(other, { taskDescription: 'an archived one' });
  await sessions.archive(other, { sessionName: other.session ?? '', archived: true });
  const { session: sessionName } = await sessions.create(caller, { taskDescription: 'the work' });
  for (const [n, text] of HOSTILE_TEXTS.entries()) {
    const goal = text.trim() === '' ? 'blank' : `goal ${n}`;
    await queue.add(caller, {
      sessionName,
      plans: [{ goal, context: text.slice(0, 2000), inputs: text.slice(0, 100) }],
    });
    if (n % 3 === 0) {
      await queue.pull(caller, { sessionName });
      await queue.complete(caller, { sessionName, outcome: `outcome ${n}` });
    }
    if (n % 7 === 5) {
      await queue.pull(caller, { sessionName });
      await queue.defer(caller, { sessionName, reason: 'not yet' });
    }
    if (n === 12) await house.store.compact();
  }
  const { plans } = await queue.list(caller, { sessionName });
  const [first, second, third] = plans.map(({ id }) => id) as [string, string, string];
  await tasks.dep(caller, { id: third, add: [second] });
  await tasks.update(caller, { id: second, metadata: { price: 90, nested: { 数: ['据'] } } });
  await queue.discard(caller, { sessionName, planId: first, reason: 'not needed' });
  await planMode.writeTodos(caller, {
    sessionName,
    todos: [{ content: 'look', status: 'in_progress', priority: 'high' }],
  });
  await planMode.submit(caller, { sessionName, plan: '# Plan\n\nAs submitted.', todos: [] });
  await queue.pull(caller, { sessionName });
  await sessions.select(caller, { sessionName });
}

void write();
