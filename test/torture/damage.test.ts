import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PlannerError } from '../../src/planner/errors';
import type { Exported } from '../../src/planner/exchange/exported';
import { copyStore } from '../support/copyStore';
import { seededRandom } from '../support/crashDisk';
import { FaultyFileSystem } from './support/faultyFileSystem';
import { House } from './support/house';
import { LONG, record, SEED } from './support/ledger';

const RECORDS = 12;
/** Cases of each kind of damage. */
const SHORT = 6;
/** In the long form one case of so many is repaired, too; in the short one each. */
const REPAIRED = LONG ? 5 : 1;
const JOURNAL = 'journal-2.ndjson';

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
  const parent = mkdtempSync(join(tmpdir(), '9plan-damage-'));
  const pristine = join(parent, 'pristine', '.9plan');
  let names: string[];
  let count = 0;
  const random = seededRandom(SEED);
  let turns = 0;
  const isTurn = () => turns++ % REPAIRED === 0;

  before(async () => {
    const house = new House(pristine, { snapshots: true });
    await house.planner.sessions.create(house.caller, { taskDescription: 'work' });
    await house.add('a', 'b');
    await addSessions(house, RECORDS / 2);
    copyStore(pristine, join(parent, 'old'));
    await house.store.compact();
    await addSessions(house, RECORDS / 2);
    await house.store.close();
    names = await tasksOf(pristine);
    assert.equal(names.length, RECORDS + 1);
  });
  after(() => rmSync(parent, { recursive: true, force: true }));

  async function addSessions(house: House, many: number): Promise<void> {
    for (let n = 0; n < many; n++) {
      await house.planner.sessions.create(house.caller, { taskDescription: `task ${count++} of all` });
    }
  }

  async function withCopy<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(parent, `case-${count++}`, '.9plan');
    copyStore(pristine, folder);
    try {
      return await work(folder);
    } finally {
      rmSync(join(folder, '..'), { recursive: true, force: true });
    }
  }

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
        const bytes = readFileSync(join(pristine, JOURNAL));
        await each(rangesIn(bytes.length, 3), how, 'journal', (range) =>
          withCopy(async (folder) => {
            const damaged = damage(bytes, range);
            writeFileSync(join(folder, JOURNAL), damaged);
            // Damage is nobody's unfinished rollover: nothing else is left to go back to.
            rmSync(join(folder, 'journal-1.ndjson'));
            if (!snapshot) rmSync(join(folder, 'store.db'));
            const intact = intactTasks(bytes, damaged);
            if (isTurn()) {
              await withCopy(async (other) => {
                for (const name of [JOURNAL, 'journal-1.ndjson', 'store.db']) rmSync(join(other, name));
                for (const name of readdirSync(folder))
                  cpSync(join(folder, name), join(other, name), { recursive: true });
                await repaired(other, snapshot ? names : intact.kept);
              });
            }
            await checkJournal(folder, intact, snapshot);
          }),
        );
      });
    }

    it(`of store.db, ${how}: it is never believed`, async function () {
      this.timeout(LONG ? 3_600_000 : 60_000);
      const bytes = readFileSync(join(pristine, 'store.db'));
      await each(rangesIn(bytes.length, 701), how, 'store.db', (range) =>
        withCopy(async (folder) => {
          writeFileSync(join(folder, 'store.db'), damage(bytes, range));
          assert.deepEqual(await tasksOf(folder), names);
          const house = new House(folder, { snapshots: true });
          await addSessions(house, 1);
          assert.deepEqual(await house.issues(), []);
          await house.store.close();
          assert.equal((await tasksOf(folder)).length, names.length + 1);
        }),
      );
    });
  }

  it('of plan files, any of these: the store keeps its text, the rest goes on', async function () {
    this.timeout(LONG ? 3_600_000 : 60_000);
    for (const [how, damage] of Object.entries(BYTE_DAMAGES)) {
      const [file] = planFilesIn(pristine) as [string];
      const bytes = readFileSync(join(pristine, file));
      await each(rangesIn(bytes.length, 1), how, 'plan file', (range) =>
        withCopy(async (folder) => {
          writeFileSync(join(folder, file), damage(bytes, range));
          const house = new House(folder);
          const before = await textsOf(house);
          const issues = await house.issues();
          // Where it was read, it is a hand edit like any other; else it is named, and the store's text stands.
          if (issues.length > 0) assert.equal(await textsOf(house), before, issues.join());
          if (isTurn()) await repaired(folder, names);
          await house.add('c');
          await house.planner.sessions.create(house.caller, { taskDescription: 'one more' });
          await house.store.close();
          assert.equal((await tasksOf(folder)).length, names.length + 1);
        }),
      );
    }
  });

  const replacements: Record<string, (path: string) => void> = {
    'an old copy': (path) =>
      writeFileSync(path, readFileSync(path.replace(/case-\d+\/\.9plan/, 'old').replace('journal-2', 'journal-1'))),
    'an empty file': (path) => writeFileSync(path, ''),
    'a folder': (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    'a link to a stranger’s file': (path) => {
      rmSync(path);
      symlinkSync(stranger(path), path);
    },
    'a link to nothing': (path) => {
      rmSync(path);
      symlinkSync(join(path, '..', '..', 'created-by-mistake'), path);
    },
    'a link to /dev/zero': (path) => {
      rmSync(path);
      symlinkSync('/dev/zero', path);
    },
    'a pipe': (path) => {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
    'text that is none': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 1, 2, 0x0a, 0])),
  };

  for (const [what, replace] of Object.entries(replacements)) {
    for (const which of ['journal', 'store.db', 'plan file'] as const) {
      it(`replaced: the ${which} by ${what}`, async function () {
        if (process.platform === 'win32') this.skip();
        const file =
          which === 'journal' ? JOURNAL : which === 'store.db' ? which : (planFilesIn(pristine)[0] as string);
        if (which !== 'journal' && what === 'an old copy') this.skip();
        await each([what], `replaced by ${what}`, which, async () => {
          await withCopy((folder) => replaced(folder, file, replace));
          await withCopy((folder) => repairReplaced(folder, file, replace));
        });
      });
    }
  }

  for (const code of ['EACCES', 'EIO']) {
    it(`unreadable (${code}): nothing is begun in its place, and all is well when it can be read again`, async () => {
      for (const name of [JOURNAL, 'store.db']) {
        await each([name], `unreadable (${code})`, name === JOURNAL ? 'journal' : name, () =>
          withCopy(async (folder) => {
            const faulty = new FaultyFileSystem(folder);
            const house = new House(folder);
            faulty.breaks(join(folder, name), code);
            try {
              const outcome = await attempt(house);
              if (name === JOURNAL) assert.ok(outcome instanceof PlannerError);
              else assert.equal(outcome, undefined);
            } finally {
              faulty.end();
            }
            await house.store.close();
            const left = await tasksOf(folder);
            assert.deepEqual(
              left.filter((task) => names.includes(task)),
              names,
            );
          }),
        );
      }
    });
  }

  for (const which of ['journal', 'plan file'] as const) {
    it(`without the right to read it, the ${which} is reported, and made readable by the repair`, async function () {
      if (process.platform === 'win32') this.skip();
      await each([which], 'no right to read it', which, () =>
        withCopy(async (folder) => {
          const path = join(folder, which === 'journal' ? JOURNAL : (planFilesIn(pristine)[0] as string));
          chmodSync(path, 0);
          await asOrdinaryUser(parent, async () => {
            const house = new House(folder);
            const told = await house.issues().catch((error) => [String(error.message)]);
            await house.store.close();
            assert.match(told.join(), /EACCES/);
            await repaired(folder, names, new Map());
          });
          assert.equal(lstatSync(path).mode & 0o777, 0o600);
        }),
      );
    });
  }

  /** Refused with a reason or not, the stranger's file is as it was, and when the own one is put back all is there. */
  async function replaced(folder: string, file: string, replace: (path: string) => void): Promise<void> {
    const path = join(folder, file);
    const original = readFileSync(path);
    replace(path);
    const kind = lstatSync(path);
    const house = new House(folder, { snapshots: true });
    const refusal = await attempt(house);
    const issues = refusal === undefined ? await house.issues() : [];
    await house.store.close();
    if (refusal !== undefined) assert.ok(refusal instanceof PlannerError, String((refusal as Error).stack));
    assert.ok(!existsSync(join(folder, '..', 'created-by-mistake')), 'a link was followed');
    if (existsSync(stranger(path))) assert.equal(readFileSync(stranger(path), 'utf8'), 'not yours\n');
    const found = refusal === undefined ? await tasksOf(folder) : [];
    const isAllThere = names.every((name) => found.includes(name));
    if (isAllThere && (!file.startsWith('journal') || issues.length > 0)) return;
    if (issues.length > 0 && keptIn(folder).length > 0) return;
    assert.ok(
      refusal instanceof PlannerError,
      `neither kept nor told: ${found.length} of ${names.length} sessions, ${issues}`,
    );
    // What stood there is still there, and gives way to the original.
    assert.equal(lstatSync(path).mode, kind.mode);
    rmSync(path, { recursive: true });
    writeFileSync(path, original);
    assert.deepEqual(await tasksOf(folder), names);
  }

  /** What stood in the place of the file is in the backup, of the same kind, and the stranger's file is as it was. */
  async function repairReplaced(folder: string, file: string, replace: (path: string) => void): Promise<void> {
    const path = join(folder, file);
    replace(path);
    const kind = lstatSync(path);
    await repaired(folder, names);
    assert.ok(!existsSync(join(folder, '..', 'created-by-mistake')), 'a link was followed');
    if (existsSync(stranger(path))) assert.equal(readFileSync(stranger(path), 'utf8'), 'not yours\n');
    if (kind.isFile()) return;
    const places = file.endsWith('.txt')
      ? readdirSync(dirname(path))
          .filter((name) => name.endsWith('.kept'))
          .map((name) => join(dirname(path), name))
      : backupsIn(folder).map((name) => join(folder, name, file));
    assert.deepEqual(
      places.map((place) => lstatSync(place).mode),
      [kind.mode],
    );
  }

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
    const lost = names.filter((task) => !found.includes(task));
    if (snapshot && lost.length > 0) {
      assert.match(issues.join('\n'), /rescue-/);
      assert.deepEqual(await tasksInKept(folder, parent), names, 'the kept copy has all');
    } else if (intact.isGap && lost.length > 0) assert.match(issues.join('\n'), /damaged/);
    await addSessions(house, 1);
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

  /** All is in the backup as it was, and the store is sound, with the sessions that it has to have. */
  async function repaired(folder: string, sessions: readonly string[], before = filesIn(folder)): Promise<void> {
    const house = new House(folder);
    const { backup, left, rescued } = await house.repair();
    const stray = /belongs to no queued or active plan: \w+\.\w+\.kept/;
    assert.deepEqual(
      left.filter((issue) => !stray.test(issue)),
      [],
    );
    // To open it is to look: `store.db` may be set aside under another name then, and a journal grows.
    const kept = [...filesIn(backup).values()];
    for (const [name, text] of before) {
      assert.ok(
        kept.some((copy) => copy.startsWith(text)),
        `${name} is not in the backup`,
      );
    }
    const found = await house.store.read((view) => view.sessions({ archived: true }));
    await house.store.close();
    const all = [...found.map(({ taskDescription }) => taskDescription), ...rescued.flatMap(tasksIn)].map(String);
    assert.deepEqual(
      sessions.filter((task) => !all.includes(task)),
      [],
      'lost by the repair',
    );
    assert.deepEqual(keptIn(folder), []);
  }

  async function attempt(house: House): Promise<unknown> {
    try {
      await house.planner.sessions.create(house.caller, { taskDescription: 'attempt' });
      return undefined;
    } catch (error) {
      return error;
    }
  }
});

/** Nothing is out of an administrator's reach: for such a one nobody does the work, on files of nobody's. */
async function asOrdinaryUser(folder: string, work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  for (const name of ['.', ...readdirSync(folder, { recursive: true })])
    lchownSync(join(folder, String(name)), nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

async function each<T>(cases: T[], fault: string, part: string, run: (one: T) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  for (const one of cases) {
    let isLoss = 0;
    try {
      await run(one);
    } catch (error) {
      isLoss = 1;
      failures.push(`${JSON.stringify(one)}: ${error instanceof Error ? (error.stack ?? '').slice(0, 700) : error}`);
    }
    record({ part: `damage: ${part}`, fault, cases: 1, losses: isLoss });
  }
  if (failures.length > 0)
    assert.fail(`${failures.length} failures, seed ${SEED}:\n${failures.slice(0, 5).join('\n')}`);
}

/** Which sessions' records read as before, and whether one that doesn't stands before one that does. */
function intactTasks(before: Buffer, after: Buffer): { kept: string[]; isGap: boolean } {
  const lines = before.toString('latin1').split('\n').slice(0, -1);
  const left = new Set(after.toString('latin1').split('\n').slice(0, -1));
  const kept = lines.filter((line) => left.has(line));
  const lastKept = Math.max(0, lines.lastIndexOf(kept.at(-1) ?? ''));
  const tasks = kept.join('\n').match(/task \d+ of all/g) ?? [];
  return { kept: [...new Set(tasks)], isGap: lines.slice(0, lastKept).some((line) => !left.has(line)) };
}

async function tasksOf(folder: string): Promise<string[]> {
  const house = new House(folder);
  try {
    const sessions = await house.store.read((view) => view.sessions({ archived: true }));
    return sessions.map(({ taskDescription }) => String(taskDescription)).sort();
  } finally {
    await house.store.close();
  }
}

/** Puts the kept copy in the place of the store. */
async function tasksInKept(folder: string, parent: string): Promise<string[]> {
  const copy = mkdtempSync(join(parent, 'kept-'));
  const kept = keptIn(folder).find((name) => name.endsWith('.db'));
  writeFileSync(join(copy, 'store.db'), readFileSync(join(folder, kept ?? '')));
  return tasksOf(copy);
}

function keptIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^(rescue|damaged)-/.test(name));
}

function backupsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('backup-'));
}

/** What ordinary files say; the backups and the signs of life of windows left out. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const own = names.filter((name) => !/^(backup-|windows)/.test(name) && lstatSync(join(folder, name)).isFile());
  return new Map(own.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

function tasksIn({ sessions }: Exported): string[] {
  return sessions.map(({ task_description }) => String(task_description));
}

function planFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.txt'));
}

function textsOf(house: House): Promise<string> {
  return house.dump();
}

function stranger(path: string): string {
  const file = path.replace(/(case-\d+)\/.*/, '$1/strangers-file');
  if (!existsSync(file) && existsSync(join(file, '..'))) writeFileSync(file, 'not yours\n');
  return file;
}
