// Another process on a store, for measurements in the editor: it has an event loop and a clock of its own.
//   otherProcess.ts FOLDER completed=N queued=N   makes a store; prints its session's name
//   otherProcess.ts FOLDER changes=N pause=MS     adds plans one by one; prints when each was committed

import { newCaller } from '../../src/planner/caller';
import { Planner } from '../../src/planner/planner';
import { WorkspaceStore } from '../../src/store/workspaceStore';
import { sampleText } from './sampleText';
import { seedStore, silent } from './seedStore';

/** On the wall clock, which all processes share; milliseconds with their fractions. */
const now = (): number => performance.timeOrigin + performance.now();

async function seed(folder: string, completed: number, queued: number): Promise<void> {
  // As small as what agents write, since what is replayed is told by the transaction.
  const sessionName = await seedStore(folder, completed, 3000, 5);
  const store = new WorkspaceStore({ folder, log: silent, snapshots: true });
  const { queue } = new Planner(store);
  for (let from = 0; from < queued; from += 500) {
    const plans = Array.from({ length: Math.min(500, queued - from) }, (_, n) => ({
      goal: `Queued ${from + n}`,
      context: sampleText(n, 500),
    }));
    await queue.add(newCaller('bench'), { sessionName, plans });
  }
  await store.close();
  console.log(sessionName);
}

async function change(folder: string, count: number, pause: number): Promise<void> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
  const { queue } = new Planner(store);
  const [session] = await store.read((view) => view.sessions());
  for (let n = 0; n < count; n++) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const started = now();
    const added = await queue.add(newCaller('other'), {
      sessionName: session?.name,
      plans: [{ goal: `Change ${n}` }],
      position: 'front',
    });
    console.log(JSON.stringify({ id: added.plans[0]?.planId, started, committed: now() }));
  }
  await store.close();
}

const [folder = '', ...rest] = process.argv.slice(2);
const given = Object.fromEntries(rest.map((word) => word.split('='))) as Record<string, string>;
const work =
  given.changes === undefined
    ? seed(folder, Number(given.completed ?? 0), Number(given.queued ?? 0))
    : change(folder, Number(given.changes), Number(given.pause ?? 50));
work.catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
