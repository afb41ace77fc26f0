import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import { act, activeFile, labels, rows, startSession, until, workbench } from './support';

describe('the commands', () => {
  it('of the manifest are the ones registered', async () => {
    await workbench();
    const { contributes } = vscode.extensions.getExtension('nineplan.9plan')?.packageJSON ?? {};
    const declared = contributes.commands.map((command: { command: string }) => command.command);
    // VS Code makes some for each view, such as nineplan.queue.focus.
    const ofViews = /^nineplan\.(queue|history|sessions)\.(focus|open|resetViewLocation|removeView|toggleVisibility)$/;
    const known = (await vscode.commands.getCommands(true)).filter((id) => /^nineplan\.\w+\.\w+$/.test(id));
    assert.deepEqual(known.filter((id) => !ofViews.test(id)).sort(), [...declared].sort());
  });

  it('add plans, in front too, and start a session for the first', async () => {
    const { parts } = await workbench();
    await startSession('first', 'second');
    await act('nineplan.plan.add', [], { goal: 'urgent' }, 'front');
    assert.deepEqual(labels(await rows(parts.views.queue)), ['urgent', 'first', 'second']);
  });

  it('do nothing when the person gives up', async () => {
    const { parts } = await workbench();
    await startSession('only');
    await act('nineplan.plan.add', [], undefined);
    await act('nineplan.plan.add', [], { goal: 'half' }, undefined);
    await act('nineplan.session.create', [], undefined);
    assert.deepEqual(labels(await rows(parts.views.queue)), ['only']);
  });

  it('pull the next plan and open its file', async () => {
    const { parts } = await workbench();
    const [first] = await startSession('to be pulled', 'later');
    await act('nineplan.queue.pull', []);
    const [active, later] = await rows(parts.views.queue);
    assert.equal(active?.item.contextValue, 'plan;active');
    assert.match(String(active?.item.description), /^active · you, /);
    assert.match(active?.item.accessibilityInformation?.label ?? '', /^Active plan: to be pulled\. you, \d/);
    assert.equal(later?.item.label, 'later');
    await until('its file is open', () => activeFile()?.path.endsWith(`/plans/${first}.txt`) ?? false);
    const again = await act('nineplan.queue.pull', []);
    await until('it is said', () => again.said.length > 0);
    assert.deepEqual(again.said, ['“to be pulled” is already active. Nothing was changed.']);
    assert.equal(parts.state.planning?.active?.id, first, 'a refused call changes nothing');
  });

  it('start any ready plan, and put it back where it stood', async () => {
    const { parts } = await workbench();
    const [, second, third] = (await startSession('first', 'second', 'third')) as [string, string, string];
    const planner = await parts.connection.planner();
    await planner.tasks.dep(newCaller('agent'), { id: third, add: [second] });
    const blocked = await act('nineplan.plan.start', [third]);
    await until('it is said', () => blocked.said.length > 0);
    assert.match(blocked.said[0] ?? '', /^“third” waits for “second”\. Complete or discard/);
    await act('nineplan.plan.start', [second]);
    assert.equal(parts.state.planning?.active?.id, second);
    assert.deepEqual(labels(await rows(parts.views.queue)), ['second', 'first', 'third']);
    await until('its file is open', () => activeFile()?.path.endsWith(`/plans/${second}.txt`) ?? false);
    await act('nineplan.change.undo', []);
    assert.equal(parts.state.planning?.active, undefined);
    assert.deepEqual(labels(await rows(parts.views.queue)), ['first', 'second', 'third']);
  });

  it('say what is wrong in words for people', async () => {
    const { parts } = await workbench();
    const [id] = (await startSession('gone already')) as [string];
    const planner = await parts.connection.planner();
    await planner.queue.discard(newCaller('agent'), { planId: id, reason: 'moot' });
    const late = await act('nineplan.plan.start', [id]);
    await until('it is said', () => late.said.length > 0);
    assert.equal(
      late.said[0],
      '“gone already” is discarded. Somebody else changed it meanwhile. Nothing was changed now.',
    );

    const [broken] = (await startSession('with a broken file')) as [string];
    const { session } = parts.state.planning ?? {};
    const path = await planner.store.read((view) => view.planPath(session?.name ?? '', broken));
    await vscode.workspace.fs.writeFile(vscode.Uri.file(path), new TextEncoder().encode('no headings\n'));
    const refused = await act('nineplan.plan.start', [broken]);
    await until('it is said', () => refused.said.length > 0);
    assert.equal(
      refused.said[0],
      `What was changed in ${path} can’t be taken over. Put its text below the headings of a plan, such as # Context and # Goal, then try again.`,
    );
    assert.equal(parts.state.planning?.active, undefined);
  });

  it('complete with what stands unsaved in the editor, close the file, and take it back', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('to be done', 'next one');
    await act('nineplan.queue.pull', []);
    await until('its file is open', () => activeFile()?.path.endsWith(`${id}.txt`) ?? false);
    await until(
      'its tab bears the goal',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'to be done',
    );
    const file = activeFile() as vscode.Uri;
    const document = await vscode.workspace.openTextDocument(file);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(file, document.lineAt(document.lineCount - 1).range.end, '\ntyped but not saved\n');
    await vscode.workspace.applyEdit(edit);
    assert.equal(document.isDirty, true);

    const dialogs = await act('nineplan.plan.complete', [], { outcome: 'it is there' });
    assert.match(dialogs.said[0] ?? '', /to be done.*next one/);
    const [done] = await rows(parts.views.history);
    assert.equal(done?.item.label, 'to be done');
    assert.match(String(done?.item.description), /it is there/);
    const planner = await parts.connection.planner();
    const plan = await planner.store.read((view) => view.plan(id as string));
    assert.match(plan?.notes ?? '', /typed but not saved/);
    await assert.rejects(async () => vscode.workspace.fs.stat(file));
    await until('the tab is closed', () =>
      vscode.window.tabGroups.all.every((group) => group.tabs.every((tab) => tab.label !== 'to be done')),
    );

    await act('nineplan.change.undo', []);
    assert.equal(parts.state.planning?.active?.id, id, 'it is active again');
    assert.deepEqual(labels(await rows(parts.views.queue)), ['to be done', 'next one']);
    const again = await planner.store.read((view) => view.plan(id as string));
    assert.equal(again?.notes, plan?.notes, 'that it was completed leaves no trace in its notes');
    const nothing = await act('nineplan.change.undo', []);
    assert.deepEqual(nothing.said, ['Already undone: Completed “to be done”.']);
  });

  it('undo from a message only what it is about', async () => {
    const { parts } = await workbench();
    const [a] = await startSession('a', 'b', 'c');
    // The message stays, and its button is pressed later.
    let press: (action: string) => void = () => undefined;
    const { ScriptedDialogs } = await import('./support');
    const dialogs = new ScriptedDialogs({ reason: 'no' });
    dialogs.tell = () => new Promise((resolve) => (press = resolve));
    parts.dialogs = dialogs;
    await vscode.commands.executeCommand('nineplan.plan.discard', a);
    const second = await startSession('a', 'b');
    const discarded = await act('nineplan.plan.discard', [second[0]], { reason: 'no' });
    await until('it is said in the same words', () => discarded.said[0]?.startsWith('Discarded “a”.') ?? false);
    press('Undo');
    await until('it is refused', () => /Other changes came after/.test(discarded.said[1] ?? ''));
    assert.deepEqual(labels(await rows(parts.views.queue)), ['b']);
  });

  it('open the plan that is active already', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('in the way', 'waits');
    await act('nineplan.queue.pull', []);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { ScriptedDialogs } = await import('./support');
    const dialogs = new ScriptedDialogs();
    dialogs.click = (actions) => actions[0];
    parts.dialogs = dialogs;
    await vscode.commands.executeCommand('nineplan.queue.pull');
    await until('its file is open', () => activeFile()?.path.endsWith(`${id}.txt`) ?? false);
  });

  it('add a plan from the text that is selected', async () => {
    const { parts } = await workbench();
    await startSession();
    const document = await vscode.workspace.openTextDocument({ content: 'zero\n  fix $(this)\nand that\n' });
    const shown = await vscode.window.showTextDocument(document);
    const none = await act('nineplan.plan.addFromSelection', []);
    assert.match(none.said[0] ?? '', /No text is selected/);
    shown.selection = new vscode.Selection(1, 0, 2, 8);
    await act('nineplan.plan.addFromSelection', [], { approach: 'by hand' });
    const planner = await parts.connection.planner();
    const id = parts.state.planning?.queue[0]?.id ?? '';
    const plan = await planner.store.read((view) => view.plan(id));
    assert.equal(plan?.goal, 'fix $(this)');
    assert.equal(plan?.approach, 'by hand');
    assert.match(plan?.context ?? '', /^From .*:2-3:\n\n {2}fix \$\(this\)\nand that$/);
  });

  it('offer the next plan after completing one', async () => {
    const { parts } = await workbench();
    const [, second] = await startSession('one', 'two');
    await act('nineplan.queue.pull', []);
    const { ScriptedDialogs } = await import('./support');
    const dialogs = new ScriptedDialogs({ outcome: 'done' });
    dialogs.click = (actions) => actions.find((action) => action.startsWith('Pull'));
    parts.dialogs = dialogs;
    await vscode.commands.executeCommand('nineplan.plan.complete');
    await until('the next one is active', () => parts.state.planning?.active?.id === second);
  });

  it('defer the active plan with a reason', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('difficult', 'easy');
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.defer', [], { reason: 'waits for an answer' }, 'back');
    assert.deepEqual(labels(await rows(parts.views.queue)), ['easy', 'difficult']);
    const planner = await parts.connection.planner();
    const plan = await planner.store.read((view) => view.plan(id as string));
    assert.match(plan?.notes ?? '', /waits for an answer/);
  });

  it('release the active plan only after a yes', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('left alone');
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.release', [], false);
    assert.equal(parts.state.planning?.active?.id, id);
    await act('nineplan.plan.release', [], true);
    assert.equal(parts.state.planning?.active, undefined);
    assert.equal(parts.state.planning?.queue[0]?.id, id);
  });

  it('discard several at once, and bring all back to their places', async () => {
    const { parts } = await workbench();
    await startSession('a', 'b', 'c', 'd');
    const before = await rows(parts.views.queue);
    const chosen = [before[1], before[2]].map((row) => row?.node);
    await act('nineplan.plan.discard', [chosen[0], chosen], { reason: 'not needed' });
    assert.deepEqual(labels(await rows(parts.views.queue)), ['a', 'd']);
    await act('nineplan.history.showDiscarded', []);
    assert.deepEqual(labels(await rows(parts.views.history)).sort(), ['b', 'c']);
    await act('nineplan.history.hideDiscarded', []);
    await act('nineplan.change.undo', []);
    assert.deepEqual(labels(await rows(parts.views.queue)), ['a', 'b', 'c', 'd']);
  });

  it('with the Delete key discard nothing that is not selected', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('active one', 'other');
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.discard', [{ selected: true }]);
    assert.equal(parts.state.planning?.active?.id, id);
  });

  it('move plans, singly and several together, and take that back', async () => {
    const { parts } = await workbench();
    const [a, b, c, d] = await startSession('a', 'b', 'c', 'd');
    const order = async () => labels(await rows(parts.views.queue)).join('');
    await act('nineplan.queue.moveUp', [c]);
    assert.equal(await order(), 'acbd');
    await act('nineplan.queue.moveDown', [a]);
    assert.equal(await order(), 'cabd');
    await act('nineplan.queue.moveToFront', [d]);
    assert.equal(await order(), 'dcab');
    const two = (await rows(parts.views.queue)).filter((row) => row.node.planId === d || row.node.planId === a);
    await act('nineplan.queue.moveToBack', [two[0]?.node, two.map((row) => row.node)]);
    assert.equal(await order(), 'cbda');
    await act('nineplan.change.undo', []);
    assert.equal(await order(), 'dcab');
    assert.ok(b);
  });

  it('reopen a completed plan', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('not quite done');
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.complete', [], { outcome: 'thought so' });
    const [done] = await rows(parts.views.history);
    await act('nineplan.plan.reopen', [done?.node]);
    assert.equal(parts.state.planning?.queue[0]?.id, id);
    await until('it left the history', async () => (await rows(parts.views.history)).length === 0);
  });

  it('say what to do when there is nothing to act on', async () => {
    await startSession('waiting');
    for (const command of ['complete', 'defer', 'release', 'discard', 'openActive', 'runInAgent']) {
      const dialogs = await act(`nineplan.plan.${command}`, []);
      assert.match(dialogs.said[0] ?? '', /No plan is active.*Pull/s, command);
    }
    const unknown = await act('nineplan.plan.open', ['zzzz9']);
    assert.match(unknown.said[0] ?? '', /zzzz9/);
  });

  it('copy a plan as Markdown', async () => {
    const [id] = await startSession('write $(it) down');
    await act('nineplan.plan.copyMarkdown', [id]);
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /^# write \\\$\\\(it\\\) down/);
    assert.match(text, /Context of write/);
  });

  it('validate a session', async () => {
    await startSession('sound');
    const dialogs = await act('nineplan.store.validate', []);
    assert.match(dialogs.said[0] ?? '', /is sound/);
  });
});
