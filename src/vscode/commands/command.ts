import * as vscode from 'vscode';
import { type Caller, EDITOR, newCaller } from '../../planner/caller';
import { PlannerError } from '../../planner/errors';
import type { Plan } from '../../planner/model';
import type { Planner } from '../../planner/planner';
import type { Log } from '../../planner/ports';
import type { PlannerConnection } from '../connection';
import type { Dialogs } from '../dialogs';
import { type Drafts, UnusedText } from '../drafts';
import { describeError } from '../errorText';
import type { LastChange } from '../lastChange';
import type { PlanEditors } from '../planEditors';
import type { Planning, PlanningState } from '../planningState';
import type { HistoryView } from '../views/historyView';
import { planLabel } from '../views/planText';
import type { QueueView } from '../views/queueView';
import type { SessionsView } from '../views/sessionsView';

/** What commands work with. `dialogs` may be exchanged, so it is read at each use. */
export interface CommandParts {
  connection: PlannerConnection;
  state: PlanningState;
  dialogs: Dialogs;
  lastChange: LastChange;
  drafts: Drafts;
  editors: PlanEditors;
  views: { queue: QueueView; history: HistoryView; sessions: SessionsView };
  log: Log;
  showLog(): void;
}

export interface Command {
  /** In Restricted Mode only commands that change nothing and start nothing may run. */
  restricted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: VS Code passes what menus, links and keybindings happen to give.
  run(...args: any[]): Promise<void>;
}

export type CommandId = `nineplan.${string}.${string}`;
export type CommandTable = Record<CommandId, Command>;

/** A command that only reads and shows. */
export function shows(run: Command['run']): Command {
  return { restricted: false, run };
}

/** A command that changes plans, or starts something. */
export function changes(run: Command['run']): Command {
  return { restricted: true, run };
}

/** The editor names session and plan in each call, so no call depends on an earlier one. */
export function editor(): Caller {
  return newCaller(EDITOR);
}

/** What the window shows, or the refusal that says why there is nothing to work on. */
export async function planningOf(parts: CommandParts): Promise<Planning> {
  await parts.state.refresh();
  const state = parts.state.current;
  if (state.kind === 'ready') return state;
  await parts.connection.planner();
  throw state.kind === 'failed' ? state.error : new Error('the plan store was not read');
}

/** The active plan of the current session. */
export async function activePlanOf(parts: CommandParts): Promise<Plan> {
  const { active } = await planningOf(parts);
  if (active) return active;
  throw new PlannerError(
    'NO_ACTIVE_PLAN',
    vscode.l10n.t('No plan is active.'),
    vscode.l10n.t('Pull the next plan from the queue first.'),
  );
}

export async function planOf(planner: Planner, id: string): Promise<Plan> {
  const plan = await planner.store.read((view) => view.plan(id));
  if (plan) return plan;
  throw new PlannerError(
    'PLAN_NOT_FOUND',
    vscode.l10n.t('There is no plan {0}.', id.slice(0, 20)),
    vscode.l10n.t('It may belong to another folder or to a deleted session.'),
  );
}

/** Into the clipboard, and says so. */
export async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied.'), 5000);
}

export function registerCommands(table: CommandTable, parts: CommandParts): vscode.Disposable {
  const registered = Object.entries(table).map(([id, command]) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) => runCommand(id, command, args, parts)),
  );
  return vscode.Disposable.from(...registered);
}

/** What a command throws is shown with its next step, never swallowed. */
export async function runCommand(id: string, command: Command, args: unknown[], parts: CommandParts): Promise<void> {
  try {
    if (command.restricted && !vscode.workspace.isTrusted) void refuseUntrusted(parts);
    else await command.run(...args);
  } catch (error) {
    // Not waited for: a message that nobody closes must not keep the caller.
    void showError(id, error, parts);
  }
}

async function refuseUntrusted(parts: CommandParts): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const message = vscode.l10n.t('In Restricted Mode plans are shown but not changed.');
  if ((await parts.dialogs.tell('warning', message, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}

async function showError(id: string, thrown: unknown, parts: CommandParts): Promise<void> {
  const [error, unused] = thrown instanceof UnusedText ? [thrown.refusal, thrown.text] : [thrown, undefined];
  const { message, suggestion } = describeError(error);
  const copyText = vscode.l10n.t('Copy Text');
  const show = vscode.l10n.t('Show Log');
  const ways = unused === undefined ? [] : [copyText];
  let answer: string | undefined;
  if (error instanceof PlannerError) {
    parts.log.info({ command: id, category: error.category }, message);
    if (error.category === 'PLAN_ALREADY_ACTIVE' && (await tellActive(error, parts))) return;
    answer = await parts.dialogs.tell('error', [message, suggestion].filter(Boolean).join(' '), ...ways);
  } else {
    parts.log.error({ command: id, error }, 'a command failed');
    answer = await parts.dialogs.tell('error', vscode.l10n.t('9plan: {0}', message), ...ways, show);
  }
  if (answer === show) parts.showLog();
  if (answer === copyText) await copy(unused ?? '');
}

/** Names the plan that is in the way and offers what to do about it; false if it is gone already. */
async function tellActive({ session }: PlannerError, parts: CommandParts): Promise<boolean> {
  const { store } = await parts.connection.planner();
  const active = await store.read((view) => (session === undefined ? undefined : view.activePlan(session)));
  if (!active) return false;
  const open = vscode.l10n.t('Open');
  const complete = vscode.l10n.t('Complete…');
  const message = vscode.l10n.t('“{0}” is already active. Nothing was changed.', planLabel(active.goal));
  const answer = await parts.dialogs.tell('info', message, open, complete);
  if (answer === open) await vscode.commands.executeCommand('nineplan.plan.open', active.id);
  if (answer === complete) await vscode.commands.executeCommand('nineplan.plan.complete', active.id);
  return true;
}
