import * as path from 'node:path';
import * as vscode from 'vscode';
import { PlannerError } from '../../planner/errors';
import { fileName } from './fileName';

const MOST_NAMES = 1000;

/**
 * Writes an approved plan into a folder of the workspace, under a name made of its title that no file has yet. The file
 * is there whole or not at all. Rejects with PlannerError if the folder lies outside, else with the file system's error.
 */
export async function savePlan(
  title: string,
  plan: string,
  workspace: vscode.Uri,
  folder: string,
): Promise<vscode.Uri> {
  const target = path.resolve(workspace.fsPath, folder);
  const relative = path.relative(workspace.fsPath, target);
  if (relative.split(path.sep)[0] === '..' || path.isAbsolute(relative)) {
    throw new PlannerError(
      'VALIDATION_ERROR',
      vscode.l10n.t('{0} is not in the workspace folder.', target),
      vscode.l10n.t('Set `nineplan.review.saveTo` to a folder of the workspace.'),
    );
  }
  const { fs } = vscode.workspace;
  const uri = vscode.Uri.file(target);
  await fs.createDirectory(uri);
  const written = vscode.Uri.joinPath(uri, `.${Date.now().toString(36)}${Math.random().toString(36).slice(2)}.tmp`);
  await fs.writeFile(written, new TextEncoder().encode(`${plan}\n`));
  try {
    for (let count = 1; count <= MOST_NAMES; count++) {
      const file = vscode.Uri.joinPath(uri, `${fileName(title)}${count > 1 ? `-${count}` : ''}.md`);
      if (await renamed(written, file)) return file;
    }
  } catch (error) {
    await fs.delete(written);
    throw error;
  }
  await fs.delete(written);
  throw new Error(`every name for ${title} is taken`);
}

/** False if there is such a file. */
async function renamed(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.rename(from, to, { overwrite: false });
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileExists') return false;
    throw error;
  }
}
