import * as vscode from 'vscode';
import type { PlannerConnection } from '../connection';
import { plainLine } from '../plainText';
import type { PlanningState } from '../planningState';
import { ProposalNode } from './proposalNode';
import type { QueueDragAndDrop } from './queueDragAndDrop';
import { ActivePlanNode, QueuedPlanNode } from './queueNodes';
import { TodoListNode } from './todoNodes';
import { MoreNode, NodeTree, REDRAW_GAP, type TreeNode } from './tree';
import { restriction, trouble, unmade, waysIn, waysOut } from './trouble';

export const QUEUE_VIEW = 'nineplan.queue';

/**
 * What waits for the person's approval, then the current session's work: the active plan, what its agents mean to do, and
 * the queue in order.
 */
export class QueueView extends NodeTree {
  protected readonly view: vscode.TreeView<TreeNode>;
  private rows: TreeNode[] = [];

  constructor(
    private readonly state: PlanningState,
    private readonly connection: PlannerConnection,
    readonly dragAndDrop: QueueDragAndDrop,
  ) {
    super();
    this.view = this.create(QUEUE_VIEW, { canSelectMany: true, dragAndDropController: dragAndDrop });
    this.own(state.onDidChange(() => this.show()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.show()));
  }

  /** Ids of the selected plans, in the queue's order. */
  get selectedPlans(): string[] {
    const selected = new Set(this.view.selection.map((node) => node.id));
    return this.rows.filter((node) => selected.has(node.id)).flatMap((node) => node.planId ?? []);
  }

  /** Selects the plan's row, if it has one. */
  async reveal(planId: string): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      await this.state.ready();
      const row = this.rows.find((candidate) => candidate.planId === planId);
      if (!row) return;
      try {
        return await this.view.reveal(row, { select: true, focus: true });
      } catch {
        // VS Code doesn't know the row while it draws the tree anew, as it does after every change.
        await new Promise((resolve) => setTimeout(resolve, REDRAW_GAP));
      }
    }
  }

  protected override async roots(): Promise<TreeNode[]> {
    await this.state.ready();
    return this.rows;
  }

  private show(): void {
    const { view, state, connection } = this;
    const session = state.planning?.session;
    const task = session && (plainLine(session.taskDescription ?? '', 60) || session.name);
    // In a window with several folders one must see whose plans these are.
    const folder = connection.folders.length > 1 ? connection.folder?.name : undefined;
    view.description = [folder, task].filter(Boolean).join(' · ');
    view.badge = badge(state.planning?.reviews.length ?? 0);
    this.rows = this.readRows();
    this.redraw();
    this.say(trouble(state) ?? unmade(state, connection.isStoreChosen) ?? restriction());
  }

  private readRows(): TreeNode[] {
    const planning = this.state.planning;
    if (!planning) return waysOut(this.state);
    if (unmade(this.state, this.connection.isStoreChosen)) return waysIn();
    const queued = planning.queue.map((plan) => new QueuedPlanNode(plan, () => this.connection.planner()));
    const rest = (planning.session?.queueLength ?? 0) - queued.length;
    return [
      ...planning.reviews.map((review) => new ProposalNode(review)),
      ...(planning.active ? [new ActivePlanNode(planning.active)] : []),
      ...planning.todos.map((list) => new TodoListNode(list)),
      ...queued,
      ...(rest > 0 ? [new MoreNode('nineplan.queue.showMore', rest)] : []),
    ];
  }
}

/** The person is waited for; how much waits for agents stands in the status bar. */
function badge(count: number): vscode.ViewBadge | undefined {
  if (count === 0) return undefined;
  const tooltip = count === 1 ? vscode.l10n.t('1 plan to approve') : vscode.l10n.t('{0} plans to approve', count);
  return { value: count, tooltip };
}
