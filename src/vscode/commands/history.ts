import * as vscode from 'vscode';
import { type CommandParts, type CommandTable, shows } from './command';

export function historyCommands(parts: CommandParts): CommandTable {
  const { history } = parts.views;
  return {
    'nineplan.history.search': shows(async (...args) => {
      const query = typeof args[0] === 'string' ? args[0] : await ask();
      if (query === undefined) return;
      history.show({ query: query.trim(), discarded: false });
      await vscode.commands.executeCommand('nineplan.history.focus');
    }),
    'nineplan.history.clearSearch': shows(async () => history.show({ query: '' })),
    'nineplan.history.showDiscarded': shows(async () => history.show({ discarded: true, query: '' })),
    'nineplan.history.hideDiscarded': shows(async () => history.show({ discarded: false })),
    'nineplan.history.showAllSessions': shows(async () => history.show({ allSessions: true })),
    'nineplan.history.showCurrentSession': shows(async () => history.show({ allSessions: false })),
    'nineplan.history.showMore': shows(async () => history.showMore()),
  };

  async function ask(): Promise<string | undefined> {
    const answers = await parts.dialogs.fill(vscode.l10n.t('Search History'), [
      {
        key: 'query',
        prompt: vscode.l10n.t('Words in goal, context, inputs, outputs or outcome of completed plans'),
        value: history.filter.query,
      },
    ]);
    return answers?.query;
  }
}
