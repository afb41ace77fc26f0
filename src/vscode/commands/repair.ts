import * as vscode from 'vscode';
import { PlannerError } from '../../planner/errors';
import type { Exported } from '../../planner/exchange/exported';
import type { PlanRepair, StrayFile } from '../planRepair';
import { sessionLabel } from '../views/sessionsView';
import { type CommandParts, type CommandTable, changes, editor, planningOf } from './command';

/** Whether the store is sound, and what can be done if it isn't. */
export function repairCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;
  return {
    'nineplan.store.validate': changes(async () => {
      const { session, issues } = await findings();
      if (issues.length === 0) return tellSound(session);
      parts.log.warn({ session, issues }, 'the session is not sound');
      const repair = vscode.l10n.t('Repair…');
      const message =
        issues.length === 1
          ? vscode.l10n.t('One thing is wrong: {0}', firstOf(issues))
          : vscode.l10n.t('{0} things are wrong: {1}', issues.length, firstOf(issues));
      void parts.dialogs.tell('warning', message, repair).then((answer) => {
        if (answer === repair) void vscode.commands.executeCommand('nineplan.store.repair');
      });
    }),

    'nineplan.store.repair': changes(async () => {
      const before = await findings();
      if (before.issues.length === 0) return tellSound(before.session);
      const { backup, problems, rescued } = await (await connection.upkeep()).repair();
      parts.log.info({ backup, issues: before.issues, problems }, 'the store is repaired; this is how it was');
      for (const exported of rescued) await offer(exported);
      await repairPlanFiles();
      const { session, issues } = await findings();
      const left = [...problems, ...issues];
      const copied = vscode.l10n.t('How everything was before is kept in {0}.', backup);
      if (left.length === 0) return tellSound(session, copied);
      const toMend = vscode.l10n.t('This is left to mend by hand: {0}', firstOf(left));
      void parts.dialogs.tell('warning', `${toMend} ${copied}`);
    }),
  };

  /** With a store that can't be opened, the reason is what is wrong. */
  async function findings(): Promise<{ session: string | undefined; issues: string[] }> {
    try {
      const { session } = await planningOf(parts);
      const planner = await connection.planner();
      if (!session) return { session: undefined, issues: await planner.integrity.storeIssues() };
      const report = await planner.integrity.validate(editor(), { sessionName: session.name });
      await state.refresh();
      return report;
    } catch (error) {
      if (!(error instanceof PlannerError) || error.category !== 'FILE_SYSTEM_ERROR') throw error;
      return { session: undefined, issues: [`${error.message} ${error.suggestion}`] };
    }
  }

  async function offer(exported: Exported): Promise<void> {
    const { Exchange } = await import('../../planner/exchange/exchange');
    const exchange = new Exchange((await connection.planner()).store);
    const missing = await exchange.missing({ exported });
    const plans = missing.sessions.reduce((sum, session) => sum + session.plans.length, 0);
    if (missing.sessions.length === 0) return;
    const choice = await parts.dialogs.pick(
      plans === 1
        ? vscode.l10n.t('A former state has a plan that the store lacks')
        : vscode.l10n.t('A former state has {0} plans that the store lacks', plans),
      [
        { label: vscode.l10n.t('Add them, in sessions of their own'), value: 'add' },
        { label: vscode.l10n.t('Leave them in the backup'), value: 'leave' },
      ],
      missing.sessions.map(({ name, task_description }) => task_description ?? name).join(', '),
    );
    if (choice !== 'add') return;
    await exchange.restore(editor(), { exported: missing });
    parts.lastChange.forget();
  }

  async function repairPlanFiles(): Promise<void> {
    const planner = await connection.planner();
    const { session } = await planningOf(parts);
    if (!session) return;
    await planner.integrity.setAsideUnreadable(editor(), { sessionName: session.name });
    const { PlanRepair } = await import('../planRepair');
    const repair = new PlanRepair(planner, session.name);
    await repair.restoreMissing();
    for (const stray of await repair.strayFiles()) await settle(stray, repair, session.name);
  }

  /** Whose file it is nobody can know but the person. */
  async function settle(stray: StrayFile, repair: PlanRepair, sessionName: string): Promise<void> {
    const plan = await repair.readAsPlan(stray);
    const choice = await parts.dialogs.pick(
      vscode.l10n.t('{0} belongs to no open plan', stray.name),
      [
        ...(plan ? [{ label: vscode.l10n.t('Queue it as a new plan'), value: 'queue' }] : []),
        { label: vscode.l10n.t('Delete it'), value: 'trash' },
        { label: vscode.l10n.t('Leave it where it is'), value: 'leave' },
      ],
      stray.file.fsPath,
    );
    if (choice === 'queue' && plan) {
      const planner = await connection.planner();
      await planner.queue.add(editor(), { sessionName, plans: [plan] });
      parts.lastChange.forget();
    }
    if (choice === 'queue' || choice === 'trash') await throwAway(stray.file);
  }

  function tellSound(session: string | undefined, more = ''): void {
    const known = state.planning?.sessions.find(({ name }) => name === session);
    const sound = known
      ? vscode.l10n.t('The session “{0}” is sound.', sessionLabel(known))
      : vscode.l10n.t('The store is sound.');
    void parts.dialogs.tell('info', [sound, more].filter(Boolean).join(' '));
  }
}

/** Into the trash, where there is one: remote file systems have none. */
async function throwAway(file: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(file, { recursive: true, useTrash: true });
  } catch {
    await vscode.workspace.fs.delete(file, { recursive: true });
  }
}

/** As much as a notification can hold; the log has them all. */
function firstOf(issues: string[]): string {
  return issues.slice(0, 3).join(' ') + (issues.length > 3 ? ' …' : '');
}
