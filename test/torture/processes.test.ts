import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { seededRandom } from '../support/crashDisk';
import { account } from './support/account';
import { Crew } from './support/crew';
import { House } from './support/house';
import { LONG, record, SEED } from './support/ledger';
import type { Member } from './support/member';
import type { Change } from './support/mixedWork';
import type { WindowMember } from './support/windowMember';
import type { Orders } from './support/worker';

/** VS Code itself takes ten seconds to start, so it takes part in the long form alone. */
const WITH_WINDOW = LONG && process.platform === 'linux';
const SERVERS = 5;
/** Processes that do to a store what an editor window does; one of them stops itself in a write. */
const EDITORS = WITH_WINDOW ? 2 : 3;
const CREW = `${SERVERS} servers, ${EDITORS} editor-like processes${WITH_WINDOW ? ', VS Code itself' : ''}`;
const CHANGES = LONG ? 20_000 : 500;
const KILLS = LONG ? 200 : 8;
/** Of all kills: those of VS Code's extension host, which takes a while to come back. */
const WINDOW_KILLS = WITH_WINDOW ? 5 : 0;
const SESSIONS = 4;
const ASLEEP_MS = LONG ? 30_000 : 1_500;
/** A hundred plans with a note or two are twice as much: there are many rollovers. */
const ROLLOVER = 400_000;
const CAN_STOP = process.platform !== 'win32';

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

  it(`(${CREW}, ${CHANGES} changes, ${KILLS} kills, one asleep in a write) lose and double nothing`, async function () {
    this.timeout(LONG ? 3_600_000 : 180_000);
    const random = seededRandom(SEED);
    const isOver = () => crew.acknowledged >= CHANGES || crew.failures.length > 0;
    const places: Member[] = [];
    const keepBusy = async (place: number) => {
      while (!isOver()) {
        const member = await (place < SERVERS
          ? crew.startServer(sessions)
          : crew.startEditor({ sessions, rolloverSize: ROLLOVER }));
        places[place] = member;
        await member.gone;
      }
    };
    const windows: WindowMember[] = [];
    let kills = 0;
    let windowKills = 0;
    const kill = () => {
      const isWindowsTurn = windowKills < WINDOW_KILLS && kills >= ((windowKills + 1) * KILLS) / (WINDOW_KILLS + 1);
      const window = isWindowsTurn ? windows.at(-1) : undefined;
      const victim = window?.isAtWork ? window : places[Math.floor(random() * places.length)];
      if (!victim?.signal('SIGKILL')) return;
      kills++;
      if (victim === window) windowKills++;
    };
    const killing = async () => {
      while (!isOver()) {
        const next = ((kills + 1) * CHANGES) / (KILLS + 1);
        await until(() => crew.acknowledged >= next || isOver());
        if (!isOver()) kill();
        await new Promise((resolve) => setTimeout(resolve, random() * 20));
      }
      for (const member of places) member.finish();
    };
    const sleeping = CAN_STOP && sleepInTheMidst(crew.nextStop(), isOver, { when: 'in a write', afterChanges: 5 });
    const working = Array.from({ length: SERVERS + EDITORS - 1 }, (_, place) => keepBusy(place));
    const others = Promise.all([...working, killing(), sleeping]);
    const nearlyOver = until(() => crew.acknowledged >= CHANGES * 0.98 || isOver());
    const keepOpen = async () => {
      for (let isKilled = WITH_WINDOW; isKilled && crew.failures.length === 0; ) {
        const inView = windows.length % SESSIONS;
        const window = crew.startWindow([...sessions.slice(inView), ...sessions.slice(0, inView)]);
        windows.push(window);
        // It follows the others' last changes by itself, and shows what came of them when they are gone.
        void nearlyOver.then(() => window.pause());
        void others.then(() => window.finish());
        isKilled = !(await window.gone);
      }
    };
    await Promise.all([others, keepOpen()]);

    assert.deepEqual(crew.failures, []);
    const losses = await account(crew.folder, crew.changes.values());
    const inWindows = windows.flatMap(({ acknowledged }) => acknowledged);
    const ofWindows = WITH_WINDOW ? `; ${inWindows.length} of them in VS Code: ${latency(inWindows)}` : '';
    const kinds = WITH_WINDOW ? ` (${windowKills} of VS Code)` : '';
    record({
      part: 'processes',
      fault: `${CREW} at once, ${kills} kill -9${kinds}, one asleep ${ASLEEP_MS / 1000} s in a write`,
      cases: crew.acknowledged,
      losses: losses.length,
      figures: `a change ${latency([...crew.changes.values()])}${ofWindows}`,
    });
    assert.deepEqual(losses.slice(0, 10), [], `seed ${SEED}`);
    assert.ok(kills >= KILLS * 0.8, `${kills} kills`);
    assert.ok(windowKills >= WINDOW_KILLS * 0.6, `${windowKills} kills of VS Code`);
    assert.deepEqual(
      readdirSync(crew.folder).filter((name) => /^(rescue|damaged)/.test(name)),
      [],
    );
  });

  for (const when of ['before the name', 'before the genesis'] as const) {
    it(`let one sleep ${when} of the next journal, and are not harmed when it wakes up`, async function () {
      if (!CAN_STOP) this.skip();
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
    member.signal('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await until(isOver);
    member.finish();
    await member.gone;
  }
});

function latency(changes: readonly Change[]): string {
  const took = changes.flatMap((change) => change.took ?? []).sort((a, b) => a - b);
  const at = (part: number) => `${(took[Math.floor(took.length * part)] ?? 0).toFixed(1)} ms`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}`;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
