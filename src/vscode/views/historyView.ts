import * as vscode from 'vscode';
import type { CommittedChange } from '../../planner/events';
import type { HistoryMatch, Plan } from '../../planner/model';
import type { PlannerConnection } from '../connection';
import type { SetContext } from '../contextKeys';
import { describeError } from '../errorText';
import { firstLine, plainLine } from '../plainText';
import type { PlanningState } from '../planningState';
import { planLabel, planTooltip, when } from './planText';
import { openPlan } from './queueNodes';
import { MoreNode, NodeTree, type TreeNode } from './tree';
import { trouble } from './trouble';

export const HISTORY_VIEW = 'nineplan.history';

const PAGE = 50;
const MOST_MATCHES = 100;

/** What the view shows; every combination is allowed. */
export interface HistoryFilter {
  /** '' shows the list, newest first; anything else the best matches first. */
  query: string;
  discarded: boolean;
  allSessions: boolean;
}

const UNFILTERED = { query: '', discarded: false };

/** Completed plans (or discarded ones), paged, of one session or all. */
export class HistoryView extends NodeTree {
  protected readonly view: vscode.TreeView<TreeNode>;
  private limit = PAGE;
  private shownSession: string | undefined;
  /** The session in which the filter was set. */
  private filteredSession: string | undefined;
  /** About what is listed, or why nothing is. */
  private remark: string | undefined;
  private current: HistoryFilter = { query: '', discarded: false, allSessions: false };

  constructor(
    private readonly state: PlanningState,
    private readonly connection: PlannerConnection,
    private readonly setContext: SetContext,
  ) {
    super();
    this.view = this.create(HISTORY_VIEW, { canSelectMany: true });
    this.own(connection.onDidMove(() => this.show({ ...UNFILTERED, allSessions: false })));
    this.own(connection.onDidCommit((change) => this.follow(change)));
    this.own(connection.onDidReplace(() => this.redraw()));
    this.own(
      state.onDidChange(() => {
        if (this.shownSession !== state.planning?.session?.name) this.show(this.isLeft ? UNFILTERED : {});
        this.remarkOn(this.remark);
      }),
    );
  }

  get filter(): HistoryFilter {
    return this.current;
  }

  get selectedPlans(): string[] {
    return this.view.selection.flatMap((node) => node.planId ?? []);
  }

  show(change: Partial<HistoryFilter>): void {
    this.current = { ...this.current, ...change };
    this.filteredSession = this.state.planning?.session?.name;
    this.limit = PAGE;
    const { query, discarded, allSessions } = this.current;
    this.setContext('nineplan.historyFiltered', query !== '');
    this.setContext('nineplan.historyShowsDiscarded', discarded);
    this.setContext('nineplan.historyOfAllSessions', allSessions);
    const parts = [
      query && vscode.l10n.t('“{0}”', firstLine(query, 40)),
      discarded && vscode.l10n.t('discarded'),
      allSessions && vscode.l10n.t('all sessions'),
    ];
    this.view.description = parts.filter(Boolean).join(' · ');
    this.redraw();
  }

  showMore(): void {
    this.limit += PAGE;
    this.redraw();
  }

  protected override async roots(): Promise<TreeNode[]> {
    const state = await this.state.ready();
    this.shownSession = state.kind === 'ready' ? state.session?.name : undefined;
    this.remarkOn(undefined);
    if (state.kind !== 'ready') return [];
    try {
      return await this.read(this.shownSession);
    } catch (error) {
      this.remarkOn(describeError(error).message);
      return [];
    }
  }

  private async read(session: string | undefined): Promise<TreeNode[]> {
    const { query, discarded, allSessions } = this.current;
    if (!session && !allSessions) return [];
    const scope = allSessions ? undefined : session;
    const planner = await this.connection.planner();
    if (query !== '' && !discarded) {
      const matches = await planner.store.read((view) => {
        const found = view.searchHistory(query, { session: scope, limit: MOST_MATCHES });
        return found.flatMap((match) => withPlan(match, view.plan(match.id)));
      });
      if (matches.length === 0) this.remarkOn(vscode.l10n.t('No completed plan matches.'));
      return matches.map((plan) => this.node(plan));
    }
    const status = discarded ? 'discarded' : 'completed';
    const plans = await planner.history.list({ sessionName: scope, status, offset: 0, limit: this.limit + 1 });
    if (discarded && plans.length === 0) this.remarkOn(vscode.l10n.t('No plan was discarded here.'));
    const shown = plans.slice(0, this.limit).map((plan) => this.node(plan));
    return plans.length > this.limit ? [...shown, new MoreNode('nineplan.history.showMore')] : shown;
  }

  private node(plan: Plan): FinishedPlanNode {
    if (!this.current.allSessions) return new FinishedPlanNode(plan, undefined);
    const session = this.state.planning?.sessions.find(({ name }) => name === plan.sessionName);
    return new FinishedPlanNode(plan, plainLine(session?.taskDescription ?? '', 40) || plan.sessionName);
  }

  private remarkOn(remark: string | undefined): void {
    this.remark = remark;
    this.say(trouble(this.state) ?? remark);
  }

  /** What was looked for in one session, nobody looks for in the next; across all of them it stays. */
  private get isLeft(): boolean {
    const { planning } = this.state;
    const filtered = this.current.allSessions ? undefined : this.filteredSession;
    return planning !== undefined && filtered !== undefined && filtered !== planning.session?.name;
  }

  private follow(change: CommittedChange): void {
    const matters = change.events.some((event) =>
      ['plan_completed', 'plan_discarded', 'plan_requeued', 'session_deleted'].includes(event.type),
    );
    if (matters) this.redraw();
  }
}

function withPlan(match: HistoryMatch, plan: Plan | undefined): Plan[] {
  return plan ? [{ ...plan, outcome: match.outcome }] : [];
}

/** A completed or discarded plan. */
export class FinishedPlanNode implements TreeNode {
  readonly id: string;
  readonly planId: string;

  constructor(
    private readonly plan: Plan,
    /** What its session is about, where several are shown. */
    private readonly task: string | undefined,
  ) {
    this.id = `plan:${plan.id}`;
    this.planId = plan.id;
  }

  item(): vscode.TreeItem {
    const { goal, status, completedAt, discardedAt, outcome, discardReason } = this.plan;
    const done = status === 'completed';
    const label = planLabel(goal);
    const item = new vscode.TreeItem(label);
    const result = plainLine((done ? outcome : discardReason) ?? '', 80);
    const time = when(completedAt ?? discardedAt);
    const circumstances = [time, this.task].filter(Boolean).join(', ');
    item.description = [time, this.task, result].filter(Boolean).join(' · ');
    item.iconPath = done
      ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'))
      : new vscode.ThemeIcon('circle-slash');
    item.contextValue = `plan;${status}`;
    item.command = openPlan(this.planId);
    item.accessibilityInformation = {
      label: done
        ? vscode.l10n.t('Completed plan: {0}. {1}. {2}', label, circumstances, result)
        : vscode.l10n.t('Discarded plan: {0}. {1}. {2}', label, circumstances, result),
    };
    return item;
  }

  async tooltip(): Promise<vscode.MarkdownString> {
    return planTooltip(this.plan, [
      `${this.plan.sessionName} · ${when(this.plan.completedAt ?? this.plan.discardedAt)}`,
    ]);
  }
}
