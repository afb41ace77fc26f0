import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { seededRandom } from '../support/crashDisk';
import { account } from './support/account';
import { Crew, type Member } from './support/crew';
import { House } from './support/house';
import { LONG, record, SEED } from './support/ledger';
import type { Orders } from './support/worker';

const SERVERS = 5;
const EDITORS = 3;
const CHANGES = LONG ? 20_000 : 500;
const KILLS = LONG ? 200 : 8;
const SESSIONS = 4;
const ASLEEP_MS = LONG ? 30_000 : 1_500;
/** A hundred plans with a note or two are twice as much: there are many rollovers. */
const ROLLOVER = 400_000;
const WINDOWS = process.platform === 'win32';

describe('Many processes on one store', () => {
  let crew: Crew;
  let sessions: string[];

  beforeEach(async () => {
    crew = new Crew(SEED);
    const house = new House(crew.folder);
    sessions = [];
    for (let n = 0; n < SESSIONS; n++) {
      sessions.push((await house.planner.sessions.create(house.caller, { taskDescription: `shared ${n}` })).session);
    }
    await house.store.close();
  });
  afterEach(() => crew.end());

  it(`(${SERVERS} servers, ${EDITORS} editors, ${CHANGES} changes, ${KILLS} kills, one asleep in a write) lose and double nothing`, async function () {
    this.timeout(LONG ? 3_600_000 : 180_000);
    const random = seededRandom(SEED);
    let kills = 0;
    const isOver = () => crew.acknowledged >= CHANGES;
    const start = async (isServer: boolean): Promise<Member> =>
      isServer ? crew.startServer(sessions) : crew.startEditor({ sessions, rolloverSize: ROLLOVER });
    const places: Member[] = [];
    const keepBusy = async (place: number) => {
      while (!isOver() && crew.failures.length === 0) {
        places[place] = await start(place < SERVERS);
        await places[place]?.gone;
      }
    };
    const working = Array.from({ length: SERVERS + EDITORS - 1 }, (_, place) => keepBusy(place));
    const killing = (async () => {
      while (!isOver() && crew.failures.length === 0) {
        const next = ((kills + 1) * CHANGES) / (KILLS + 1);
        await until(() => crew.acknowledged >= next || isOver() || crew.failures.length > 0);
        if (isOver()) break;
        const victim = places[Math.floor(random() * places.length)];
        if (victim?.child.kill('SIGKILL')) kills++;
        await new Promise((resolve) => setTimeout(resolve, random() * 20));
      }
      for (const member of places) member.finish();
    })();
    const sleeping = WINDOWS
      ? undefined
      : sleepInTheMidst(crew.nextStop(), isOver, { when: 'in a write', afterChanges: 5 });
    await Promise.all([...working, killing, sleeping]);

    assert.deepEqual(crew.failures, []);
    const losses = await account(crew.folder, crew.changes.values());
    const took = [...crew.changes.values()].flatMap(({ took }) => took ?? []).sort((a, b) => a - b);
    const at = (part: number) => `${(took[Math.floor(took.length * part)] ?? 0).toFixed(1)} ms`;
    record({
      part: 'processes',
      fault: `${SERVERS + EDITORS} at once, ${kills} kill -9, one asleep ${ASLEEP_MS / 1000} s in a write`,
      cases: crew.acknowledged,
      losses: losses.length,
      figures: `a change p50 ${at(0.5)}, p99 ${at(0.99)}`,
    });
    assert.deepEqual(losses.slice(0, 10), [], `seed ${SEED}`);
    assert.ok(kills >= KILLS * 0.8, `${kills} kills`);
    assert.deepEqual(
      readdirSync(crew.folder).filter((name) => /^(rescue|damaged)/.test(name)),
      [],
    );
  });

  for (const when of ['before the name', 'before the genesis'] as const) {
    it(`let one sleep ${when} of the next journal, and are not harmed when it wakes up`, async function () {
      if (WINDOWS) this.skip();
      this.timeout(LONG ? 600_000 : 120_000);
      const times = LONG ? 20 : 2;
      for (let n = 0; n < times; n++) {
        let rollovers = 0;
        const isOver = () => rollovers >= 2 + (n % 3);
        const others = [0, 1].map(() => crew.startEditor({ sessions, rolloverSize: 1e9 }));
        const house = new House(crew.folder);
        const asleep = crew.nextStop();
        const sleeper = sleepInTheMidst(asleep, isOver, { when, afterChanges: 1 }, { compacts: true });
        const compacting = (async () => {
          await asleep;
          for (; !isOver(); rollovers++) await house.store.compact();
        })();
        await Promise.all([sleeper, compacting]);
        await house.store.close();
        for (const member of others) member.finish();
        await Promise.all(others.map(({ gone }) => gone));
      }
      assert.deepEqual(crew.failures, []);
      const losses = await account(crew.folder, crew.changes.values());
      record({
        part: 'processes',
        fault: `a sealer asleep ${when} of the next journal`,
        cases: times,
        losses: losses.length,
      });
      assert.deepEqual(losses, [], `seed ${SEED}`);
      assert.deepEqual(
        readdirSync(crew.folder).filter((name) => /^(rescue|damaged)/.test(name)),
        [],
      );
      assert.ok(readdirSync(crew.folder).filter((name) => name.startsWith('journal-')).length <= 3);
    });
  }

  /** A process that stops itself, and goes on when the others have done much meanwhile. */
  async function sleepInTheMidst(
    asleep: Promise<void>,
    isOver: () => boolean,
    stop: Orders['stop'],
    more: Partial<Orders> = {},
  ): Promise<void> {
    const member = crew.startEditor({ sessions, rolloverSize: ROLLOVER, stop, ...more });
    await Promise.race([asleep, member.gone]);
    const began = Date.now();
    await until(() => isOver() || Date.now() - began > ASLEEP_MS);
    member.child.kill('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await until(isOver);
    member.finish();
    await member.gone;
  }
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
