import * as vscode from 'vscode';
import type { IntegrityReport } from '../../planner/integrity';
import { PlanRepair, type StrayFile } from '../planRepair';
import { type CommandParts, type CommandTable, changes, editor, planningOf, shows } from './command';

/** The store as a whole: where it is, and whether it is sound. */
export function storeCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;
  return {
    'nineplan.store.validate': changes(async () => {
      const report = await validate();
      if (report.valid) {
        void parts.dialogs.tell('info', vscode.l10n.t('The session {0} is sound.', report.session));
        return;
      }
      parts.log.warn({ session: report.session, issues: report.issues }, 'the session is not sound');
      const repair = vscode.l10n.t('Repair…');
      const message = vscode.l10n.t('{0} things are wrong: {1}', report.issues.length, firstOf(report.issues));
      void parts.dialogs.tell('warning', message, repair).then((answer) => {
        if (answer === repair) void vscode.commands.executeCommand('nineplan.store.repair');
      });
    }),

    'nineplan.store.repair': changes(async () => {
      const { session } = await validate();
      const repair = new PlanRepair(await connection.planner(), session);
      await repair.restoreMissing();
      for (const stray of await repair.strayFiles()) await settle(stray, repair, session);
      const { valid, issues } = await validate();
      if (valid) void parts.dialogs.tell('info', vscode.l10n.t('The session {0} is sound.', session));
      else void parts.dialogs.tell('warning', vscode.l10n.t('This is left to mend by hand: {0}', firstOf(issues)));
    }),

    'nineplan.store.restore': changes(async () => {
      await (await connection.upkeep()).restoreLast();
      await state.refresh();
    }),

    'nineplan.store.startAnew': changes(async () => {
      const sure = await parts.dialogs.confirm(
        vscode.l10n.t('Start anew with an empty store?'),
        vscode.l10n.t(
          'The last state of the lost store is given up. If its folder still exists somewhere, move it back instead.',
        ),
        vscode.l10n.t('Start Anew'),
      );
      if (!sure) return;
      await (await connection.upkeep()).startAnew();
      await state.refresh();
    }),

    'nineplan.store.compact': changes(async () => {
      await (await connection.upkeep()).compact();
      void parts.dialogs.tell('info', vscode.l10n.t('The journal was compacted. Nothing of the plans was lost.'));
    }),

    'nineplan.store.chooseFolder': shows(async () => {
      const title = vscode.l10n.t('Choose the Folder Whose Plans Are Shown');
      const other = 'other';
      const chosen = await parts.dialogs.pick<vscode.WorkspaceFolder | typeof other>(title, [
        ...connection.folders.map((folder) => ({
          label: folder.name,
          description: folder === connection.folder ? vscode.l10n.t('shown now') : undefined,
          detail: folder.uri.fsPath,
          value: folder,
        })),
        { label: vscode.l10n.t('Another folder for the store…'), value: other },
      ]);
      if (chosen === other) await chooseStoreFolder(title);
      else if (chosen) await connection.choose(chosen);
    }),

    'nineplan.log.show': shows(async () => parts.showLog()),
  };

  async function validate(): Promise<IntegrityReport> {
    const { session } = await planningOf(parts);
    const planner = await connection.planner();
    const report = await planner.integrity.validate(editor(), { sessionName: session?.name });
    await state.refresh();
    return report;
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
    }
    if (choice === 'queue' || choice === 'trash') await throwAway(stray.file);
  }

  async function chooseStoreFolder(title: string): Promise<void> {
    const folder = await parts.dialogs.folder(title);
    if (!folder) return;
    const settings = vscode.workspace.getConfiguration('nineplan', connection.folder?.uri);
    const target = connection.folder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await settings.update('storePath', folder.fsPath, target);
  }
}

/** Into the trash, where there is one: remote file systems have none. */
async function throwAway(file: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(file, { useTrash: true });
  } catch {
    await vscode.workspace.fs.delete(file);
  }
}

/** As much as a notification can hold; the log has them all. */
function firstOf(issues: string[]): string {
  return issues.slice(0, 3).join(' ') + (issues.length > 3 ? ' …' : '');
}
