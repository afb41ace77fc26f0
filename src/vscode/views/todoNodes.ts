import * as vscode from 'vscode';
import type { Todo, TodoList, TodoStatus } from '../../planner/model';
import { firstLine, plainLine } from '../plainText';
import { cut, when } from './planText';
import type { TreeNode } from './tree';

/** What one agent means to do; only that agent changes it. Folded away when all is done. */
export class TodoListNode implements TreeNode {
  readonly id: string;

  constructor(private readonly list: TodoList) {
    const { client, agent } = list.owner;
    this.id = `todos:${client}:${agent}`;
  }

  private get done(): number {
    return this.list.todos.filter((todo) => todo.status === 'completed').length;
  }

  item(): vscode.TreeItem {
    const { owner, todos } = this.list;
    const who = [owner.client, owner.agent].filter(Boolean).join(' ');
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const label = vscode.l10n.t('To-dos of {0}', firstLine(who, 40));
    const item = new vscode.TreeItem(label, this.done === todos.length ? Collapsed : Expanded);
    item.description = vscode.l10n.t('{0} of {1} done', this.done, todos.length);
    item.iconPath = new vscode.ThemeIcon('tasklist');
    item.contextValue = 'todos';
    item.tooltip = vscode.l10n.t('Last changed {0}', when(this.list.changedAt));
    item.accessibilityInformation = { label: `${label}. ${item.description}` };
    return item;
  }

  async children(): Promise<TreeNode[]> {
    return this.list.todos.map((todo, index) => new TodoNode(todo, index, this));
  }
}

export class TodoNode implements TreeNode {
  readonly id: string;

  constructor(
    private readonly todo: Todo,
    index: number,
    readonly parent: TodoListNode,
  ) {
    this.id = `${parent.id}:${index}`;
  }

  item(): vscode.TreeItem {
    const { content, status, priority } = this.todo;
    const label = plainLine(content);
    const item = new vscode.TreeItem(label);
    const state = spoken(status);
    item.description = [status === 'in_progress' && state, priority === 'high' && vscode.l10n.t('important')]
      .filter(Boolean)
      .join(' · ');
    item.iconPath = ICONS[status];
    item.contextValue = 'todo';
    item.accessibilityInformation = { label: vscode.l10n.t('To-do: {0}. {1}', label, state) };
    return item;
  }

  async tooltip(): Promise<vscode.MarkdownString> {
    return new vscode.MarkdownString().appendText(cut(this.todo.content));
  }
}

const ICONS: Record<TodoStatus, vscode.ThemeIcon> = {
  pending: new vscode.ThemeIcon('circle-large-outline'),
  in_progress: new vscode.ThemeIcon('arrow-right', new vscode.ThemeColor('charts.blue')),
  completed: new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('charts.green')),
};

function spoken(status: TodoStatus): string {
  if (status === 'completed') return vscode.l10n.t('done');
  return status === 'in_progress' ? vscode.l10n.t('in progress') : vscode.l10n.t('not begun');
}
