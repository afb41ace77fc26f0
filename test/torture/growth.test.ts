import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newPlanId } from '../../src/planner/newNames';
import { EMPTY_SECTIONS } from '../../src/planner/text';
import { sampleText } from '../bench/sampleText';
import { Crew } from './support/crew';
import { House } from './support/house';
import { LONG, record, SEED } from './support/ledger';
import type { Look } from './support/reader';

const SESSIONS = LONG ? 100 : 5;
const PLANS = LONG ? 20_000 : 600;
/** Of a plan. In the long form that makes a journal of 60 MB, just short of a rollover by itself. */
const BYTES = 2600;
const TOGETHER = 50;
const ROLLOVERS = 3;
/** Megabytes of memory that opening may take. */
const MEMORY = LONG ? 400 : 150;

describe('A store that has grown', () => {
  let crew: Crew;
  const figures: string[] = [];
  before(() => {
    crew = new Crew(SEED);
  });
  after(() => crew.end());

  it(`(${SESSIONS} sessions, ${PLANS} plans, ${ROLLOVERS} rollovers by command) opens, searches and goes on, nobody stopped`, async function () {
    this.timeout(LONG ? 1_200_000 : 120_000);
    const house = new House(crew.folder, { snapshots: true });
    const names: string[] = [];
    for (let n = 0; n < SESSIONS; n++) {
      names.push((await house.planner.sessions.create(house.caller, { taskDescription: `task ${n}` })).session);
    }
    for (let from = 0; from < PLANS; from += TOGETHER) await addPlans(house, names, from);
    const journal = statSync(house.path('journal-1.ndjson')).size;

    // Others are at work while the journal is compacted.
    const sessions = names.slice(0, 2);
    const others = [crew.startEditor({ sessions, rolloverSize: 1e9 }), await crew.startServer(sessions)];
    for (let n = 0; n < ROLLOVERS; n++) {
      const before = crew.acknowledged;
      await house.store.compact();
      await until(() => crew.acknowledged > before + 5);
    }
    for (const member of others) member.finish();
    await Promise.all(others.map(({ gone }) => gone));
    await house.store.close();
    assert.deepEqual(crew.failures, []);

    const withSnapshot = await look(crew, 'rare17');
    rmSync(join(crew.folder, 'store.db'));
    const without = await look(crew, 'rare17');
    const added = [...crew.changes.values()].filter(({ what, acknowledged }) => what === 'goal' && acknowledged).length;
    let losses = 0;
    for (const found of [withSnapshot, without]) {
      assert.equal(found.sessions, SESSIONS);
      losses += Math.max(0, PLANS + added - found.plans);
      assert.deepEqual(found.issues, []);
      assert.equal(found.matches > 0, true);
      assert.ok(found.memory < MEMORY, `${found.memory} MB`);
    }
    assert.deepEqual(
      readdirSync(crew.folder)
        .filter((name) => name.startsWith('journal'))
        .sort(),
      [`journal-${ROLLOVERS}.ndjson`, `journal-${ROLLOVERS + 1}.ndjson`],
    );
    figures.push(`journal ${(journal / 1e6).toFixed(0)} MB`);
    for (const [how, { opened, searched, shown, memory }] of Object.entries({ withSnapshot, without })) {
      const snapshot = how === 'without' ? 'without store.db' : 'with store.db';
      figures.push(`${snapshot}: open ${opened} ms, search ${searched} ms, side bar ${shown} ms, memory ${memory} MB`);
    }
    record({
      part: 'growth',
      fault: `${SESSIONS} sessions, ${ROLLOVERS} rollovers`,
      cases: PLANS + added,
      losses,
      figures: figures.join('; '),
    });
    assert.equal(losses, 0);
  });
});

/** Most of them completed, as in a store that has been used for long. */
function addPlans(house: House, sessions: readonly string[], from: number): Promise<void> {
  return house.store.transact('test', (tx) => {
    for (let n = from; n < Math.min(PLANS, from + TOGETHER); n++) {
      const session = sessions[n % sessions.length] as string;
      const plan = newPlanId((id) => tx.plan(id) !== undefined);
      const text = sampleText(n, BYTES / 2);
      const sections = { ...EMPTY_SECTIONS, goal: `Goal ${n}`, context: text, approach: text };
      tx.emit({ type: 'plan_added', plan, session, position: 1, sections, parent: null });
      if (n % 50 === 0) continue;
      tx.emit({ type: 'plan_pulled', plan, client: 'test' });
      tx.emit({ type: 'plan_completed', plan, outcome: `rare${n} is done` });
    }
  });
}

/** What a process finds that has just started. */
async function look(crew: Crew, query: string): Promise<Look> {
  const child: ChildProcess = spawn(process.execPath, ['--expose-gc', crew.build('reader'), crew.folder, query], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
