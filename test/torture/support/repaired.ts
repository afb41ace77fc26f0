import assert from 'node:assert/strict';
import type { Exported } from '../../../src/planner/exchange/exported';
import { House } from './house';
import { filesIn, keptIn } from './storeFiles';

/** All is in the backup as it was, and the store is sound, with the sessions that it has to have. */
export async function repaired(folder: string, sessions: readonly string[], before = filesIn(folder)): Promise<void> {
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

function tasksIn({ sessions }: Exported): string[] {
  return sessions.map(({ task_description }) => String(task_description));
}
