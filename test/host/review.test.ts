import { strict as assert } from 'node:assert';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import type { Todo } from '../../src/planner/model';
import { messageFor } from '../../src/vscode/review/rulings';
import { EMPTY_DRAFT, type ReviewDraft } from '../../src/webview/review/protocol';
import { act, labels, rows, ScriptedDialogs, until, workbench } from './support';

const agent = newCaller('outside-agent');
const settings = () => vscode.workspace.getConfiguration('nineplan.review');
const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath as string;
const todos: Todo[] = [
  { content: 'Order the van', status: 'pending' },
  { content: 'Pack', status: 'pending' },
];

async function planMode() {
  const { parts } = await workbench();
  return (await parts.connection.planner()).planMode;
}

/** Hands in a plan and waits until the window knows. Gives the proposal's id. */
async function submit(plan: string, withTodos?: Todo[]): Promise<string> {
  const { parts } = await workbench();
  const { proposalId } = await (await planMode()).submit(agent, { plan, todos: withTodos ?? [] });
  await until('the window knows', () => waits(proposalId, parts.state.planning?.reviews));
  return proposalId;
}

function waits(id: string, reviews: readonly { proposalId: string }[] | undefined): boolean {
  return reviews?.some(({ proposalId }) => proposalId === id) ?? false;
}

async function verdict(id: string) {
  return (await planMode()).verdict(id);
}

function draft(part: Partial<ReviewDraft>): ReviewDraft {
  return { ...EMPTY_DRAFT, ...part };
}

function reviewTabs(): string[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .map(({ label }) => label)
    .filter((label) => label.startsWith('Review'));
}

describe('proposals in the window', () => {
  before(async () => {
    const { parts } = await workbench();
    parts.dialogs = new ScriptedDialogs();
    await settings().update('open', 'nothing', vscode.ConfigurationTarget.Global);
    await act('nineplan.session.create', [], { task: 'Reviews' });
    agent.session = parts.state.planning?.session?.name;
  });

  after(async () => {
    for (const name of ['open', 'saveTo']) await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are approved from the palette, with feedback and to-dos for the queue', async () => {
    const id = await submit('Approve me.', todos);
    await act('nineplan.review.approve', [], { feedback: 'Go.' }, true);
    const { status, feedback, decidedBy, queuedPlans } = await verdict(id);
    assert.deepEqual([status, feedback, decidedBy], ['approved', 'Go.', 'editor']);
    assert.equal(queuedPlans.length, 2);
    const { parts } = await workbench();
    assert.ok(!waits(id, parts.state.planning?.reviews));
    await act('nineplan.plan.discard', queuedPlans.slice(0, 1), { reason: 'test' });
    await act('nineplan.plan.discard', queuedPlans.slice(1), { reason: 'test' });
  });

  it('stay undecided when the person turns away at any step', async () => {
    const id = await submit('Decide later.', todos);
    await act('nineplan.review.approve', [id], undefined);
    await act('nineplan.review.approve', [id], { feedback: 'x' }, undefined);
    await act('nineplan.review.reject', [id], undefined);
    await act('nineplan.review.requestChanges', [id], undefined);
    assert.equal((await verdict(id)).status, 'submitted');
    await act('nineplan.review.reject', [id], {});
    assert.equal((await verdict(id)).decision, 'rejected');
  });

  it('get the comments that were written in the panel, or not, as the person says', async () => {
    const reviews = await (await workbench()).reviewDesk.reviews();
    const comments = [{ id: 'a', quote: 'me', line: 0, comment: 'Why me?' }];
    const first = await submit('Comment on me.');
    await reviews.drafts.keep(first, 1, draft({ comments, feedback: 'Half' }));
    await act('nineplan.review.requestChanges', [first], {});
    const asked = await verdict(first);
    assert.deepEqual([asked.decision, asked.feedback], ['changes_requested', 'Half']);
    assert.deepEqual(asked.comments, [{ quote: 'me', comment: 'Why me?' }]);
    assert.deepEqual(reviews.drafts.of(first, 1), EMPTY_DRAFT);

    await submit('Comment on me again.');
    await reviews.drafts.keep(first, 2, draft({ comments }));
    await act('nineplan.review.reject', [first], {}, false);
    const rejected = await verdict(first);
    assert.deepEqual([rejected.decision, rejected.comments], ['rejected', []]);
  });

  it('are not approved with a text that was emptied', async () => {
    const reviews = await (await workbench()).reviewDesk.reviews();
    const id = await submit('Do not empty me.');
    await reviews.drafts.keep(id, 1, draft({ edited: ' \n' }));
    const { said } = await act('nineplan.review.approve', [id], {});
    assert.match(said.join(), /An empty plan/);
    assert.equal((await verdict(id)).status, 'submitted');
    await reviews.drafts.keep(id, 1, draft({ edited: 'Changed.' }));
    await act('nineplan.review.approve', [id], {});
    assert.equal((await verdict(id)).approvedPlan, 'Changed.');
  });

  it('are decided once: who comes later is told', async () => {
    const id = await submit('Only once.');
    await act('nineplan.review.reject', [id], {});
    const { said } = await act('nineplan.review.approve', [id]);
    assert.match(said.join(), /does not wait for a decision/);
    assert.equal((await verdict(id)).decision, 'rejected');
  });

  it('stand on top of the queue and in its badge', async () => {
    const { parts } = await workbench();
    const id = await submit('# On top\n\nText.');
    const [first] = await rows(parts.views.queue);
    assert.equal(first?.item.label, 'On top');
    assert.equal(first?.item.contextValue, 'proposal');
    await act('nineplan.review.reject', [first?.node], {});
    assert.equal((await verdict(id)).decision, 'rejected');
    assert.ok(!labels(await rows(parts.views.queue)).includes('On top'));
  });

  it('open a panel beside, once, that follows the next round', async () => {
    await settings().update('open', 'open', vscode.ConfigurationTarget.Global);
    const document = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(document);
    const id = await submit('# Open a panel');
    await until('the panel is open', () => reviewTabs().includes('Review: Open a panel'));
    assert.equal(vscode.window.activeTextEditor?.document, document);
    await act('nineplan.review.requestChanges', [id], { feedback: 'Again.' });
    await submit('# Open no other');
    await until('the panel follows', () => reviewTabs().includes('Review: Open no other'));
    assert.equal(reviewTabs().length, 1);
    await act('nineplan.review.reject', [id], {});
    await settings().update('open', 'nothing', vscode.ConfigurationTarget.Global);
    await submit('# Stay closed');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(reviewTabs(), ['Review: Open no other']);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are saved in the workspace when approved, each under a name of its own', async () => {
    const folder = join(root(), 'docs/plans');
    await settings().update('saveTo', 'docs/plans', vscode.ConfigurationTarget.Global);
    try {
      for (const text of ['# Save me\n\nFirst.', '# Save me\n\nSecond.']) {
        await act('nineplan.review.approve', [await submit(text)], {});
      }
      assert.deepEqual((await readdir(folder)).sort(), ['save-me-2.md', 'save-me.md']);
      assert.equal(await readFile(join(folder, 'save-me.md'), 'utf8'), '# Save me\n\nFirst.\n');
      assert.equal(await readFile(join(folder, 'save-me-2.md'), 'utf8'), '# Save me\n\nSecond.\n');
    } finally {
      await rm(join(root(), 'docs'), { recursive: true, force: true });
    }
  });

  it('are listed with what their session is about', async () => {
    await submit('List me.');
    const { pick } = ScriptedDialogs.prototype;
    let listed: string[] = [];
    ScriptedDialogs.prototype.pick = async (_title, choices) => {
      listed = choices.map(({ label, detail }) => `${label} ${detail}`);
      return undefined;
    };
    try {
      await act('nineplan.review.history', []);
    } finally {
      ScriptedDialogs.prototype.pick = pick;
    }
    assert.equal(listed[0], 'List me. Reviews');
  });

  it('are approved although they can’t be saved, and the person is told', async () => {
    await mkdir(join(root(), 'docs'));
    await writeFile(join(root(), 'docs/plans'), 'a file, no folder');
    try {
      for (const target of ['docs/plans', '../outside', '/']) {
        await settings().update('saveTo', target, vscode.ConfigurationTarget.Global);
        const id = await submit(`# Not to ${target}`);
        const { said } = await act('nineplan.review.approve', [id], {});
        assert.match(said.join('\n'), /is approved, but was not saved/);
        assert.equal((await verdict(id)).status, 'approved');
      }
      assert.deepEqual(await readdir(join(root(), 'docs')), ['plans']);
    } finally {
      await rm(join(root(), 'docs'), { recursive: true, force: true });
      await settings().update('saveTo', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('tell agents whether this window shows them', async () => {
    const { parts } = await workbench();
    const windows = join((await parts.connection.storeFolder()) as string, 'windows');
    const shows = async () => {
      const texts = await Promise.all((await readdir(windows)).map((name) => readFile(join(windows, name), 'utf8')));
      return texts.map((text) => JSON.parse(text).reviewPanel as boolean);
    };
    assert.deepEqual(await shows(), [false]);
    await settings().update('open', 'notify', vscode.ConfigurationTarget.Global);
    await until('the presence file says so', async () => (await shows()).every(Boolean));
  });

  it('have a message for an agent that waits no more, which permits nothing but what was approved', async () => {
    const { parts } = await workbench();
    const planner = await parts.connection.planner();
    const message = async (id: string) => {
      const proposal = await planner.store.read((view) => view.proposal(id));
      assert.ok(proposal);
      return messageFor(proposal);
    };
    const id = await submit('Tell me.');
    assert.match(await message(id), /Do not start/);
    await act('nineplan.review.requestChanges', [id], { feedback: 'Cheaper.' });
    assert.match(await message(id), /plan_mode_status[\s\S]*Do not start yet/);
    await submit('Tell me again.');
    await act('nineplan.review.approve', [id], {});
    assert.match(await message(id), /is approved\. Call plan_mode_status/);
    const other = await submit('Tell me no.');
    await act('nineplan.review.reject', [other], {});
    assert.match(await message(other), /carry out none of it/);
  });

  it('keep the newest drafts, and forget those of long ago', async () => {
    const reviews = await (await workbench()).reviewDesk.reviews();
    for (let i = 0; i < 55; i++) {
      await reviews.drafts.keep('old', i, draft({ feedback: `${i}` }));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.equal(reviews.drafts.of('old', 54).feedback, '54');
    assert.equal(reviews.drafts.of('old', 0).feedback, '');
    for (let i = 0; i < 55; i++) await reviews.drafts.drop('old', i);
    assert.equal(reviews.drafts.of('old', 54).feedback, '');
  });
});
