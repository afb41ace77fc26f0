/**
 * A process on a shared store, as an editor window is one: it follows every change and writes no snapshots. It writes a
 * line for each change before it begins it and after it is acknowledged. It may stop itself, like a laptop that falls
 * asleep, at a moment when that hurts.
 */
import { writeSync } from 'node:fs';
import { newCaller } from '../../../src/planner/caller';
import { Planner } from '../../../src/planner/planner';
import { type Disk, realDisk } from '../../../src/store/disk';
import { WorkspaceStore } from '../../../src/store/workspaceStore';
import { seededRandom } from '../../support/crashDisk';
import { silent } from '../../support/silentLog';
import { planningHands } from './hands';
import { MixedWork } from './mixedWork';

export interface Orders {
  folder: string;
  sessions: string[];
  prefix: string;
  seed: number;
  rolloverSize: number;
  /** Stops before it writes the next journal's name, before that one's first record, or half-way in a record. */
  stop?: { when: 'before the name' | 'before the genesis' | 'in a write'; afterChanges: number };
  /** What else it does than changes. */
  compacts?: boolean;
}

const tell = (what: object) => writeSync(1, `${JSON.stringify(what)}\n`);
let isDue = false;

/** Once; what comes after happens when somebody lets it go on. */
function stopHere(): boolean {
  if (!isDue) return false;
  isDue = false;
  tell({ stopped: true });
  process.kill(process.pid, 'SIGSTOP');
  return true;
}

function stoppingDisk(when: NonNullable<Orders['stop']>['when']): Disk {
  let names = new Set<string>();
  const isNew = (path: string) => /journal-\d+\.ndjson$/.test(path) && names.size > 0 && !names.has(path);
  let fresh = -1;
  return {
    ...realDisk,
    openAppend: (path, create) => {
      const isNext = create && isNew(path);
      if (isNext && when === 'before the name') stopHere();
      const fd = realDisk.openAppend(path, create);
      names = names.add(path);
      if (isNext) fresh = fd;
      return fd;
    },
    write: (fd, bytes) => {
      if (fd === fresh && when === 'before the genesis') stopHere();
      if (when !== 'in a write' || !isDue) return realDisk.write(fd, bytes);
      const half = realDisk.write(fd, bytes.subarray(0, bytes.length >> 1));
      stopHere();
      return half;
    },
  };
}

async function work(orders: Orders): Promise<void> {
  const { folder, sessions, prefix, seed, rolloverSize, stop } = orders;
  const disk = stop ? stoppingDisk(stop.when) : realDisk;
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false, rolloverSize, disk });
  const seen: number[] = [];
  store.onDidChange(({ seq }) => seen.push(seq));
  let isStopping = false;
  process.stdin.on('end', () => {
    isStopping = true;
  });
  process.stdin.resume();
  const hands = planningHands(new Planner(store), newCaller(prefix));
  const diary = { begin: tell, acknowledge: tell };
  const mixed = new MixedWork(hands, sessions, prefix, diary, seededRandom(seed));
  for (let n = 0; !isStopping; n++) {
    if (stop?.afterChanges === n) isDue = true;
    if (orders.compacts && n % 10 === 9) await store.compact();
    await mixed.step();
  }
  await store.close();
  const isInOrder = seen.every((seq, n) => n === 0 || seq > (seen[n - 1] as number));
  if (!isInOrder) throw new Error('changes were told out of order');
}

work(JSON.parse(process.argv[2] ?? '{}')).then(
  () => process.exit(0),
  (error) => {
    writeSync(2, `${error?.stack ?? error}\n`);
    process.exit(1);
  },
);
