import * as vscode from 'vscode';
import { type CommandParts, type CommandTable, changes } from './command';

/** What teaches agents to work with the tools; `extension` is the folder of this one. */
export function skillCommands(parts: CommandParts, extension: vscode.Uri): CommandTable {
  return {
    'nineplan.skill.export': changes(async () => {
      const { exportSkill } = await import('../skill/exportSkill');
      await exportSkill(parts, vscode.Uri.joinPath(extension, 'skill/9plan/SKILL.md'));
    }),
  };
}
