import type * as vscode from 'vscode';
import type { ConnectParts } from '../connect/configChange';
import type { Launcher } from '../connect/launcher';
import { type CommandParts, type CommandTable, changes } from './command';

/** Letting agents outside of this editor know of the server. */
export function connectCommands(
  parts: CommandParts,
  launcher: () => Promise<Launcher>,
  { globalStorage, globalMemory }: { globalStorage: vscode.Uri; globalMemory: vscode.Memento },
): CommandTable {
  async function connectParts(): Promise<ConnectParts> {
    const [{ backupFolder }, { Connections }] = await Promise.all([
      import('../connect/configChange'),
      import('../connect/connections'),
    ]);
    const { connection, dialogs } = parts;
    const backups = backupFolder(globalStorage);
    return { connection, dialogs, launcher: await launcher(), connections: new Connections(globalMemory), backups };
  }

  return {
    'nineplan.agent.connect': changes(async () => {
      const { connectAgent } = await import('../connect/connectAgent');
      await connectAgent(await connectParts());
    }),
    'nineplan.agent.disconnect': changes(async () => {
      const { disconnectAgent } = await import('../connect/disconnectAgent');
      await disconnectAgent(await connectParts());
    }),
  };
}
