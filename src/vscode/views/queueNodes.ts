import * as vscode from 'vscode';
import type { Plan, PlanHeading } from '../../planner/model';
import type { Planner } from '../../planner/planner';
import type { View } from '../../planner/ports';
import type { ShownPlan } from '../planningState';
import { planLabel, planTooltip, pullerOf, when } from './planText';
import type { TreeNode } from './tree';

export type PlannerSource = () => Promise<Planner>;

/** The plan that is being worked on, and by whom. */
export class ActivePlanNode implements TreeNode {
  readonly id: string;
  readonly planId: string;

  constructor(readonly plan: Plan) {
    this.id = `plan:${plan.id}`;
    this.planId = plan.id;
  }

  item(): vscode.TreeItem {
    const label = planLabel(this.plan.goal);
    const item = new vscode.TreeItem(label);
    item.description = this.who();
    item.iconPath = new vscode.ThemeIcon('play-circle', new vscode.ThemeColor('charts.green'));
    item.contextValue = 'plan;active';
    item.command = openPlan(this.plan.id);
    const since = [pullerOf(this.plan), when(this.plan.pulledAt)].filter(Boolean).join(', ');
    item.accessibilityInformation = { label: vscode.l10n.t('Active plan: {0}. {1}', label, since) };
    return item;
  }

  async tooltip(): Promise<vscode.MarkdownString> {
    return planTooltip(this.plan, [this.who()]);
  }

  private who(): string {
    const since = when(this.plan.pulledAt);
    const puller = pullerOf(this.plan);
    return puller ? vscode.l10n.t('active · {0}, {1}', puller, since) : vscode.l10n.t('active since {0}', since);
  }
}

/** A plan in the queue. Its children are the plans it waits for. */
export class QueuedPlanNode implements TreeNode {
  readonly id: string;
  readonly planId: string;

  constructor(
    readonly plan: ShownPlan,
    private readonly planner: PlannerSource,
  ) {
    this.id = `plan:${plan.id}`;
    this.planId = plan.id;
  }

  private get blocked(): boolean {
    return this.plan.waitingFor.length > 0;
  }

  /** The first plan that this one waits for by its goal, the others by their number. */
  private blockers(limit: number): string {
    const { blocker, waitingFor } = this.plan;
    const first = vscode.l10n.t('“{0}”', planLabel(blocker?.goal ?? '', limit));
    const rest = waitingFor.length - 1;
    return rest > 0 ? vscode.l10n.t('{0} and {1} more', first, rest) : first;
  }

  item(): vscode.TreeItem {
    const { id, goal, queuePosition } = this.plan;
    const label = planLabel(goal);
    const item = new vscode.TreeItem(label);
    item.collapsibleState = this.blocked
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None;
    item.description = this.blocked ? vscode.l10n.t('{0} · waits for {1}', id, this.blockers(40)) : id;
    item.iconPath = new vscode.ThemeIcon(this.blocked ? 'lock' : 'circle-outline');
    item.contextValue = this.blocked ? 'plan;queued;blocked' : 'plan;queued;ready';
    item.command = openPlan(id);
    item.accessibilityInformation = {
      label: this.blocked
        ? vscode.l10n.t('Plan {0} in the queue: {1}. Blocked, waits for {2}', queuePosition, label, this.blockers(100))
        : vscode.l10n.t('Plan {0} in the queue: {1}. Ready', queuePosition, label),
    };
    return item;
  }

  async children(): Promise<TreeNode[]> {
    const planner = await this.planner();
    const blockers = await planner.store.read((view) => this.waitingFor(view));
    return blockers.map((blocker) => new BlockerNode(blocker, this));
  }

  private waitingFor(view: View): PlanHeading[] {
    const unfinished = new Set(this.plan.waitingFor);
    return view.blockersOf(this.plan.id).filter(({ id }) => unfinished.has(id));
  }

  async tooltip(): Promise<vscode.MarkdownString | undefined> {
    const planner = await this.planner();
    const { plan, blockers } = await planner.store.read((view) => ({
      plan: view.plan(this.plan.id),
      blockers: this.waitingFor(view),
    }));
    if (!plan) return undefined;
    return planTooltip(plan, [
      vscode.l10n.t('Number {0} in the queue', this.plan.queuePosition),
      ...blockers.map(({ id, goal }) => vscode.l10n.t('Waits for “{0}” ({1})', planLabel(goal), id)),
    ]);
  }
}

/** A plan that another one waits for, shown below that one. */
export class BlockerNode implements TreeNode {
  readonly id: string;
  readonly planId: string;

  constructor(
    readonly plan: PlanHeading,
    readonly parent: QueuedPlanNode,
  ) {
    this.id = `blocker:${parent.plan.id}:${plan.id}`;
    this.planId = plan.id;
  }

  item(): vscode.TreeItem {
    const label = planLabel(this.plan.goal);
    const item = new vscode.TreeItem(label);
    item.description = this.plan.id;
    item.iconPath = new vscode.ThemeIcon('arrow-small-right');
    item.contextValue = 'blocker';
    item.command = openPlan(this.plan.id);
    item.accessibilityInformation = { label: vscode.l10n.t('Waits for {0}', label) };
    return item;
  }
}

/** A click shows the plan and leaves the keyboard to the list, as in the explorer. */
export function openPlan(id: string): vscode.Command {
  return {
    command: 'nineplan.plan.open',
    title: vscode.l10n.t('Open Plan'),
    arguments: [id, { preserveFocus: true }],
  };
}
