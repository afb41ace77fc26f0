import * as vscode from 'vscode';
import { type CommandParts, type CommandTable, changes, editor, planningOf, shows } from './command';

/** The store as a whole: where it is, and whether it is sound. */
export function storeCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;
  return {
    'nineplan.store.validate': changes(async () => {
      const { session } = await planningOf(parts);
      const planner = await connection.planner();
      const report = await planner.integrity.validate(editor(), { sessionName: session?.name });
      await state.refresh();
      if (report.valid) {
        void parts.dialogs.tell('info', vscode.l10n.t('The session {0} is sound.', report.session));
        return;
      }
      parts.log.warn({ session: report.session, issues: report.issues }, 'the session is not sound');
      const show = vscode.l10n.t('Show Log');
      const message = vscode.l10n.t('{0} things are wrong: {1}', report.issues.length, report.issues.join(' '));
      if ((await parts.dialogs.tell('warning', message, show)) === show) parts.showLog();
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

  async function chooseStoreFolder(title: string): Promise<void> {
    const folder = await parts.dialogs.folder(title);
    if (!folder) return;
    const settings = vscode.workspace.getConfiguration('nineplan', connection.folder?.uri);
    const target = connection.folder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await settings.update('storePath', folder.fsPath, target);
  }
}
