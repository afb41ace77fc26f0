import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import { act, startSession, until, workbench } from './support';

describe('a list to choose from', () => {
  it('has every plan of the queue, however few the view shows', async () => {
    const { parts } = await workbench();
    await startSession('first');
    const planner = await parts.connection.planner();
    const plans = Array.from({ length: 250 }, (_, i) => {
      return { context: 'c', goal: `plan ${i}`, approach: 'a', successCriteria: 's' };
    });
    await planner.queue.add(newCaller('agent'), { sessionName: parts.state.planning?.session?.name, plans });
    const { offered } = await act('nineplan.plan.copyId', [], 'plan 249');
    assert.equal(offered[0]?.length, 251);
    assert.match(await vscode.env.clipboard.readText(), /^[0-9a-z]{5}$/);
  });

  it('is not shown when it would be empty; why is said', async () => {
    await startSession();
    const plans = await act('nineplan.plan.open', []);
    await until('it is said', () => plans.said.length > 0);
    assert.deepEqual(plans.said, ['The queue is empty.']);
  });
});
