import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { PlannerConnection } from '../connection';
import type { Dialogs } from '../dialogs';
import { withDiff } from '../preview';
import { Settings } from '../settings';
import { AGENTS, type Agent, type Places, type ServerLaunch } from './agents';
import { ConfigChanged, checkWithin, readConfig, undoWrite, type WrittenConfig, writeConfig } from './configFile';
import { entryText, hasEntry, withEntry, withoutEntry } from './configText';
import { UnreadableConfig } from './configValue';
import type { Launcher } from './launcher';

export interface ConnectParts {
  connection: PlannerConnection;
  dialogs: Dialogs;
  launcher: Launcher;
  /** Absolute path of a folder for copies of what was replaced. */
  backups: string;
}

/** Any agent that takes the form that most have in common. */
const OTHER = AGENTS[0] as Agent;

/** Lets another agent know of the server: shows what that changes, keeps all else, and can take it back. */
export async function connectAgent(parts: ConnectParts): Promise<void> {
  const { dialogs } = parts;
  const title = vscode.l10n.t('Connect Another Agent');
  const places = placesOfWindow(parts);
  const choices = await Promise.all(AGENTS.map((agent) => choiceOf(agent, places)));
  const chosen = await dialogs.pick<Agent | 'other'>(
    title,
    [
      ...choices.filter((choice) => choice !== undefined),
      {
        label: vscode.l10n.t('Another agent'),
        detail: vscode.l10n.t('Copies the configuration that most of them take, to be put in by hand'),
        value: 'other',
      },
    ],
    undefined,
    // The walkthrough takes the focus back when it ticks off its step.
    { stays: true },
  );
  if (chosen === undefined) return;
  if (chosen === 'other') return copy(parts, OTHER, await launchFor(parts, false));
  const file = chosen.file(places) as string;
  const launch = await launchFor(parts, chosen.startsInProject);
  try {
    if (chosen.scope === 'project' && places.project) await checkWithin(places.project, file);
    await offer(parts, chosen, file, launch);
  } catch (error) {
    if (!(error instanceof UnreadableConfig || error instanceof ConfigChanged)) throw error;
    await byHand(parts, chosen, file, launch, error);
  }
}

async function choiceOf(agent: Agent, places: Places) {
  const file = agent.file(places);
  if (file === undefined) return undefined;
  const connected = await readConfig(file)
    .then((text) => hasEntry(text, agent))
    .catch(() => false);
  const description = connected ? vscode.l10n.t('connected') : undefined;
  return { label: agent.name, description, detail: file, value: agent };
}

async function offer(parts: ConnectParts, agent: Agent, file: string, launch: ServerLaunch): Promise<void> {
  const before = await readConfig(file);
  const after = withEntry(before, agent, agent.entry(launch));
  if (after === before) return alreadyConnected(parts, agent, file, before, launch);
  const title = vscode.l10n.t('{0}: {1} with 9plan', agent.name, basename(file));
  const decision = await withDiff({ title, name: basename(file), before, after }, () =>
    parts.dialogs.pick(
      vscode.l10n.t('Connect {0}', agent.name),
      [
        { label: vscode.l10n.t('Write this'), detail: file, value: 'write' },
        { label: vscode.l10n.t('Copy it instead'), value: 'copy' },
      ],
      before === ''
        ? vscode.l10n.t('The file is made by this. Paths are those of this machine.')
        : vscode.l10n.t('The rest stays as it is, and a copy of the file is kept. Paths are those of this machine.'),
      { stays: true },
    ),
  );
  if (decision === 'copy') return copy(parts, agent, launch);
  if (decision !== 'write') return;
  await parts.launcher.write();
  const written = await write(parts, file, before, after);
  void afterwards(parts, written, vscode.l10n.t('{0} finds 9plan in its next conversation.', agent.name));
}

async function alreadyConnected(
  parts: ConnectParts,
  agent: Agent,
  file: string,
  before: string,
  launch: ServerLaunch,
): Promise<void> {
  await parts.launcher.write();
  const choice = await parts.dialogs.pick(vscode.l10n.t('{0} is connected already', agent.name), [
    { label: vscode.l10n.t('Leave it so'), value: 'leave' },
    { label: vscode.l10n.t('Disconnect it'), detail: file, value: 'disconnect' },
    { label: vscode.l10n.t('Copy the configuration'), value: 'copy' },
  ]);
  if (choice === 'copy') return copy(parts, agent, launch);
  if (choice !== 'disconnect') return;
  const written = await write(parts, file, before, withoutEntry(before, agent));
  void afterwards(parts, written, vscode.l10n.t('{0} is not connected any more.', agent.name));
}

async function write(parts: ConnectParts, file: string, before: string, after: string): Promise<WrittenConfig> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === file);
  // What is typed there would overwrite what is written here, or the other way round.
  if (open?.isDirty) throw new ConfigChanged(file);
  return writeConfig(file, { before, after }, parts.backups);
}

async function afterwards(parts: ConnectParts, written: WrittenConfig, message: string): Promise<void> {
  const [undo, open] = [vscode.l10n.t('Undo'), vscode.l10n.t('Open File')];
  const answer = await parts.dialogs.tell('info', message, undo, open);
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

async function byHand(
  parts: ConnectParts,
  agent: Agent,
  file: string,
  launch: ServerLaunch,
  error: Error,
): Promise<void> {
  const message =
    error instanceof ConfigChanged
      ? vscode.l10n.t('{0} is being changed elsewhere, so nothing was written. Save it and try again.', file)
      : vscode.l10n.t('{0} was left as it is: {1}.', file, error.message);
  const [instead, open] = [vscode.l10n.t('Copy the configuration'), vscode.l10n.t('Open File')];
  const answer = await parts.dialogs.tell('warning', message, instead, open);
  if (answer === instead) await copy(parts, agent, launch);
  if (answer === open) await vscode.window.showTextDocument(vscode.Uri.file(file));
}

async function copy(parts: ConnectParts, agent: Agent, launch: ServerLaunch): Promise<void> {
  await parts.launcher.write();
  await vscode.env.clipboard.writeText(entryText(agent, agent.entry(launch)));
  void parts.dialogs.tell('info', vscode.l10n.t('The configuration is in the clipboard.'));
}

/** Names the store, unless the agent will find it where it is started: then one entry serves all projects. */
async function launchFor({ connection, launcher }: ConnectParts, startsInProject: boolean): Promise<ServerLaunch> {
  const store = await connection.storeFolder();
  const isFound = startsInProject && new Settings().storePath(connection.folder?.uri) === undefined;
  return launcher.launch(store === undefined || isFound ? {} : { NINEPLAN_SESSIONS_PATH: store });
}

function placesOfWindow({ connection }: ConnectParts): Places {
  const { platform, env: environment } = process;
  return { home: homedir(), project: connection.folder?.uri.fsPath, platform, environment };
}

/** Copies of what was replaced. */
export function backupFolder(globalStorage: vscode.Uri): string {
  return join(globalStorage.fsPath, 'backups');
}
