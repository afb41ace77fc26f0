import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import { Planner } from '../../src/planner/planner';
import type { PlanStore } from '../../src/planner/ports';
import type { PlannerConnection } from '../../src/vscode/connection';
import { PlanningState } from '../../src/vscode/planningState';
import type { TreeNode } from '../../src/vscode/views/tree';
import { act, elsewhere, labels, rows, startSession, until, workbench } from './support';

/** The window's connection, but what a read found out may take its time to arrive. */
function delayed(real: PlannerConnection, planner: Planner) {
  let delay = 0;
  let hasRead = false;
  const read: PlanStore['read'] = async (query) => {
    const wait = delay;
    const result = await planner.store.read(query);
    hasRead = true;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return result;
  };
  const store: PlanStore = Object.assign(Object.create(planner.store), { read });
  const connection: PlannerConnection = Object.assign(Object.create(real), { planner: async () => new Planner(store) });
  /** Sets the delay; says whether a read was made. */
  const slowDown = (milliseconds: number): boolean => {
    if (hasRead || milliseconds > 0) delay = milliseconds;
    return hasRead;
  };
  return { connection, slowDown };
}

describe('the queue view', () => {
  it('selects a row also while it is drawn anew', async () => {
    const { parts } = await workbench();
    const { queue } = parts.views;
    for (let i = 0; i < 10; i++) {
      const [id] = await startSession(`selected ${i}`);
      const getChildren = queue.getChildren.bind(queue);
      let isFirst = true;
      // What VS Code asked for is out of date before it has come.
      queue.getChildren = async (node?: TreeNode) => {
        const children = await getChildren(node);
        if (isFirst) Reflect.get(queue, 'changed').fire(undefined);
        isFirst = false;
        return children;
      };
      try {
        await queue.reveal(id as string);
      } finally {
        queue.getChildren = getChildren;
      }
      await until('the row is selected', () => queue.selectedPlans[0] === id);
    }
  });

  it('shows a change of another process', async () => {
    const { parts } = await workbench();
    const [first] = await startSession('here first');
    const sessionName = parts.state.planning?.session?.name;
    await elsewhere(async (planner) => {
      const added = await planner.queue.add(newCaller('agent'), { sessionName, plans: [{ goal: 'from an agent' }] });
      await until('the added plan shows', () => parts.state.planning?.queue.length === 2);
      await planner.queue.pull(newCaller('agent'), { sessionName });
      await until('the pull shows', () => parts.state.planning?.active?.id === first);
      assert.equal(parts.state.planning?.queue[0]?.id, added.plans[0]?.planId);
    });
    const [active] = await rows(parts.views.queue);
    assert.match(String(active?.item.description), /agent/);
  });

  it('keeps up with changes that come without a pause', async () => {
    const { queue } = (await workbench()).parts.views;
    await vscode.commands.executeCommand('nineplan.queue.focus');
    await startSession('one of many');
    const sessionName = (await workbench()).parts.state.planning?.session?.name;
    const drawn: number[] = [];
    const getChildren = queue.getChildren.bind(queue);
    queue.getChildren = async (node) => {
      const children = await getChildren(node);
      if (!node) drawn.push(children.length);
      return children;
    };
    try {
      await elsewhere(async (planner) => {
        for (let n = 0; n < 40; n++) {
          await planner.queue.add(newCaller('agent'), { sessionName, plans: [{ goal: `change ${n}` }] });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      });
    } finally {
      queue.getChildren = getChildren;
    }
    const meanwhile = new Set(drawn.filter((count) => count > 2 && count < 40));
    assert.ok(meanwhile.size >= 3, `VS Code asked for ${drawn} rows while they came`);
  });

  it('counts in its badge what waits for the person, and nothing else', async () => {
    const { parts } = await workbench();
    await startSession('waits for an agent', 'so does this');
    const badge = () => (Reflect.get(parts.views.queue, 'view') as vscode.TreeView<TreeNode>).badge?.value;
    const before = parts.state.planning?.reviews.length ?? 0;
    assert.equal(badge(), before || undefined);
    const sessionName = parts.state.planning?.session?.name;
    await elsewhere(async (planner) => {
      const agent = newCaller('badge agent');
      const { proposalId } = await planner.planMode.submit(agent, { sessionName, plan: '# To approve' });
      await until('the proposal is counted', () => badge() === before + 1);
      await planner.planMode.decide(agent, { proposalId, round: 1, decision: 'approved', decidedBy: 'editor' });
      await until('it is not any more', () => badge() === (before || undefined));
    });
  });

  it('shows the to-dos of agents', async () => {
    const { parts } = await workbench();
    await startSession('to be done');
    const sessionName = parts.state.planning?.session?.name;
    await elsewhere(async (planner) => {
      await planner.planMode.writeTodos(newCaller('copilot'), {
        sessionName,
        todos: [
          { content: 'Read', status: 'completed' },
          { content: 'Write\nall of it', status: 'in_progress', priority: 'high' },
          { content: 'Check', status: 'pending' },
        ],
      });
    });
    await until('they show', () => parts.state.planning?.todos.length === 1);
    const shown = await rows(parts.views.queue);
    const list = shown.find(({ item }) => item.contextValue === 'todos');
    assert.equal(list?.item.label, 'To-dos of copilot');
    assert.equal(list?.item.description, '1 of 3 done');
    const todos = await rows(parts.views.queue, list?.node);
    assert.deepEqual(labels(todos), ['Read', 'Write', 'Check']);
    assert.equal(todos[1]?.item.description, 'in progress · important');
    assert.equal(parts.views.queue.getParent(todos[1]?.node as TreeNode), list?.node);
  });

  it('never shows an older state over a newer one, however slowly it was read', async () => {
    const { parts } = await workbench();
    await startSession('there from the start');
    const sessionName = parts.state.planning?.session?.name;
    const planner = await parts.connection.planner();
    const { connection, slowDown } = delayed(parts.connection, planner);
    const state = new PlanningState(connection);
    const shown: number[] = [];
    state.onDidChange(() => shown.push(state.planning?.queue.length ?? 0));

    slowDown(150);
    const first = state.refresh();
    await until('the slow read has begun', () => slowDown(0));
    await planner.queue.add(newCaller('editor'), { sessionName, plans: [{ goal: 'came meanwhile' }] });
    await Promise.all([first, state.refresh()]);
    state.dispose();
    assert.deepEqual(shown, [1, 2]);
  });

  it('keeps the ids of its rows and knows their parents', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('stays', 'other');
    const before = await rows(parts.views.queue);
    await act('nineplan.plan.add', [], { goal: 'new' }, 'front');
    const after = await rows(parts.views.queue);
    assert.equal(before[0]?.item.id, `plan:${id}`);
    assert.deepEqual(
      after.slice(1).map((row) => row.item.id),
      before.map((row) => row.item.id),
    );
    for (const { node } of after) assert.equal(parts.views.queue.getParent(node), undefined);
    assert.equal(new Set(after.map((row) => row.item.id)).size, 3);
  });

  it('shows what a blocked plan waits for', async () => {
    const { parts } = await workbench();
    const [blocker, blocked] = await startSession('comes first', 'comes second');
    const { store } = await parts.connection.planner();
    await store.transact('test', (tx) =>
      tx.emit({ type: 'plan_linked', plan: blocked as string, waitsFor: blocker as string }),
    );
    await until('it is blocked', () => parts.state.planning?.queue[1]?.waitingFor.length === 1);
    const row = (await rows(parts.views.queue))[1];
    assert.equal(row?.item.contextValue, 'plan;queued;blocked');
    assert.equal(row?.item.description, `${blocked} · waits for “comes first”`);
    assert.match(String(row?.item.accessibilityInformation?.label), /Blocked, waits for “comes first”$/);
    const resolved = await parts.views.queue.resolveTreeItem(row?.item as never, row?.node as never);
    const { value } = resolved.tooltip as vscode.MarkdownString;
    assert.match(value.replace(/&nbsp;/g, ' '), new RegExp(`Waits for “comes first” \\\\?\\(${blocker}`));
    const children = await rows(parts.views.queue, row?.node);
    assert.deepEqual(labels(children), ['comes first']);
    assert.equal(parts.views.queue.getParent(children[0]?.node as never), row?.node);
  });

  it('shows text of plans as text', async () => {
    const { parts } = await workbench();
    const shown = 'bold click a*b $(trash) <b>html</b>';
    const evil = '**bold** [click](command:workbench.action.quit) `a*b` $(trash) <b>html</b>';
    const [id] = await startSession(evil);
    const [row] = await rows(parts.views.queue);
    assert.ok(row);
    assert.equal(row.item.label, shown);
    assert.equal(parts.state.planning?.queue[0]?.goal, evil);
    assert.equal(row.node.planId, id);
    const resolved = await parts.views.queue.resolveTreeItem(row.item, row.node);
    const tooltip = resolved.tooltip as vscode.MarkdownString;
    assert.equal(tooltip.isTrusted ?? false, false);
    assert.equal(tooltip.supportHtml ?? false, false);
    assert.ok(!tooltip.value.includes('[click](command:'), tooltip.value);
    assert.ok(!tooltip.value.includes('**bold**'), tooltip.value);
    assert.ok(row.item.accessibilityInformation?.label.includes(shown));
  });

  it('shows a long queue in parts', async () => {
    const { parts } = await workbench();
    await startSession('the first');
    const sessionName = parts.state.planning?.session?.name;
    const plans = Array.from({ length: 249 }, (_, i) => ({ goal: `plan ${i}` }));
    await (await parts.connection.planner()).queue.add(newCaller('editor'), { sessionName, plans });
    await parts.state.refresh();
    const shown = await rows(parts.views.queue);
    assert.equal(shown.length, 201);
    assert.match(String(shown.at(-1)?.item.label), /50/);
    const edge = shown.at(-2)?.node.planId;
    await act('nineplan.queue.moveDown', [edge]);
    assert.notEqual((await rows(parts.views.queue)).at(-2)?.node.planId, edge, 'down out of the part that is shown');
    await act('nineplan.queue.moveUp', [edge]);
    assert.equal((await rows(parts.views.queue)).at(-2)?.node.planId, edge);
    await act('nineplan.queue.showMore', []);
    assert.equal((await rows(parts.views.queue)).length, 250);
  });

  describe('by dragging', () => {
    async function drop(dragged: string[], on: string | undefined): Promise<string> {
      const { queue } = (await workbench()).parts.views;
      const nodes = (await rows(queue)).map((row) => row.node);
      const node = (id: string) => nodes.find((candidate) => candidate.planId === id) as TreeNode;
      const transfer = new vscode.DataTransfer();
      await queue.dragAndDrop.handleDrag(dragged.map(node), transfer);
      await queue.dragAndDrop.handleDrop(on === undefined ? undefined : node(on), transfer);
      return order();
    }

    it('puts plans in the place of another, upwards and downwards, or at the end', async () => {
      const [a, b, c, d] = (await startSession('a', 'b', 'c', 'd')) as [string, string, string, string];
      assert.equal(await drop([d], b), 'adbc');
      assert.equal(await drop([a], b), 'dbac');
      assert.equal(await drop([d], undefined), 'bacd');
      assert.equal(await drop([d, c], b), 'cdba', 'in the order of the queue, whatever was clicked first');
      assert.equal(await drop([c, d], a), 'bacd');
      assert.equal(await drop([c], c), 'bacd');
    });

    it('gives plans to others as their files', async () => {
      const { queue } = (await workbench()).parts.views;
      const ids = await startSession('a', 'b');
      const transfer = new vscode.DataTransfer();
      await queue.dragAndDrop.handleDrag(
        (await rows(queue)).map((row) => row.node),
        transfer,
      );
      const list = await transfer.get('text/uri-list')?.asString();
      assert.deepEqual(
        list?.split('\r\n').map((uri) => uri.slice(-9)),
        ids.map((id) => `${id}.txt`),
      );
    });

    async function order(): Promise<string> {
      return labels(await rows((await workbench()).parts.views.queue)).join('');
    }
  });
});

describe('the history view', () => {
  it('pages, searches, and shows all sessions on demand', async () => {
    const { parts } = await workbench();
    const planner = await parts.connection.planner();
    await startSession('placeholder');
    const sessionName = parts.state.planning?.session?.name as string;
    const caller = newCaller('editor');
    const plans = Array.from({ length: 55 }, (_, i) => ({ goal: `finished ${i}` }));
    await planner.queue.discard(caller, { sessionName, planId: parts.state.planning?.queue[0]?.id, reason: 'x' });
    await planner.queue.add(caller, { sessionName, plans });
    for (let i = 0; i < plans.length; i++) {
      await planner.queue.pull(caller, { sessionName });
      await planner.queue.complete(caller, { sessionName, outcome: i === 7 ? 'a pomegranate' : `outcome ${i}` });
    }
    await parts.state.refresh();
    const shown = await rows(parts.views.history);
    assert.equal(shown.length, 51, 'fifty and "show more"');
    assert.equal(shown[0]?.item.label, 'finished 54', 'newest first');
    await act('nineplan.history.showMore', []);
    assert.equal((await rows(parts.views.history)).length, 55);

    await act('nineplan.history.search', [], { query: 'pomegranate' });
    assert.deepEqual(labels(await rows(parts.views.history)), ['finished 7']);
    await act('nineplan.history.search', [], { query: '"unclosed AND (' });
    assert.ok(Array.isArray(await rows(parts.views.history)));
    await act('nineplan.history.clearSearch', []);

    await startSession('a fresh session');
    assert.equal((await rows(parts.views.history)).length, 0);
    await act('nineplan.history.showAllSessions', []);
    const [newest] = await rows(parts.views.history);
    assert.match(String(newest?.item.description), / · Test of 1 plans · outcome 54$/);
    assert.match(newest?.item.accessibilityInformation?.label ?? '', /, Test of 1 plans\. outcome 54$/);
    await act('nineplan.history.showCurrentSession', []);
  });

  it('opens a completed plan as a document that can only be read', async () => {
    const { parts } = await workbench();
    const [id] = await startSession('remembered');
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.complete', [], { outcome: 'it *worked*' });
    const { planDocumentUri } = await import('../../src/vscode/planDocuments');
    const planner = await parts.connection.planner();
    const plan = await planner.store.read((view) => view.plan(id as string));
    assert.ok(plan);
    const document = await vscode.workspace.openTextDocument(planDocumentUri(plan));
    assert.match(document.getText(), /^# remembered\n[\s\S]*## Outcome\n\nit \*worked\*/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('nineplan') ?? false, false);
  });

  it('forgets what was looked for when the session is switched, unless all of them are shown', async () => {
    const { parts } = await workbench();
    const { history } = parts.views;
    const [planId] = await startSession('to be found');
    const first = parts.state.planning?.session?.name as string;
    const planner = await parts.connection.planner();
    await planner.queue.discard(newCaller('editor'), { sessionName: first, planId, reason: 'x' });
    const search = (query: string) => act('nineplan.history.search', [query]);

    for (const look of [() => search('found'), () => act('nineplan.history.showDiscarded', [])]) {
      await look();
      await rows(history);
      await parts.state.refresh();
      assert.notDeepEqual(history.filter, { query: '', discarded: false, allSessions: false });
      await startSession('elsewhere');
      await rows(history);
      assert.deepEqual(history.filter, { query: '', discarded: false, allSessions: false });
      await act('nineplan.session.switch', [first]);
      await rows(history);
      assert.deepEqual(history.filter, { query: '', discarded: false, allSessions: false });
    }

    await act('nineplan.history.showAllSessions', []);
    await search('found');
    await rows(history);
    await startSession('elsewhere again');
    await rows(history);
    assert.deepEqual(history.filter, { query: 'found', discarded: false, allSessions: true });
    await act('nineplan.history.clearSearch', []);
    await act('nineplan.history.showCurrentSession', []);
  });
});

describe('the sessions view', () => {
  it('shows the task first, day and counts second, and marks the current one', async () => {
    const { parts } = await workbench();
    await act('nineplan.session.create', [], { task: 'Move the bank\nsecond line' });
    const name = parts.state.planning?.session?.name as string;
    const row = (await rows(parts.views.sessions)).find(({ node }) => node.sessionName === name);
    assert.equal(row?.item.label, 'Move the bank');
    assert.match(String(row?.item.description), /^\d\d:\d\d · 0 queued, 0 done$/);
    assert.equal(row?.item.contextValue, 'session;open;current');
  });

  it('switches, describes, archives, brings back and deletes', async () => {
    const { parts } = await workbench();
    await act('nineplan.session.create', [], { task: 'the one' });
    const one = parts.state.planning?.session?.name as string;
    await act('nineplan.session.create', [], { task: 'the other' });
    assert.notEqual(parts.state.planning?.session?.name, one);
    await act('nineplan.session.switch', [one]);
    assert.equal(parts.state.planning?.session?.name, one);
    const other = parts.state.planning?.sessions.find(({ taskDescription }) => taskDescription === 'the other')?.name;
    await act('nineplan.session.click', [other]);
    assert.equal(parts.state.planning?.session?.name, one, 'a stray click switches nothing');
    await act('nineplan.session.click', [other]);
    assert.equal(parts.state.planning?.session?.name, other, 'a double-click does');
    await act('nineplan.session.switch', [one]);
    await act('nineplan.session.describe', [one], { task: 'the very one' });
    assert.equal(parts.state.planning?.session?.taskDescription, 'the very one');

    const has = (contextValue: string) => async () =>
      (await rows(parts.views.sessions)).some(
        ({ item, node }) => node.sessionName === one && item.contextValue?.startsWith(contextValue),
      );
    await act('nineplan.session.archive', [one]);
    assert.equal(await has('session;open')(), false);
    const archive = (await rows(parts.views.sessions)).at(-1);
    assert.equal(archive?.item.contextValue, 'archive');
    assert.ok((await rows(parts.views.sessions, archive?.node)).some(({ node }) => node.sessionName === one));
    await act('nineplan.session.unarchive', [one]);
    assert.equal(await has('session;open')(), true);

    await act('nineplan.session.delete', [one], false);
    assert.equal(await has('session;open')(), true);
    await act('nineplan.session.delete', [one], true);
    assert.equal(await has('session;open')(), false);
  });
});

describe('the store', () => {
  it('is where plans were added, below the workspace folder', async () => {
    const { parts } = await workbench();
    await startSession('somewhere');
    const folder = await parts.connection.storeFolder();
    assert.ok(folder?.endsWith('.9plan'), folder);
    assert.ok(folder && existsSync(folder));
  });
});
