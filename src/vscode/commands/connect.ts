import type * as vscode from 'vscode';
import type { Launcher } from '../connect/launcher';
import { type CommandParts, type CommandTable, changes } from './command';

/** Letting agents outside of this editor know of the server. */
export function connectCommands(
  parts: CommandParts,
  launcher: () => Promise<Launcher>,
  globalStorage: vscode.Uri,
): CommandTable {
  return {
    'nineplan.agent.connect': changes(async () => {
      const { connectAgent, backupFolder } = await import('../connect/connectAgent');
      const { connection, dialogs } = parts;
      await connectAgent({ connection, dialogs, launcher: await launcher(), backups: backupFolder(globalStorage) });
    }),
  };
}
