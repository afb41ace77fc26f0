import { newCaller } from '../../src/planner/caller';
import { newPlanId } from '../../src/planner/newNames';
import { Planner } from '../../src/planner/planner';
import type { Log } from '../../src/planner/ports';
import { WorkspaceStore } from '../../src/store/workspaceStore';
import { sampleText } from './sampleText';

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

/**
 * Makes a store with one session and `count` completed plans of about `bytes` characters each, as the tools would, in
 * few transactions, or in ones of `together` plans. Returns the session's name.
 */
export async function seedStore(folder: string, count: number, bytes = 3000, together = 250): Promise<string> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots: true });
  const planner = new Planner(store);
  const { session } = await planner.sessions.create(newCaller('bench'), { taskDescription: 'bench' });
  for (let from = 0; from < count; from += together) {
    await store.transact('bench', (tx) => {
      for (let n = from; n < Math.min(count, from + together); n++) {
        const plan = newPlanId((id) => tx.plan(id) !== undefined);
        const part = Math.floor(bytes / 3);
        const sections = {
          goal: `Goal ${n} about rare${n}`,
          context: sampleText(n, part),
          inputs: '',
          outputs: '',
          approach: sampleText(n + 1, part),
          successCriteria: 'It works.',
          notes: '',
        };
        tx.emit({ type: 'plan_added', plan, session, position: 1, sections, parent: null });
        tx.emit({ type: 'plan_pulled', plan, client: 'bench' });
        tx.emit({ type: 'plan_completed', plan, outcome: sampleText(n + 2, part) });
      }
    });
  }
  await store.close();
  return session;
}
