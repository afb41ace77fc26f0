import * as vscode from 'vscode';
import type { HistoryFilter } from '../views/historyView';
import { type CommandParts, type CommandTable, shows } from './command';

export function historyCommands(parts: CommandParts): CommandTable {
  const { history } = parts.views;
  /** The view comes to the front: asked for in the palette, the change would else go unseen. */
  async function show(change: Partial<HistoryFilter>): Promise<void> {
    history.show(change);
    await vscode.commands.executeCommand('nineplan.history.focus');
  }

  return {
    'nineplan.history.search': shows(async (...args) => {
      const query = typeof args[0] === 'string' ? args[0] : await ask();
      if (query === undefined) return;
      await show({ query: query.trim(), discarded: false });
    }),
    'nineplan.history.clearSearch': shows(() => show({ query: '' })),
    'nineplan.history.showDiscarded': shows(() => show({ discarded: true, query: '' })),
    'nineplan.history.hideDiscarded': shows(() => show({ discarded: false })),
    'nineplan.history.showAllSessions': shows(() => show({ allSessions: true })),
    'nineplan.history.showCurrentSession': shows(() => show({ allSessions: false })),
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
