import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PlannerError } from '../../src/planner/errors';
import { FaultyFileSystem } from './support/faultyFileSystem';
import { House } from './support/house';
import { recordEach } from './support/ledger';
import { JOURNAL, PristineStore } from './support/pristineStore';
import { repaired } from './support/repaired';
import { backupsIn, keptIn, planFilesIn, tasksOf } from './support/storeFiles';

const REPLACEMENTS: Record<string, (path: string) => void> = {
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

describe('Damage', () => {
  const pristine = new PristineStore();
  before(() => pristine.make());
  after(() => pristine.remove());

  for (const [what, replace] of Object.entries(REPLACEMENTS)) {
    for (const which of ['journal', 'store.db', 'plan file'] as const) {
      it(`replaced: the ${which} by ${what}`, async function () {
        if (process.platform === 'win32') this.skip();
        const file =
          which === 'journal' ? JOURNAL : which === 'store.db' ? which : (planFilesIn(pristine.folder)[0] as string);
        if (which !== 'journal' && what === 'an old copy') this.skip();
        await recordEach([what], `replaced by ${what}`, `damage: ${which}`, async () => {
          await pristine.withCopy((folder) => replaced(folder, file, replace));
          await pristine.withCopy((folder) => repairReplaced(folder, file, replace));
        });
      });
    }
  }

  for (const code of ['EACCES', 'EIO']) {
    it(`unreadable (${code}): nothing is begun in its place, and all is well when it can be read again`, async () => {
      for (const name of [JOURNAL, 'store.db']) {
        await recordEach([name], `unreadable (${code})`, `damage: ${name === JOURNAL ? 'journal' : name}`, () =>
          pristine.withCopy(async (folder) => {
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
              left.filter((task) => pristine.tasks.includes(task)),
              pristine.tasks,
            );
          }),
        );
      }
    });
  }

  for (const which of ['journal', 'plan file'] as const) {
    it(`without the right to read it, the ${which} is reported, and made readable by the repair`, async function () {
      if (process.platform === 'win32') this.skip();
      await recordEach([which], 'no right to read it', `damage: ${which}`, () =>
        pristine.withCopy(async (folder) => {
          const path = join(folder, which === 'journal' ? JOURNAL : (planFilesIn(pristine.folder)[0] as string));
          chmodSync(path, 0);
          await asOrdinaryUser(pristine.parent, async () => {
            const house = new House(folder);
            const told = await house.issues().catch((error) => [String(error.message)]);
            await house.store.close();
            assert.match(told.join(), /EACCES/);
            await repaired(folder, pristine.tasks, new Map());
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
    const isAllThere = pristine.tasks.every((name) => found.includes(name));
    if (isAllThere && (!file.startsWith('journal') || issues.length > 0)) return;
    if (issues.length > 0 && keptIn(folder).length > 0) return;
    assert.ok(
      refusal instanceof PlannerError,
      `neither kept nor told: ${found.length} of ${pristine.tasks.length} sessions, ${issues}`,
    );
    // What stood there is still there, and gives way to the original.
    assert.equal(lstatSync(path).mode, kind.mode);
    rmSync(path, { recursive: true });
    writeFileSync(path, original);
    assert.deepEqual(await tasksOf(folder), pristine.tasks);
  }

  /** What stood in the place of the file is in the backup, of the same kind, and the stranger's file is as it was. */
  async function repairReplaced(folder: string, file: string, replace: (path: string) => void): Promise<void> {
    const path = join(folder, file);
    replace(path);
    const kind = lstatSync(path);
    await repaired(folder, pristine.tasks);
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

function stranger(path: string): string {
  const file = path.replace(/(case-\d+)\/.*/, '$1/strangers-file');
  if (!existsSync(file) && existsSync(join(file, '..'))) writeFileSync(file, 'not yours\n');
  return file;
}
