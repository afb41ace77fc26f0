import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_VERSION } from '../../src/planner/events';
import { encodeRecord } from '../../src/store/journalRecord';
import { copyStore } from '../support/copyStore';
import { isRefusal } from '../support/openStore';
import { House } from './support/house';
import { record } from './support/ledger';

const FIXTURES = join(__dirname, '../fixtures');
const versions = readdirSync(FIXTURES).flatMap((name) => /^store-([\d.]+)\.json$/.exec(name)?.[1] ?? []);

for (const version of versions) {
  describe(`A store that ${version} wrote`, () => {
    const known = readFileSync(join(FIXTURES, `store-${version}.json`), 'utf8').trim();
    let parent: string;
    let folder: string;
    let count = 0;
    before(() => {
      parent = mkdtempSync(join(tmpdir(), '9plan-fixture-'));
    });
    beforeEach(() => {
      folder = join(parent, `case-${count++}`, '.9plan');
      copyStore(join(FIXTURES, `store-${version}`), folder);
    });
    after(() => rmSync(parent, { recursive: true, force: true }));

    /** All that is known, as it was when it was written. */
    async function assertKnown(house: House): Promise<void> {
      const found = JSON.parse(await house.dump());
      // What later versions know more of doesn't matter here.
      assert.deepEqual(pick(found, JSON.parse(known)), JSON.parse(known));
    }

    for (const without of ['nothing', 'store.db', 'the journal before']) {
      it(`is read and written on, without ${without}`, async () => {
        if (without === 'store.db') rmSync(join(folder, without));
        if (without === 'the journal before') rmSync(join(folder, journals(folder)[0] as string));
        const house = new House(folder, { snapshots: true });
        await assertKnown(house);
        assert.deepEqual(await house.issues(), []);
        await assertKnown(house);
        await house.planner.sessions.create(house.caller, { taskDescription: 'zz from a later version' });
        await house.store.close();
        const again = new House(folder);
        assert.match(await again.dump(), /from a later version/);
        await again.store.close();
        record({ part: 'compatibility', fault: `a store of ${version}`, cases: 1, losses: 0 });
      });
    }

    for (const [what, make] of Object.entries({ record: newerRecord, 'first record': newerJournal })) {
      it(`and to which a newer version added a ${what} is left as it is`, async () => {
        make(folder);
        const before = contents(folder);
        const house = new House(folder, { snapshots: true });
        if (what === 'record') await assertKnown(house);
        else await assert.rejects(house.dump(), isRefusal('DATABASE_ERROR', /newer version/));
        const change = house.planner.sessions.create(house.caller, { taskDescription: 'no' });
        await assert.rejects(change, isRefusal('DATABASE_ERROR', /newer version/));
        await house.store.close();
        assert.deepEqual(contents(folder), before);
        record({ part: 'compatibility', fault: 'a newer version’s record', cases: 1, losses: 0 });
      });
    }
  });
}

function journals(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('journal-'))
    .sort();
}

function contents(folder: string): [string, string][] {
  const names = readdirSync(folder).filter((name) => /journal|store/.test(name));
  return names.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ]);
}

/** The next record in the last journal, of a version to come. */
function newerRecord(folder: string): void {
  const path = join(folder, journals(folder).at(-1) as string);
  const { seq, sum } = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) as string);
  appendFileSync(path, newer({ seq: seq + 1, prev: sum, events: [{ type: 'plan_teleported', to: 'Mars' }] }));
}

/** A journal after it, which begins in a way that this version can't read. */
function newerJournal(folder: string): void {
  const events = [
    { type: 'genesis', batch: 'x', part: 0, parts: 1, rows: [{ table: 'planets', row: { name: 'Mars' } }] },
  ];
  writeFileSync(join(folder, 'journal-9.ndjson'), newer({ seq: 1000, prev: 'x', events }));
}

function newer(facts: { seq: number; prev: string; events: object[] }): string {
  const record = { id: 'x', at: '2030-01-01T00:00:00.000Z', by: 'later', ...facts };
  const line = encodeRecord(record as Parameters<typeof encodeRecord>[0]).line.toString();
  const body = line
    .slice(0, line.lastIndexOf(',"sum"'))
    .replace(`{"v":${EVENT_VERSION},`, `{"v":${EVENT_VERSION + 1},`);
  return `${body},"sum":"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"}\n`;
}

/** Of `whole` what `part` has, too. */
function pick(whole: unknown, part: unknown): unknown {
  if (Array.isArray(part)) return (whole as unknown[]).map((item, n) => pick(item, part[n]));
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) return whole;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, pick((whole as Record<string, unknown>)[key], value)]),
  );
}
