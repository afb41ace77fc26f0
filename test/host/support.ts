import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { Planner } from '../../src/planner/planner';
import { WorkspaceStore } from '../../src/store/workspaceStore';
import type { Choice, Dialogs, Field } from '../../src/vscode/dialogs';
import type { TreeNode } from '../../src/vscode/views/tree';
import type { Workbench } from '../../src/vscode/workbench';

/** Answers instead of the person, in the order given; a question without an answer fails the test. */
export class ScriptedDialogs implements Dialogs {
  readonly said: string[] = [];
  readonly asked: string[] = [];
  /** Labels of the choices, one list a question. */
  readonly offered: string[][] = [];
  private readonly answers: unknown[];
  /** Called with the actions of the next message; returns the one that is clicked. */
  click: (actions: string[]) => string | undefined = () => undefined;

  constructor(...answers: unknown[]) {
    this.answers = answers;
  }

  async fill<K extends string>(title: string, fields: Field<K>[]): Promise<Record<K, string> | undefined> {
    const answer = this.next(title);
    if (answer === undefined) return undefined;
    const given = answer as Partial<Record<K, string>>;
    return Object.fromEntries(fields.map(({ key, value }) => [key, given[key] ?? value ?? ''])) as Record<K, string>;
  }

  async pick<T>(title: string, choices: Choice<T>[]): Promise<T | undefined> {
    this.offered.push(choices.map((choice) => choice.label));
    const answer = this.next(title);
    if (answer === undefined) return undefined;
    const chosen = choices.find((choice) => choice.value === answer || choice.label === answer);
    assert.ok(chosen, `${title}: no choice ${String(answer)} among ${choices.map((choice) => choice.label)}`);
    return chosen.value;
  }

  async answerTo<A extends string>(preview: vscode.Uri, answers: readonly A[]): Promise<A | undefined> {
    this.offered.push([...answers]);
    const answer = this.next(preview.path);
    assert.ok(answer === undefined || answers.includes(answer as A), `${String(answer)} is not among ${answers}`);
    return answer as A | undefined;
  }

  async confirm(message: string): Promise<boolean> {
    return this.next(message) as boolean;
  }

  async tell(_severity: string, message: string, ...actions: string[]): Promise<string | undefined> {
    this.said.push(message);
    return actions.length > 0 ? this.click(actions) : undefined;
  }

  async folder(title: string): Promise<vscode.Uri | undefined> {
    return this.next(title) as vscode.Uri | undefined;
  }

  async file(title: string): Promise<vscode.Uri | undefined> {
    return this.next(title) as vscode.Uri | undefined;
  }

  async newFile(title: string): Promise<vscode.Uri | undefined> {
    return this.next(title) as vscode.Uri | undefined;
  }

  get unused(): number {
    return this.answers.length;
  }

  private next(question: string): unknown {
    this.asked.push(question);
    assert.ok(this.answers.length > 0, `nobody said what to answer to “${question}”`);
    return this.answers.shift();
  }
}

/** The extension's parts, as it hands them out in test mode. */
export async function workbench(): Promise<Workbench> {
  const extension = vscode.extensions.getExtension<Workbench>('nineplan.9plan');
  assert.ok(extension, 'VS Code does not know the extension');
  return extension.activate();
}

/** Runs a command with the person's answers and gives back what was asked and said. */
export async function act(command: string, args: unknown[], ...answers: unknown[]): Promise<ScriptedDialogs> {
  const { parts } = await workbench();
  const dialogs = new ScriptedDialogs(...answers);
  parts.dialogs = dialogs;
  await vscode.commands.executeCommand(command, ...args);
  assert.equal(dialogs.unused, 0, `${command} asked only ${dialogs.asked.join(', ')}; it said ${dialogs.said}`);
  return dialogs;
}

/** A session of its own, with plans of these goals; their ids. */
export async function startSession(...goals: string[]): Promise<string[]> {
  await act('nineplan.session.create', [], { task: `Test of ${goals.length} plans` });
  for (const [index, goal] of goals.entries()) {
    const where = index === 0 ? [] : ['back'];
    await act('nineplan.plan.add', [], { goal, context: `Context of ${goal}` }, ...where);
  }
  const { parts } = await workbench();
  return (parts.state.planning?.queue ?? []).map((plan) => plan.id);
}

export interface Row {
  node: TreeNode;
  item: vscode.TreeItem;
}

export async function rows(tree: vscode.TreeDataProvider<TreeNode>, parent?: TreeNode): Promise<Row[]> {
  const nodes = (await tree.getChildren(parent)) ?? [];
  return Promise.all(nodes.map(async (node) => ({ node, item: await tree.getTreeItem(node) })));
}

export function labels(list: Row[]): string[] {
  return list.map(({ item }) => String(item.label));
}

/** Waits for a condition that something else will bring about; `what` is said if it doesn't. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limit = 5000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `not within ${limit} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The file in the active tab, whichever editor shows it. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}

const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

/** Another process's planner on the same store, as an agent's server has it. */
export async function elsewhere<T>(work: (planner: Planner) => Promise<T>): Promise<T> {
  const { parts } = await workbench();
  const folder = await parts.connection.storeFolder();
  assert.ok(folder);
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
  try {
    return await work(new Planner(store));
  } finally {
    await store.close();
  }
}
