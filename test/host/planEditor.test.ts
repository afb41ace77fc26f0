import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { newCaller } from '../../src/planner/caller';
import { act, ScriptedDialogs, startSession, until, workbench } from './support';

/** The file of a new plan. */
async function planFile(goal: string): Promise<vscode.Uri> {
  const [id] = await startSession(goal);
  const { parts } = await workbench();
  const planner = await parts.connection.planner();
  return planner.store.read((view) => {
    const plan = view.plan(id as string);
    assert.ok(plan);
    return vscode.Uri.file(view.planPath(plan.sessionName, plan.id));
  });
}

/** The same, open as text, where a test can type without a webview. */
async function openAsText(file: vscode.Uri | string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(typeof file === 'string' ? await planFile(file) : file);
  await vscode.window.showTextDocument(document);
  return document;
}

async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${JSON.stringify(document.getText())} has no ${from}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
  edit.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

async function readDisk(document: vscode.TextDocument): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
}

/** What an agent does that edits the file itself. */
async function changeDisk(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const text = await readDisk(document);
  assert.ok(text.includes(from), text);
  await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(text.replace(from, to)));
}

describe('a plan file that is open', () => {
  // A served VS Code saves by itself after a second, where nothing else is said.
  const autoSave = (value: string | undefined) =>
    vscode.workspace.getConfiguration('files').update('autoSave', value, vscode.ConfigurationTarget.Workspace);
  before(() => autoSave('off'));
  after(() => autoSave(undefined));
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has its own language, in which the last save wins and text is UTF-8', async () => {
    const document = await openAsText('language');
    assert.equal(document.languageId, 'nineplan');
    const files = vscode.workspace.getConfiguration('files', { uri: document.uri, languageId: 'nineplan' });
    assert.equal(files.get('saveConflictResolution'), 'overwriteFileOnDisk');
    assert.equal(files.get('encoding'), 'utf8');
    assert.equal(files.inspect('encoding')?.defaultLanguageValue, 'utf8');
  });

  it('opens by its sections from the queue', async () => {
    const [id] = await startSession('by sections');
    await act('nineplan.plan.open', [id]);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.viewType, 'nineplan.planEditor');
    assert.ok(input.uri.path.endsWith(`/plans/${id}.txt`));
  });

  it('is saved with what came to the disk in the very moment before', async () => {
    const document = await openAsText('same moment');
    await replace(document, '# Inputs\n', '# Inputs\nmine\n');
    await changeDisk(document, '# Outputs\n', '# Outputs\ntheirs\n');
    assert.ok(await document.save());
    const text = await readDisk(document);
    assert.match(text, /# Inputs\nmine\n\n# Outputs\ntheirs\n/);
    assert.equal(document.getText(), text);
  });

  it('takes a change of the disk into unsaved text, which stays unsaved', async () => {
    const document = await openAsText('unsaved');
    await replace(document, '# Notes\n', '# Notes\nmine\n');
    await changeDisk(document, '# Outputs\n', '# Outputs\ntheirs\n');
    await until('the text has both', () => /# Outputs\ntheirs\n.*# Notes\nmine\n/s.test(document.getText()));
    assert.equal(document.isDirty, true);
    assert.doesNotMatch(await readDisk(document), /mine/);
  });

  it('keeps mine where both changed one line, and says that there is another version', async () => {
    const { parts } = await workbench();
    const document = await openAsText('conflicting');
    const dialogs = await act('nineplan.queue.refresh', []);
    assert.equal(parts.dialogs, dialogs);
    await replace(document, '# Goal\nconflicting', '# Goal\nmine');
    await changeDisk(document, '# Goal\nconflicting', '# Goal\ntheirs');
    await until('the person is told', () => dialogs.said.some((text) => text.includes('the other version is kept')));
    assert.match(document.getText(), /# Goal\nmine\n/);
    assert.ok(await document.save());
    assert.match(await readDisk(document), /# Goal\nmine\n/);
  });

  it('keeps its line ends', async () => {
    const file = await planFile('line ends');
    const crlf = new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).replaceAll('\n', '\r\n');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(crlf));
    const document = await openAsText(file);
    assert.equal(document.eol, vscode.EndOfLine.CRLF);
    await replace(document, '# Inputs\r\n', '# Inputs\r\nmine\r\n');
    await vscode.workspace.fs.writeFile(
      document.uri,
      new TextEncoder().encode(crlf.replace('# Outputs\r\n', '# Outputs\r\ntheirs\r\n')),
    );
    assert.ok(await document.save());
    const text = await readDisk(document);
    assert.match(text, /mine\r\n\r\n# Outputs\r\ntheirs\r\n/);
    assert.doesNotMatch(text, /[^\r]\n/);
  });

  it('is taken into the store when it is saved', async () => {
    const { parts } = await workbench();
    const document = await openAsText('before');
    await replace(document, '# Goal\nbefore', '# Goal\nafter');
    assert.ok(await document.save());
    await until('the queue shows the new goal', () => parts.state.planning?.queue[0]?.goal === 'after');
  });

  it('tells whoever saves it after its plan was discarded, and queues the plan again with the text', async () => {
    const { parts } = await workbench();
    const document = await openAsText('dropped');
    const planner = await parts.connection.planner();
    const [plan] = parts.state.planning?.queue ?? [];
    await replace(document, '# Goal\ndropped', '# Goal\nkept');
    const agent = newCaller('an agent');
    await planner.queue.discard(agent, { planId: plan?.id ?? '', reason: 'no' });
    const dialogs = new ScriptedDialogs();
    dialogs.click = (actions) => actions.find((action) => action === 'Queue Plan Again');
    parts.dialogs = dialogs;
    assert.ok(await document.save());
    await until('it is said', () => dialogs.said.length > 0);
    assert.match(dialogs.said[0] ?? '', /the plan was discarded before and doesn’t have it/);
    await until('the plan is queued with the text', () => parts.state.planning?.queue[0]?.goal === 'kept');
  });

  it('is saved as it is when its headings are lost, and the store keeps what it had', async () => {
    const { parts } = await workbench();
    const document = await openAsText('with headings');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), 'no headings');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(await document.save());
    assert.equal(await readDisk(document), 'no headings');
    await parts.state.refresh();
    assert.equal(parts.state.planning?.queue[0]?.goal, 'with headings');
  });
});
