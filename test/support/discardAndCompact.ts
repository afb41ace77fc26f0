/** A process that discards a plan and begins the next journal. Its arguments: the store's folder, the plan's id. */
import { newCaller } from '../../src/planner/caller';
import { Planner } from '../../src/planner/planner';
import { WorkspaceStore } from '../../src/store/workspaceStore';
import { silent } from './silentLog';

async function main([folder = '', planId = '']: string[]): Promise<void> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
  await new Planner(store).queue.discard(newCaller('other'), { planId, reason: 'Not needed.' });
  await store.compact();
  await store.close();
}

void main(process.argv.slice(2));
