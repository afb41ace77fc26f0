import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { newCaller } from '../../../src/planner/caller';
import { Planner } from '../../../src/planner/planner';
import { StoreBench } from '../../support/openStore';

const OTHER = join(__dirname, '../../support/discardAndCompact.ts');

describe('the file of a plan', () => {
  const { renameSync } = fs;
  let bench: StoreBench;
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(async () => {
    fs.renameSync = renameSync;
    await bench.end();
  });

  it('is gone although its text was put in place just after another process had ended the plan, and sealed the journal', async () => {
    const planner = new Planner(bench.open());
    const agent = newCaller('agent');
    const { session } = await planner.sessions.create(agent, {});
    const { plans } = await planner.queue.add(agent, { plans: [{ goal: 'x' }] });
    const planId = plans[0]?.planId as string;
    const path = await planner.store.read((view) => view.planPath(session, planId));
    let others = 0;
    fs.renameSync = (from, to) => {
      if (to === path && others++ === 0) {
        execFileSync(process.execPath, ['-r', require.resolve('tsx/cjs'), OTHER, bench.folder, planId]);
      }
      renameSync(from, to);
    };
    await planner.queue.update(agent, { planId, sections: { notes: 'More.' } });
    assert.equal(others, 1);
    assert.equal(fs.existsSync(path), false);
    const report = await planner.integrity.validate(agent, { sessionName: session });
    assert.deepEqual(report.issues, []);
  });
});
