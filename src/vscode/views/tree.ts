import * as vscode from 'vscode';
import { Disposable } from '../disposable';

/** One row of a view. Its id stays the same as long as it stands for the same thing, so that selection survives. */
export interface TreeNode {
  readonly id: string;
  readonly parent?: TreeNode;
  /** The plan, session or proposal that the row stands for: what a command on the row is about. */
  readonly planId?: string;
  readonly sessionName?: string;
  readonly proposalId?: string;
  item(): vscode.TreeItem;
  children?(): Promise<TreeNode[]>;
  /** Read only when the pointer rests on the row. */
  tooltip?(): Promise<vscode.MarkdownString | undefined>;
}

/**
 * Milliseconds. VS Code puts off what follows a redraw or a new message within 200 ms until there is quiet that long: under
 * a steady stream of changes a tree would never be redrawn.
 */
export const REDRAW_GAP = 220;

/** What the three views have in common: rows come from `roots`, everything else from the row itself. */
export abstract class NodeTree extends Disposable implements vscode.TreeDataProvider<TreeNode> {
  private readonly changed = this.own(new vscode.EventEmitter<TreeNode | undefined>());
  readonly onDidChangeTreeData = this.changed.event;
  protected abstract readonly view: vscode.TreeView<TreeNode>;
  private message: string | undefined;
  /** When VS Code was last told of something, in milliseconds since 1970. */
  private told = 0;
  private due: NodeJS.Timeout | undefined;

  constructor() {
    super();
    this.own({ dispose: () => clearTimeout(this.due) });
  }

  protected abstract roots(): Promise<TreeNode[]>;

  /**
   * Makes the view. When one that was folded up is unfolded for the first time, VS Code has its rows at once and draws them
   * two seconds later, unless it is told of a message, be it the same.
   */
  protected create(id: string, options: Partial<vscode.TreeViewOptions<TreeNode>> = {}): vscode.TreeView<TreeNode> {
    const view = this.own(vscode.window.createTreeView(id, { ...options, treeDataProvider: this }));
    this.own(
      view.onDidChangeVisibility(({ visible }) => {
        if (!visible) return;
        this.told = Date.now();
        view.message = this.message;
      }),
    );
    return view;
  }

  getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return node ? (node.children?.() ?? Promise.resolve([])) : this.roots();
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = node.item();
    item.id = node.id;
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    item.tooltip = (await node.tooltip?.()) ?? item.tooltip;
    return item;
  }

  /** At once, unless that was done just now. */
  protected redraw(): void {
    this.due ??= setTimeout(() => this.draw(), Math.max(0, this.told + REDRAW_GAP - Date.now()));
  }

  /** Puts a message above the rows, after a redraw that is due: rows that come second come late. */
  protected say(message: string | undefined): void {
    this.message = message;
    if (!this.due) this.tell();
  }

  private draw(): void {
    this.due = undefined;
    if (this.isDisposed) return;
    this.told = Date.now();
    this.changed.fire(undefined);
    this.tell();
  }

  /** Only what is new: the same message again would put off the rows as well. */
  private tell(): void {
    if ((this.view.message || undefined) === this.message) return;
    this.told = Date.now();
    this.view.message = this.message;
  }
}

/** A row that does something. */
export class CommandNode implements TreeNode {
  readonly id: string;

  constructor(
    private readonly label: string,
    private readonly command: string,
    private readonly icon: string,
  ) {
    this.id = `command:${command}`;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.label);
    item.iconPath = new vscode.ThemeIcon(this.icon);
    item.command = { command: this.command, title: this.label };
    return item;
  }
}

/** The last row of a list that is longer than what was read. */
export class MoreNode implements TreeNode {
  readonly id: string;

  constructor(
    private readonly command: string,
    private readonly rest?: number,
  ) {
    this.id = `more:${command}`;
  }

  item(): vscode.TreeItem {
    const label =
      this.rest === undefined ? vscode.l10n.t('Show more') : vscode.l10n.t('Show more ({0} not shown)', this.rest);
    const item = new vscode.TreeItem(label);
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.contextValue = 'more';
    item.command = { command: this.command, title: label };
    item.accessibilityInformation = { label };
    return item;
  }
}
