import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { act, activeFile, ScriptedDialogs, startSession, until, workbench } from './support';

describe('a link', () => {
  async function follow(path: string, ...answers: unknown[]): Promise<ScriptedDialogs> {
    const { links, parts } = await workbench();
    const dialogs = new ScriptedDialogs(...answers);
    parts.dialogs = dialogs;
    await links.handleUri(vscode.Uri.parse(`${vscode.env.uriScheme}://nineplan.9plan${path}`));
    assert.equal(dialogs.unused, 0);
    return dialogs;
  }

  it('to a session switches to it, after a yes only', async () => {
    const { parts } = await workbench();
    await startSession('in the first');
    const first = parts.state.planning?.session?.name;
    await startSession('in the second');
    const second = parts.state.planning?.session?.name;
    await follow(`/session/${first}`, false);
    assert.equal(parts.state.planning?.session?.name, second);
    await follow(`/session/${first}`, true);
    assert.equal(parts.state.planning?.session?.name, first);
    await follow(`/session/${first}`);
  });

  it('to a plan shows it and changes nothing', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('linked');
    await act('nineplan.plan.add', [], { goal: 'another' }, 'front');
    const before = parts.state.planning;
    await follow(`/plan/${id}`);
    await until('the plan is open', () => activeFile()?.path.endsWith(`${id}.txt`) ?? false);
    assert.deepEqual(parts.state.planning, before);
  });

  it('to nothing says so', async () => {
    for (const path of ['/session/no-such-thing', '/plan/zzzz9', '/plan/../../etc', '/', '/elsewhere/x']) {
      const dialogs = await follow(path);
      assert.equal(dialogs.said.length, 1, path);
    }
  });
});
