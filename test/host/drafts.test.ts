import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import type { Field } from '../../src/vscode/dialogs';
import { act, elsewhere, labels, rows, ScriptedDialogs, startSession, until, workbench } from './support';

/** An agent does something while the person types. */
class InterruptedDialogs extends ScriptedDialogs {
  constructor(
    private readonly meanwhile: () => Promise<unknown>,
    ...answers: unknown[]
  ) {
    super(...answers);
  }

  override async fill<K extends string>(title: string, fields: Field<K>[]): Promise<Record<K, string> | undefined> {
    const answers = await super.fill(title, fields);
    await this.meanwhile();
    return answers;
  }
}

describe('what was typed', () => {
  it('stands there again when the same is asked, until a plan was made of it', async () => {
    const { parts } = await workbench();
    await startSession('only');
    await act('nineplan.plan.add', [], { goal: 'half', context: 'Typed at length.' }, undefined);
    await act('nineplan.plan.add', [], {}, 'back');
    assert.deepEqual(labels(await rows(parts.views.queue)), ['only', 'half']);
    const added = await act('nineplan.plan.add', [], { goal: 'another' }, 'back');
    assert.equal(added.asked.length, 2);
    const planner = await parts.connection.planner();
    const ids = parts.state.planning?.queue.map(({ id }) => id) ?? [];
    const contexts = await planner.store.read((view) => ids.map((id) => view.plan(id)?.context));
    assert.deepEqual(contexts, ['Context of only', 'Typed at length.', '']);
  });

  for (const [command, answer] of [
    ['complete', { outcome: 'Built it,\nand it holds.' }],
    ['discard', { reason: 'It would be too much.' }],
    ['defer', { reason: 'The parts come on Friday.' }],
  ] as const) {
    it(`can be copied when an agent was faster: ${command}`, async () => {
      const { parts } = await workbench();
      const [first] = (await startSession('raced for')) as [string];
      await act('nineplan.queue.pull', []);
      const outrun = () =>
        elsewhere((planner) => planner.queue.complete(newCaller('agent'), { planId: first, outcome: 'x' }));
      const dialogs = new InterruptedDialogs(outrun, answer, ...(command === 'defer' ? ['back'] : []));
      dialogs.click = (actions) => actions[0];
      parts.dialogs = dialogs;
      await vscode.env.clipboard.writeText('');
      await vscode.commands.executeCommand(`nineplan.plan.${command}`);
      const [text] = Object.values<string>(answer);
      await until('it is copied', async () => (await vscode.env.clipboard.readText()) === text);
      assert.match(dialogs.said[0] ?? '', /raced for/);
    });
  }
});
