import * as vscode from 'vscode';
import type { CommandParts } from './commands/command';

const OPEN_CHAT = 'workbench.action.chat.open';

/** Opens the chat in agent mode with a message. The command is VS Code's own and not promised, so do without it too. */
export async function askInChat(query: string, parts: Pick<CommandParts, 'dialogs' | 'log'>): Promise<void> {
  const known = await vscode.commands.getCommands();
  if (known.includes(OPEN_CHAT)) {
    try {
      await vscode.commands.executeCommand(OPEN_CHAT, { query, mode: 'agent' });
      return;
    } catch (error) {
      parts.log.warn({ error }, 'the chat did not open');
    }
  }
  await vscode.env.clipboard.writeText(query);
  void parts.dialogs.tell('info', vscode.l10n.t('The request for your agent is on the clipboard.'));
}
