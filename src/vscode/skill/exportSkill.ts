import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { CommandParts } from '../commands/command';
import { SKILL_FILE, SKILL_FOLDER, type SkillPlace, skillPlaces, skillZip, withoutLeadingDigits } from './skillFiles';

type Parts = Pick<CommandParts, 'connection' | 'dialogs'>;

/** Gives the skill of the extension, `source`, to other agents: as a folder where they look for it, or as a zip. */
export async function exportSkill(parts: Parts, source: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t('Export the Skill');
  const places = skillPlaces(homedir(), parts.connection.folder?.uri.fsPath);
  const where = await parts.dialogs.pick<SkillPlace | 'folder' | 'zip'>(title, [
    ...places.map((place) => ({
      label: place.agents,
      description: place.scope === 'person' ? vscode.l10n.t('all projects') : vscode.l10n.t('this project'),
      detail: place.folder,
      value: place,
    })),
    { label: vscode.l10n.t('Another folder…'), value: 'folder' },
    {
      label: vscode.l10n.t('A zip file…'),
      detail: vscode.l10n.t('For programs that import one, such as Claude Desktop and WorkBuddy'),
      value: 'zip',
    },
  ]);
  if (!where) return;
  const skill = await namedAsListed(parts, title, new TextDecoder().decode(await vscode.workspace.fs.readFile(source)));
  if (skill === undefined) return;
  if (where === 'zip') return saveZip(parts, title, skill);
  const folder = where === 'folder' ? await parts.dialogs.folder(title) : vscode.Uri.file(where.folder);
  if (folder) await saveFolder(parts, folder, skill);
}

async function namedAsListed({ dialogs }: Parts, title: string, skill: string): Promise<string | undefined> {
  return dialogs.pick(
    title,
    [
      { label: '9plan_queue_pull', description: vscode.l10n.t('as usual'), value: skill },
      {
        label: 'nineplan_queue_pull',
        description: vscode.l10n.t('if the server runs with NINEPLAN_TOOL_PREFIX=nineplan_'),
        value: withoutLeadingDigits(skill),
      },
    ],
    vscode.l10n.t('How does the agent list the tools?'),
  );
}

async function saveZip({ dialogs }: Parts, title: string, skill: string): Promise<void> {
  const file = await dialogs.newFile(title, vscode.Uri.joinPath(vscode.Uri.file(homedir()), '9plan-skill.zip'));
  if (!file) return;
  await vscode.workspace.fs.writeFile(file, skillZip(skill));
  void dialogs.tell('info', vscode.l10n.t('Written: {0}', file.fsPath));
}

async function saveFolder({ dialogs }: Parts, folder: vscode.Uri, skill: string): Promise<void> {
  const file = vscode.Uri.joinPath(folder, SKILL_FOLDER, SKILL_FILE);
  const present = await textOf(file);
  if (present !== undefined && present !== skill) {
    const message = vscode.l10n.t('There is a skill already, and it differs from this one.');
    if (!(await dialogs.confirm(message, file.fsPath, vscode.l10n.t('Replace It')))) return;
  }
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(skill));
  const open = vscode.l10n.t('Open File');
  void dialogs.tell('info', vscode.l10n.t('Written: {0}', file.fsPath), open).then((answer) => {
    if (answer === open) void vscode.window.showTextDocument(file);
  });
}

/** Undefined if there is no such file. */
async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
