import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { House } from './house';

/** What a process does while something fails: a store to begin with, and commands, of which each is done or not. */
export interface Scenario {
  name: string;
  /** Makes the store as it is before, on a sound disk; without it there is none. */
  prepare?(folder: string): Promise<void>;
  /** How the process opens it. */
  snapshots?: boolean;
  commands: ((house: House) => Promise<unknown>)[];
  /** What the integrity check may say in the end: the scenario itself brings it about. */
  mayReport?: RegExp;
  /** Whether it deletes everything itself, so that a process killed after that leaves nothing. */
  mayBeGone?: boolean;
}

async function made(folder: string, work: (house: House) => Promise<void>, snapshots = false): Promise<void> {
  const house = new House(folder, { snapshots });
  await house.planner.sessions.create(house.caller, { taskDescription: 'first' });
  await work(house);
  await house.store.close();
}

const threePlans = (folder: string) => made(folder, (house) => house.add('a', 'b', 'c'));

/** Flips a bit of the record that holds `text`. */
function damage(path: string, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  if (at < 0) throw new Error(`${text} is not in ${path}`);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes, { flag: 'r+' });
}

/** Every kind of I/O that the store does, each in a scenario as short as can be. */
export const SCENARIOS: Scenario[] = [
  {
    name: 'the first changes in an empty folder',
    commands: [
      (house) => house.planner.sessions.create(house.caller, { taskDescription: 'new' }),
      (house) => house.add('a', 'b'),
    ],
  },
  {
    name: 'adding, pulling and completing',
    prepare: threePlans,
    commands: [(house) => house.add('d'), (house) => house.pull(), (house) => house.complete('done')],
  },
  {
    name: 'deferring a plan whose file was edited by hand',
    prepare: (folder) =>
      made(folder, async (house) => {
        await house.add('a', 'b');
        const file = await house.planFile('a');
        await house.pull();
        appendFileSync(file, 'Found by hand.\n');
      }),
    commands: [(house) => house.defer('later'), (house) => house.pull()],
  },
  {
    name: 'deleting a session',
    prepare: threePlans,
    commands: [
      async (house) => house.planner.sessions.delete(house.caller, { sessionName: await house.session() }),
      (house) => house.planner.sessions.create(house.caller, { taskDescription: 'next' }),
    ],
  },
  {
    name: 'a rollover between two changes',
    prepare: threePlans,
    commands: [(house) => house.add('d'), (house) => house.store.compact(), (house) => house.add('e')],
  },
  {
    name: 'a second rollover, which deletes the oldest journal',
    prepare: (folder) =>
      made(folder, async (house) => {
        await house.add('a');
        await house.store.compact();
        await house.add('b');
      }),
    commands: [(house) => house.store.compact(), (house) => house.add('c')],
  },
  {
    name: 'a rollover because of damage',
    prepare: async (folder) => {
      await made(folder, async (house) => {
        await house.add('a');
        await house.planner.sessions.describe(house.caller, {
          sessionName: await house.session(),
          taskDescription: 'unlucky',
        });
        await house.add('b');
      });
      damage(new House(folder).path('journal-1.ndjson'), 'unlucky');
    },
    commands: [(house) => house.add('c')],
    mayReport: /damaged/,
  },
  {
    name: 'opening with a snapshot, and writing one',
    prepare: (folder) => made(folder, (house) => house.add('a', 'b'), true),
    snapshots: true,
    commands: [(house) => house.add('c'), (house) => house.store.close()],
  },
  {
    name: 'recovery from the snapshot alone',
    prepare: async (folder) => {
      await made(folder, (house) => house.add('a', 'b'), true);
      rmSync(new House(folder).path('journal-1.ndjson'));
    },
    commands: [(house) => house.add('c')],
  },
  {
    name: 'recovery from plan files alone',
    prepare: async (folder) => {
      await threePlans(folder);
      rmSync(new House(folder).path('journal-1.ndjson'));
    },
    commands: [(house) => house.add('d')],
  },
  {
    name: 'restoring a store that was deleted while open',
    prepare: threePlans,
    mayBeGone: true,
    commands: [
      async (house) => {
        await house.session();
        await rm(house.folder, { recursive: true });
        await house.store.restoreLast();
      },
      (house) => house.add('d'),
    ],
  },
];
