import * as vscode from 'vscode';
import { type CommandParts, type CommandTable, changes, shows } from './command';

/** The store as a whole: where it is, and what becomes of it. */
export function storeCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;
  return {
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

  async function chooseStoreFolder(title: string): Promise<void> {
    const folder = await parts.dialogs.folder(title);
    if (!folder) return;
    const settings = vscode.workspace.getConfiguration('nineplan', connection.folder?.uri);
    const target = connection.folder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await settings.update('storePath', folder.fsPath, target);
  }
}
