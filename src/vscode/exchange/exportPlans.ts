import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { Exchange } from '../../planner/exchange/exchange';
import { type CommandParts, editor, planningOf } from '../commands/command';
import { sessionLabel } from '../views/sessionsView';
import { whileWorking } from './progress';

type What = 'store' | 'session' | 'document';

/** Writes the store or a session to a file that the person names. */
export async function exportPlans(parts: CommandParts): Promise<void> {
  const { session, sessions } = await planningOf(parts);
  const title = vscode.l10n.t('Export Plans');
  const name = session?.name;
  const task = session && sessionLabel(session);
  const what = await parts.dialogs.pick<What>(title, [
    {
      label: vscode.l10n.t('Everything'),
      description: 'JSON',
      detail: vscode.l10n.t('All sessions, with history and proposals; can be imported again'),
      value: 'store',
    },
    ...(name
      ? [
          {
            label: vscode.l10n.t('The current session'),
            description: 'JSON',
            detail: vscode.l10n.t('{0}; can be imported again', task ?? name),
            value: 'session' as const,
          },
          {
            label: vscode.l10n.t('The current session, to read'),
            description: 'Markdown',
            detail: task,
            value: 'document' as const,
          },
        ]
      : []),
  ]);
  if (!what) return;
  const file = await parts.dialogs.newFile(title, suggestion(parts, what, name));
  if (!file) return;
  const count = sessions.reduce((sum, { queueLength, completedCount }) => sum + queueLength + completedCount, 0);
  await whileWorking(vscode.l10n.t('Exporting plans…'), count, async () => {
    const text = await content(parts, what, name as string);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  });
  const open = vscode.l10n.t('Open File');
  void parts.dialogs.tell('info', vscode.l10n.t('Written: {0}', file.fsPath), open).then((answer) => {
    if (answer === open) void vscode.window.showTextDocument(file);
  });
}

async function content({ connection }: CommandParts, what: What, sessionName: string): Promise<string> {
  const exchange = new Exchange((await connection.planner()).store);
  if (what === 'document') return exchange.exportMarkdown(editor(), { sessionName });
  const exported = await exchange.exportJson(editor(), what === 'session' ? { sessionName } : {});
  return `${JSON.stringify(exported, null, 2)}\n`;
}

function suggestion({ connection }: CommandParts, what: What, session: string | undefined): vscode.Uri {
  const name = what === 'store' ? '9plan.json' : what === 'session' ? `${session}.json` : `${session}.md`;
  return vscode.Uri.joinPath(connection.folder?.uri ?? vscode.Uri.file(homedir()), name);
}
