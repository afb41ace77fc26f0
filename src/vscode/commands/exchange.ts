import * as vscode from 'vscode';
import { type CommandParts, type CommandTable, changes } from './command';

/** Plans in and out of the store. Both take in edits of plan files or change plans, so both need trust. */
export function exchangeCommands(parts: CommandParts): CommandTable {
  return {
    'nineplan.plans.import': changes(async (file: unknown) => {
      const { importPlans } = await import('../exchange/importPlans');
      await importPlans(parts, file instanceof vscode.Uri ? file : undefined);
    }),

    'nineplan.plans.export': changes(async () => {
      const { exportPlans } = await import('../exchange/exportPlans');
      await exportPlans(parts);
    }),
  };
}
