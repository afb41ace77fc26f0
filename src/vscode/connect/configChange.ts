import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { PlannerConnection } from '../connection';
import type { Dialogs } from '../dialogs';
import { withDiff } from '../preview';
import type { PreviewAnswer } from '../previewQuestion';
import { AGENTS, type Agent, type Places } from './agents';
import { ConfigChanged, checkWithin, readConfig, undoWrite, type WrittenConfig, writeConfig } from './configFile';
import { hasEntry } from './configText';
import { UnreadableConfig } from './configValue';
import type { Connections } from './connections';
import type { Launcher } from './launcher';

export interface ConnectParts {
  connection: PlannerConnection;
  dialogs: Dialogs;
  launcher: Launcher;
  connections: Connections;
  /** Absolute path of a folder for copies of what was replaced. */
  backups: string;
}

/** Copies of what was replaced. */
export function backupFolder(globalStorage: vscode.Uri): string {
  return join(globalStorage.fsPath, 'backups');
}

export interface KnownAgent {
  agent: Agent;
  /** Absolute path of the configuration. */
  file: string;
  isConnected: boolean;
}

/** The agents that have a configuration for this window. */
export async function knownAgents(places: Places): Promise<KnownAgent[]> {
  const found = AGENTS.map(async (agent): Promise<KnownAgent[]> => {
    const file = agent.file(places);
    if (file === undefined) return [];
    const isConnected = await readConfig(file)
      .then((text) => hasEntry(text, agent))
      .catch(() => false);
    return [{ agent, file, isConnected }];
  });
  return (await Promise.all(found)).flat();
}

export function placesOfWindow({ connection }: ConnectParts): Places {
  const { platform, env: environment } = process;
  return { home: homedir(), project: connection.folder?.uri.fsPath, platform, environment };
}

/** Throws UnreadableConfig, also for a project's file that lies elsewhere. */
export async function readConfigOf(parts: ConnectParts, agent: Agent, file: string): Promise<string> {
  await checkPlace(parts, agent, file);
  return readConfig(file);
}

async function checkPlace(parts: ConnectParts, agent: Agent, file: string): Promise<void> {
  const { project } = placesOfWindow(parts);
  if (agent.scope === 'project' && project) await checkWithin(project, file);
}

/** Shows what becomes of the file until the person has said what to do; `remark` is what the texts don't show. */
export function askAbout<A extends PreviewAnswer>(
  { dialogs }: ConnectParts,
  change: { title: string; file: string; before: string; after: string; remark: string },
  answers: readonly A[],
): Promise<A | undefined> {
  return withDiff({ ...change, name: basename(change.file) }, (preview) => {
    void dialogs.tell('info', change.remark);
    return dialogs.answerTo(preview, answers);
  });
}

/** `after`: undefined removes the file. */
export async function write(
  parts: ConnectParts,
  { agent, file, before, after }: { agent: Agent; file: string; before: string; after: string | undefined },
): Promise<WrittenConfig> {
  // Folders may have become links while the preview was open.
  await checkPlace(parts, agent, file);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === file);
  // What is typed there would overwrite what is written here, or the other way round.
  if (open?.isDirty) throw new ConfigChanged(file);
  return writeConfig(file, { before, after }, parts.backups);
}

export async function offerUndo(parts: ConnectParts, written: WrittenConfig, message: string): Promise<void> {
  const [undo, open] = [vscode.l10n.t('Undo'), vscode.l10n.t('Open File')];
  const actions = written.text === undefined ? [undo] : [undo, open];
  const answer = await parts.dialogs.tell('info', message, ...actions);
  if (answer === open) await vscode.window.showTextDocument(vscode.Uri.file(written.file));
  if (answer !== undo) return;
  try {
    await undoWrite(written);
  } catch (error) {
    if (!(error instanceof ConfigChanged)) throw error;
    const kept = written.backup ?? vscode.l10n.t('there was no file before');
    void parts.dialogs.tell('warning', vscode.l10n.t('The file was changed since. What was there before: {0}', kept));
  }
}

/** Why a configuration was not written; undefined for what else may go wrong. */
export function problemWith(file: string, error: unknown): string | undefined {
  if (error instanceof ConfigChanged)
    return vscode.l10n.t('{0} is being changed elsewhere, so nothing was written. Save it and try again.', file);
  if (error instanceof UnreadableConfig) return vscode.l10n.t('{0} was left as it is: {1}.', file, error.message);
  return undefined;
}
