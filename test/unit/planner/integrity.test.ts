import assert from 'node:assert/strict';
import type { Invariant } from '../../../src/planner/ports';
import { PlannerOverMemory } from '../../support/plannerOverMemory';

describe('the integrity check', () => {
  let house: PlannerOverMemory;
  let a: string;
  let b: string;
  beforeEach(async () => {
    house = await PlannerOverMemory.open();
    [a, b] = (await house.add('a', 'b')) as [string, string];
    await house.planner.queue.pull(house.agent, {});
  });
  afterEach(() => house.store.close());

  const broken = async (): Promise<{ names: string[]; issues: string[] }> => {
    const report = await house.planner.integrity.validate(house.agent, {});
    const names = (Object.keys(report.invariants) as Invariant[]).filter((name) => !report.invariants[name]);
    assert.equal(report.valid, report.issues.length === 0);
    return { names, issues: report.issues };
  };

  it('finds nothing in a sound session', async () => {
    assert.deepEqual(await broken(), { names: [], issues: [] });
    const { planFiles, filesMatch } = await house.planner.sessions.state(house.agent, {});
    assert.deepEqual([planFiles, filesMatch], [[a, b].sort(), true]);
  });

  it('takes edits in before it looks', async () => {
    house.editFile(b, (text) => text.replace('# Notes', '# Notes\nby hand'));
    assert.deepEqual((await broken()).issues, []);
    assert.equal((await house.plan(b)).notes, 'by hand');
  });

  it('finds a missing file', async () => {
    house.store.editFile(house.session, b, undefined);
    const { names, issues } = await broken();
    assert.deepEqual(names, ['files_match_database']);
    assert.ok(issues.length === 1 && issues[0]?.includes(`${b}.txt`));
    assert.equal((await house.planner.sessions.state(house.agent, {})).filesMatch, false);
  });

  it('finds a file that belongs to no open plan', async () => {
    house.store.editFile(house.session, 'stray.bak', 'x');
    const { names, issues } = await broken();
    assert.deepEqual(names, ['no_orphaned_files']);
    assert.ok(issues.length === 1 && issues[0]?.includes('stray.bak'));
  });

  it('reports a file it cannot understand and still takes the others in', async () => {
    house.editFile(a, () => 'no headings');
    house.editFile(b, (text) => text.replace('# Notes', '# Notes\nby hand'));
    const { names, issues } = await broken();
    assert.deepEqual(names, ['files_match_database']);
    assert.ok(issues.length === 1 && issues[0]?.includes(`${a}.txt`));
    assert.equal((await house.plan(b)).notes, 'by hand');
  });

  it('passes on what the store itself found', async () => {
    await house.store.transact('broken client', (tx) => tx.emit({ type: 'plan_pulled', plan: b, client: 'x' }));
    const { names, issues } = await broken();
    assert.deepEqual(names, ['single_active_plan']);
    assert.ok(issues.length > 0);
  });
});
