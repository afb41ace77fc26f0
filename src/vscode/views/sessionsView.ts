import * as vscode from 'vscode';
import type { SessionSummary } from '../../planner/model';
import { plainLine } from '../plainText';
import type { PlanningState } from '../planningState';
import { cut, when } from './planText';
import { NodeTree, type TreeNode } from './tree';
import { trouble } from './trouble';

export const SESSIONS_VIEW = 'nineplan.sessions';

/** All sessions of the store, newest first, archived ones folded away at the end. */
export class SessionsView extends NodeTree {
  protected readonly view: vscode.TreeView<TreeNode>;
  private rows: TreeNode[] = [];

  constructor(private readonly state: PlanningState) {
    super();
    this.view = this.create(SESSIONS_VIEW);
    this.own(
      state.onDidChange(() => {
        this.rows = this.readRows();
        this.redraw();
        this.say(trouble(state));
      }),
    );
  }

  get selectedSessions(): string[] {
    return this.view.selection.flatMap((node) => node.sessionName ?? []);
  }

  protected override async roots(): Promise<TreeNode[]> {
    await this.state.ready();
    return this.rows;
  }

  private readRows(): TreeNode[] {
    const planning = this.state.planning;
    if (!planning) return [];
    const current = planning.session?.name;
    const open = planning.sessions.filter((session) => !session.archivedAt);
    const archived = planning.sessions.filter((session) => session.archivedAt);
    return [
      ...open.map((session) => new SessionNode(session, session.name === current)),
      ...(archived.length > 0 ? [new ArchiveNode(archived, current)] : []),
    ];
  }
}

export class SessionNode implements TreeNode {
  readonly id: string;
  readonly sessionName: string;

  constructor(
    private readonly session: SessionSummary,
    private readonly current: boolean,
    readonly parent?: TreeNode,
  ) {
    this.id = `session:${session.name}`;
    this.sessionName = session.name;
  }

  item(): vscode.TreeItem {
    const { name, archivedAt } = this.session;
    const label = sessionLabel(this.session);
    const item = new vscode.TreeItem(label);
    item.description = `${when(this.session.createdAt)} · ${sessionCounts(this.session)}`;
    item.command = {
      command: 'nineplan.session.click',
      title: vscode.l10n.t('Switch Session'),
      arguments: [name],
    };
    item.iconPath = this.current
      ? new vscode.ThemeIcon('target', new vscode.ThemeColor('charts.blue'))
      : new vscode.ThemeIcon(archivedAt ? 'archive' : 'list-unordered');
    item.contextValue = `session;${archivedAt ? 'archived' : 'open'}${this.current ? ';current' : ''}`;
    item.accessibilityInformation = {
      label: this.current
        ? vscode.l10n.t('Current session: {0}. {1}', label, sessionCounts(this.session))
        : vscode.l10n.t('Session: {0}. {1}', label, sessionCounts(this.session)),
    };
    return item;
  }

  async tooltip(): Promise<vscode.MarkdownString> {
    const { name, taskDescription, createdAt, changedAt } = this.session;
    const text = new vscode.MarkdownString();
    if (taskDescription) text.appendText(cut(taskDescription)).appendMarkdown('\n\n');
    text.appendText(vscode.l10n.t('Started {0}, last changed {1}', when(createdAt), when(changedAt)));
    text.appendMarkdown('\n\n').appendText(sessionCounts(this.session)).appendMarkdown(`\n\n\`${name}\``);
    if (!this.current && !this.session.archivedAt) {
      text.appendMarkdown('\n\n').appendText(vscode.l10n.t('Double-click it or press Enter to switch to it.'));
    }
    return text;
  }
}

class ArchiveNode implements TreeNode {
  readonly id = 'archive';

  constructor(
    private readonly sessions: SessionSummary[],
    private readonly current: string | undefined,
  ) {}

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Archived'), vscode.TreeItemCollapsibleState.Collapsed);
    item.description = String(this.sessions.length);
    item.contextValue = 'archive';
    item.accessibilityInformation = {
      label:
        this.sessions.length === 1
          ? vscode.l10n.t('1 archived session')
          : vscode.l10n.t('{0} archived sessions', this.sessions.length),
    };
    return item;
  }

  async children(): Promise<TreeNode[]> {
    return this.sessions.map((session) => new SessionNode(session, session.name === this.current, this));
  }
}

/** What a person recognises a session by: its task. Day and three-word name come second everywhere. */
export function sessionLabel(session: SessionSummary): string {
  return plainLine(session.taskDescription ?? '', 80) || vscode.l10n.t('(no description)');
}

export function sessionCounts({ queueLength, completedCount, hasActivePlan }: SessionSummary): string {
  return hasActivePlan
    ? vscode.l10n.t('{0} queued, 1 active, {1} done', queueLength, completedCount)
    : vscode.l10n.t('{0} queued, {1} done', queueLength, completedCount);
}
