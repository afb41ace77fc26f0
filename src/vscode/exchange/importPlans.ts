import * as vscode from 'vscode';
import { isBacklogTask, readBacklog } from '../../planner/exchange/backlog';
import { Exchange } from '../../planner/exchange/exchange';
import type { Exported } from '../../planner/exchange/exported';
import { type Outline, UnreadableImport } from '../../planner/exchange/outline';
import { type Found, recognize } from '../../planner/exchange/recognition';
import { type CommandParts, editor, planningOf } from '../commands/command';
import { withText } from '../preview';
import type { PreviewAnswer } from '../previewQuestion';
import { sessionLabel } from '../views/sessionsView';
import { exportedPreview, outlinePreview } from './importPreview';
import { faultText } from './importTexts';
import { whileWorking } from './progress';

/** Reads a file that another tool or an export made, shows what would come of it, and does it if the person wants. */
export async function importPlans(parts: CommandParts, given: vscode.Uri | undefined): Promise<void> {
  const file = given ?? (await parts.dialogs.file(vscode.l10n.t('Import Plans'), parts.connection.folder?.uri));
  if (!file) return;
  const name = file.path.split('/').at(-1) ?? '';
  let found: Found;
  try {
    const text = await textOf(file);
    found = isBacklogTask(text) ? { kind: 'outline', outline: await backlogOf(file) } : recognize(text, name);
  } catch (error) {
    if (!(error instanceof UnreadableImport)) throw error;
    void parts.dialogs.tell('warning', vscode.l10n.t('{0} can’t be imported. {1}', name, faultText(error.fault)));
    return;
  }
  if (found.kind === 'export') await restoreExport(parts, found.exported, name);
  else await importOutline(parts, found.outline, name);
}

async function importOutline(parts: CommandParts, outline: Outline, file: string): Promise<void> {
  const { session } = await planningOf(parts);
  const lists = outline.sessions.filter(({ plans }) => plans.length > 0).length;
  const answer = await askAbout(
    parts,
    outlinePreview(outline),
    vscode.l10n.t('Say above the preview where to import this. Nothing is imported yet.'),
    [lists > 1 ? 'importLists' : 'importAnew', ...(session ? (['importHere'] as const) : [])],
  );
  if (!answer) return;
  const { store, sessions } = await parts.connection.planner();
  // Another session may have become the current one while the preview was read.
  const sessionName = answer === 'importHere' ? (await planningOf(parts)).session?.name : undefined;
  const count = outline.sessions.reduce((sum, { plans }) => sum + plans.length, 0);
  const imported = await whileWorking(vscode.l10n.t('Importing plans…'), count, () =>
    new Exchange(store).import(editor(), { outline, sessionName }),
  );
  await sessions.select(editor(), { sessionName: imported.sessions[0] ?? null });
  await done(parts, imported, file);
}

async function restoreExport(parts: CommandParts, exported: Exported, file: string): Promise<void> {
  const sure = await askAbout(
    parts,
    exportedPreview(exported),
    vscode.l10n.t(
      'Choose “Import” above the preview. The sessions are added to what is there, under other names where theirs are taken.',
    ),
    ['restore'],
  );
  if (!sure) return;
  const { store } = await parts.connection.planner();
  const count = exported.sessions.reduce((sum, { plans }) => sum + plans.length, 0);
  const restored = await whileWorking(vscode.l10n.t('Importing plans…'), count, () =>
    new Exchange(store).restore(editor(), { exported }),
  );
  await done(parts, restored, file);
}

async function done(parts: CommandParts, imported: { sessions: string[]; plans: number }, file: string): Promise<void> {
  const { sessions, plans } = imported;
  parts.lastChange.forget();
  await parts.state.refresh();
  const known = parts.state.planning?.sessions ?? [];
  const tasks = known.filter(({ name }) => sessions.includes(name)).map((session) => `“${sessionLabel(session)}”`);
  const into = tasks.join(', ');
  const message =
    plans === 1
      ? vscode.l10n.t('1 plan was imported from {0} into {1}.', file, into)
      : vscode.l10n.t('{0} plans were imported from {1} into {2}.', plans, file, into);
  void parts.dialogs.tell('info', message);
}

/** Shows what would come of a file until the person has said what to do. */
function askAbout<A extends PreviewAnswer>(
  { dialogs }: CommandParts,
  text: string,
  remark: string,
  answers: readonly A[],
): Promise<A | undefined> {
  return withText({ name: vscode.l10n.t('Plans to import.md'), text }, (preview) => {
    void dialogs.tell('info', remark);
    return dialogs.answerTo(preview, answers);
  });
}

/** A task of Backlog.md stands for the folder that it lies in: there is a file for each. */
async function backlogOf(file: vscode.Uri): Promise<Outline> {
  const folder = vscode.Uri.joinPath(file, '..');
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const names = entries.flatMap(([name, type]) => (type === vscode.FileType.File && /\.md$/i.test(name) ? [name] : []));
  const texts = await Promise.all(names.map((name) => textOf(vscode.Uri.joinPath(folder, name))));
  const project = vscode.Uri.joinPath(folder, '../..').path.split('/').at(-1);
  return readBacklog(texts, project || 'Backlog');
}

async function textOf(file: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableImport({ kind: 'encoding' });
  }
}
