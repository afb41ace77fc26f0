import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../support/crashDisk';
import { House } from './support/house';
import { LONG, recordEach, SEED } from './support/ledger';
import { JOURNAL, PristineStore } from './support/pristineStore';
import { repaired } from './support/repaired';
import { backupsIn, keptIn, planFilesIn, tasksOf } from './support/storeFiles';

/** Cases of each kind of damage. */
const SHORT = 6;
/** In the long form one case of so many is repaired, too; in the short one each. */
const REPAIRED = LONG ? 5 : 1;

interface Range {
  from: number;
  to: number;
}
const BYTE_DAMAGES: Record<string, (bytes: Buffer, range: Range) => Buffer> = {
  'a bit flipped': (bytes, { from }) => {
    const flipped = Buffer.from(bytes);
    flipped[from] = (flipped[from] as number) ^ (1 << (from % 8));
    return flipped;
  },
  'cut off': (bytes, { from }) => bytes.subarray(0, from),
  'a range missing': (bytes, { from, to }) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
  'a range of zeros': (bytes, { from, to }) => Buffer.from(bytes).fill(0, from, to),
  'a range twice': (bytes, { from, to }) => Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]),
  'two ranges swapped': (bytes, { from, to }) =>
    Buffer.concat([
      bytes.subarray(0, from),
      bytes.subarray(to, 2 * to - from),
      bytes.subarray(from, to),
      bytes.subarray(2 * to - from),
    ]),
};

describe('Damage', () => {
  const pristine = new PristineStore();
  const random = seededRandom(SEED);
  let turns = 0;
  const isTurn = () => turns++ % REPAIRED === 0;

  before(() => pristine.make());
  after(() => pristine.remove());

  /** In the long form one begins at every `step`-th byte of a file of that size. */
  function rangesIn(size: number, step: number): Range[] {
    const starts = LONG
      ? Array.from({ length: Math.ceil(size / step) }, (_, n) =>
          Math.min(size - 1, n * step + Math.floor(random() * step)),
        )
      : Array.from({ length: SHORT }, () => Math.floor(random() * size));
    return starts.map((from) => ({ from, to: Math.min(size, from + 1 + Math.floor(random() * 400)) }));
  }

  for (const [how, damage] of Object.entries(BYTE_DAMAGES)) {
    for (const snapshot of [false, true]) {
      it(`of the journal, ${how}, ${snapshot ? 'beside' : 'without'} store.db: what still reads is kept`, async function () {
        this.timeout(LONG ? 3_600_000 : 60_000);
        const bytes = readFileSync(join(pristine.folder, JOURNAL));
        await recordEach(rangesIn(bytes.length, 5), how, 'damage: journal', (range) =>
          pristine.withCopy(async (folder) => {
            const damaged = damage(bytes, range);
            writeFileSync(join(folder, JOURNAL), damaged);
            // Damage is nobody's unfinished rollover: nothing else is left to go back to.
            rmSync(join(folder, 'journal-1.ndjson'));
            if (!snapshot) rmSync(join(folder, 'store.db'));
            const intact = intactTasks(bytes, damaged);
            if (isTurn()) {
              await pristine.withCopy(async (other) => {
                for (const name of [JOURNAL, 'journal-1.ndjson', 'store.db']) rmSync(join(other, name));
                for (const name of readdirSync(folder))
                  cpSync(join(folder, name), join(other, name), { recursive: true });
                await repaired(other, snapshot ? pristine.tasks : intact.kept);
              });
            }
            await checkJournal(folder, intact, snapshot);
          }),
        );
      });
    }

    it(`of store.db, ${how}: it is never believed`, async function () {
      this.timeout(LONG ? 3_600_000 : 60_000);
      const bytes = readFileSync(join(pristine.folder, 'store.db'));
      await recordEach(rangesIn(bytes.length, 701), how, 'damage: store.db', (range) =>
        pristine.withCopy(async (folder) => {
          writeFileSync(join(folder, 'store.db'), damage(bytes, range));
          assert.deepEqual(await tasksOf(folder), pristine.tasks);
          const house = new House(folder, { snapshots: true });
          await pristine.addSessions(house, 1);
          assert.deepEqual(await house.issues(), []);
          await house.store.close();
          assert.equal((await tasksOf(folder)).length, pristine.tasks.length + 1);
        }),
      );
    });
  }

  it('of plan files, any of these: the store keeps its text, the rest goes on', async function () {
    this.timeout(LONG ? 3_600_000 : 60_000);
    for (const [how, damage] of Object.entries(BYTE_DAMAGES)) {
      const [file] = planFilesIn(pristine.folder) as [string];
      const bytes = readFileSync(join(pristine.folder, file));
      await recordEach(rangesIn(bytes.length, 1), how, 'damage: plan file', (range) =>
        pristine.withCopy(async (folder) => {
          writeFileSync(join(folder, file), damage(bytes, range));
          const house = new House(folder);
          const before = await house.dump();
          const issues = await house.issues();
          // Where it was read, it is a hand edit like any other; else it is named, and the store's text stands.
          if (issues.length > 0) assert.equal(await house.dump(), before, issues.join());
          if (isTurn()) await repaired(folder, pristine.tasks);
          await house.add('c');
          await house.planner.sessions.create(house.caller, { taskDescription: 'one more' });
          await house.store.close();
          assert.equal((await tasksOf(folder)).length, pristine.tasks.length + 1);
        }),
      );
    }
  });

  async function checkJournal(
    folder: string,
    intact: { kept: string[]; isGap: boolean },
    snapshot: boolean,
  ): Promise<void> {
    const house = new House(folder);
    const found = (await house.store.read((view) => view.sessions({ archived: true }))).map((s) =>
      String(s.taskDescription),
    );
    const issues = await house.issues();
    assert.deepEqual(
      intact.kept.filter((task) => !found.includes(task)),
      [],
      'readable, yet dropped',
    );
    const lost = pristine.tasks.filter((task) => !found.includes(task));
    if (snapshot && lost.length > 0) {
      assert.match(issues.join('\n'), /rescue-/);
      assert.deepEqual(await tasksInKept(folder, pristine.parent), pristine.tasks, 'the kept copy has all');
    } else if (intact.isGap && lost.length > 0) assert.match(issues.join('\n'), /damaged/);
    await pristine.addSessions(house, 1);
    await house.store.close();
    const next = new House(folder);
    const after = (await next.store.read((view) => view.sessions({ archived: true }))).map((s) =>
      String(s.taskDescription),
    );
    assert.deepEqual(
      found.filter((task) => !after.includes(task)),
      [],
      'lost by the next change',
    );
    await next.store.close();
    await repaired(folder, after);
    // Whoever has looked at the backup and deleted it has a clean store.
    for (const name of backupsIn(folder)) rmSync(join(folder, name), { recursive: true });
    const clean = new House(folder);
    assert.deepEqual(await clean.issues(), []);
    await clean.store.close();
  }
});

/** Which sessions' records read as before, and whether one that doesn't stands before one that does. */
function intactTasks(before: Buffer, after: Buffer): { kept: string[]; isGap: boolean } {
  const lines = before.toString('latin1').split('\n').slice(0, -1);
  const left = new Set(after.toString('latin1').split('\n').slice(0, -1));
  const kept = lines.filter((line) => left.has(line));
  const lastKept = Math.max(0, lines.lastIndexOf(kept.at(-1) ?? ''));
  const tasks = kept.join('\n').match(/task \d+ of all/g) ?? [];
  return { kept: [...new Set(tasks)], isGap: lines.slice(0, lastKept).some((line) => !left.has(line)) };
}

/** Puts the kept copy in the place of the store. */
async function tasksInKept(folder: string, parent: string): Promise<string[]> {
  const copy = mkdtempSync(join(parent, 'kept-'));
  const kept = keptIn(folder).find((name) => name.endsWith('.db'));
  writeFileSync(join(copy, 'store.db'), readFileSync(join(folder, kept ?? '')));
  return tasksOf(copy);
}
