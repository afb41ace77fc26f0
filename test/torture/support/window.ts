/** A process that follows a store as an editor window does, and deletes the sessions that it is told of. */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { newCaller } from '../../../src/planner/caller';
import { Planner } from '../../../src/planner/planner';
import { WindowPresence } from '../../../src/store/presence';
import { WorkspaceStore } from '../../../src/store/workspaceStore';
import { silent } from '../../support/silentLog';

async function main(folder: string): Promise<void> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
  const presence = new WindowPresence(folder, false);
  const planner = new Planner(store);
  const look = () =>
    store.read((view) =>
      view.sessions().map(({ name }) => [view.activePlan(name), view.queue(name, { offset: 0, limit: 200 })]),
    );
  store.onDidChange(() => void look());
  for await (const sessionName of createInterface(process.stdin)) {
    await look();
    await planner.sessions.delete(newCaller('editor'), { sessionName });
    writeSync(1, `${sessionName}\n`);
  }
  presence.dispose();
  await store.close();
}

void main(process.argv[2] ?? '');
