import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import { elsewhere, ScriptedDialogs, startSession, until, workbench } from './support';

/** An offer waits that long for an agent that goes on by itself, and a little for the machine. */
const NO_LONGER_COMES_MS = 4_500;

const pause = () => new Promise((resolve) => setTimeout(resolve, NO_LONGER_COMES_MS));

describe('the offer to run the next plan', () => {
  const settings = () => vscode.workspace.getConfiguration('nineplan');
  const agent = newCaller('agent');
  const sections = (goal: string) => ({ plans: [{ goal }] });

  afterEach(() => settings().update('offerNextPlan', undefined, vscode.ConfigurationTarget.Global));

  /** A window with an empty queue, and what will be said in it. */
  async function quietWindow(switchedOn: boolean) {
    await settings().update('offerNextPlan', switchedOn, vscode.ConfigurationTarget.Global);
    const { parts } = await workbench();
    await startSession();
    const dialogs = new ScriptedDialogs();
    parts.dialogs = dialogs;
    return { parts, dialogs, sessionName: parts.state.planning?.session?.name };
  }

  it('is not made to those who did not ask for it', async () => {
    const { dialogs, sessionName } = await quietWindow(false);
    await elsewhere((planner) => planner.queue.add(agent, { sessionName, ...sections('Quiet') }));
    await pause();
    assert.deepEqual(dialogs.said, []);
  });

  it('comes once for a plan, and a click takes the plan and asks the agent', async () => {
    const { parts, dialogs, sessionName } = await quietWindow(true);
    await elsewhere(async (planner) => {
      await planner.queue.add(agent, { sessionName, ...sections('First') });
      await until('it is offered', () => dialogs.said.length > 0, 10_000);
      await planner.queue.add(agent, { sessionName, ...sections('Second') });
      await pause();
      assert.deepEqual(dialogs.said, ['“First” is next in the queue.']);

      dialogs.click = ([run]) => run;
      await planner.queue.pull(agent, { sessionName });
      await planner.queue.complete(agent, { sessionName, outcome: 'Done.' });
      await until('what came next is taken', () => parts.state.planning?.active?.goal === 'Second', 10_000);
    });
    assert.equal(parts.state.planning?.active?.pulledBy, 'editor');
    assert.deepEqual(dialogs.said.slice(0, 2), ['“First” is next in the queue.', '“Second” is next in the queue.']);
  });

  it('does not come to an agent that goes on by itself, nor for what is done in the window', async () => {
    const { parts, dialogs, sessionName } = await quietWindow(true);
    await elsewhere(async (planner) => {
      await planner.queue.add(agent, { sessionName, ...sections('Taken') });
      await planner.queue.pull(agent, { sessionName });
    });
    const { queue } = await parts.connection.planner();
    await queue.complete(newCaller('editor'), { sessionName, outcome: 'Done.' });
    await queue.add(newCaller('editor'), { sessionName, ...sections('Of the person') });
    await pause();
    assert.deepEqual(dialogs.said, []);
  });
});
