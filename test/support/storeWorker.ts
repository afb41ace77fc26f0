/**
 * A process that adds sessions to a store until it is killed, told to stop by the end of its input, or has added as many
 * as it should. It writes a line for each before it begins (`?name`) and after it is acknowledged (`!name`).
 */
import { writeSync } from 'node:fs';
import { WorkspaceStore } from '../../src/store/workspaceStore';
import { silent } from './silentLog';

interface Orders {
  folder: string;
  prefix: string;
  snapshots: boolean;
  rolloverSize: number;
}

const LARGE = 40_000;

async function work({ folder, prefix, snapshots, rolloverSize }: Orders): Promise<void> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots, rolloverSize });
  let isStopping = false;
  process.stdin.on('end', () => {
    isStopping = true;
  });
  process.stdin.resume();
  const add = async (name: string, size: number) => {
    writeSync(1, `?${name}\n`);
    await store.transact(prefix, (tx) => {
      if (tx.session(name)) throw new Error(`${name} is there already.`);
      tx.emit({ type: 'session_created', session: name, taskDescription: 'x'.repeat(size) });
    });
    writeSync(1, `!${name}\n`);
  };
  for (let n = 0; !isStopping; n++) {
    // Some at once, some alone, of very different size.
    const size = n % 7 === 0 ? LARGE : (n * 37) % 1500;
    const together = n % 5 === 0 ? 3 : 1;
    await Promise.all(Array.from({ length: together }, (_, i) => add(`${prefix}-n${n}-${'abc'[i]}`, size)));
    if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, n % 4));
  }
  await store.close();
}

work(JSON.parse(process.argv[2] ?? '{}')).then(
  () => process.exit(0),
  (error) => {
    writeSync(2, `${error?.stack ?? error}\n`);
    process.exit(1);
  },
);
