// Opens a store as an editor does and prints how long that took and how long it kept the event loop from its turns.
//   openStore.ts FOLDER

import { WorkspaceStore } from '../../src/store/workspaceStore';
import { silent } from './seedStore';

export interface Opening {
  /** Milliseconds. */
  took: number;
  /**
   * The longest stretch between two turns of the event loop, in milliseconds of processor time, so that what else runs on
   * the machine doesn't count; of real time where Node can't tell (before 23.9).
   */
  stall: number;
}

function now(): number {
  if (!('threadCpuUsage' in process)) return performance.now();
  const { user, system } = (process.threadCpuUsage as typeof process.cpuUsage)();
  return (user + system) / 1000;
}

async function open(folder: string): Promise<Opening> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
  let stall = 0;
  let isOpen = false;
  let turn = now();
  const look = () => {
    const next = now();
    stall = Math.max(stall, next - turn);
    turn = next;
    if (!isOpen) setImmediate(look);
  };
  setImmediate(look);
  const start = performance.now();
  await store.read((view) => view.sessions());
  const took = performance.now() - start;
  isOpen = true;
  look();
  await store.close();
  return { took, stall };
}

if (require.main === module) {
  open(process.argv[2] as string).then((opening) => console.log(JSON.stringify(opening)));
}
