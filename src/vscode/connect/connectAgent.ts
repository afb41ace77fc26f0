import { basename } from 'node:path';
import * as vscode from 'vscode';
import { Settings } from '../settings';
import { AGENTS, type Agent, type ServerLaunch } from './agents';
import {
  askAbout,
  type ConnectParts,
  type KnownAgent,
  knownAgents,
  offerUndo,
  placesOfWindow,
  problemWith,
  readConfigOf,
  write,
} from './configChange';
import { entryText, withEntry } from './configText';
import { disconnect } from './disconnectAgent';

/** Any agent that takes the form that most have in common. */
const OTHER = AGENTS[0] as Agent;

/** Lets another agent know of the server: shows what that changes, keeps all else, and can take it back. */
export async function connectAgent(parts: ConnectParts): Promise<void> {
  const { dialogs } = parts;
  const chosen = await dialogs.pick<KnownAgent | 'other'>(
    vscode.l10n.t('Connect Another Agent'),
    [
      ...(await knownAgents(placesOfWindow(parts))).map((known) => ({
        label: known.agent.name,
        description: known.isConnected ? vscode.l10n.t('connected') : undefined,
        detail: known.file,
        value: known,
      })),
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
  const { agent, file } = chosen;
  const launch = await launchFor(parts, agent.startsInProject);
  try {
    await offer(parts, agent, file, launch);
  } catch (error) {
    const problem = problemWith(file, error);
    if (problem === undefined) throw error;
    await byHand(parts, agent, file, launch, problem);
  }
}

async function offer(parts: ConnectParts, agent: Agent, file: string, launch: ServerLaunch): Promise<void> {
  const before = await readConfigOf(parts, agent, file);
  const after = withEntry(before, agent, agent.entry(launch));
  if (after === before) return alreadyConnected(parts, agent, file, launch);
  const title = vscode.l10n.t('{0}: {1} with 9plan', agent.name, basename(file));
  const how = vscode.l10n.t('Choose “Write This” or “Copy It Instead” above the preview.');
  const what =
    before === ''
      ? vscode.l10n.t('The file is made by this. Paths are those of this machine.')
      : vscode.l10n.t('The rest stays as it is, and a copy of the file is kept. Paths are those of this machine.');
  const change = { title, file, before, after, remark: `${how} ${what}` };
  const decision = await askAbout(parts, change, ['write', 'copy']);
  if (decision === 'copy') return copy(parts, agent, launch);
  if (decision !== 'write') return;
  await parts.launcher.write();
  const written = await write(parts, { agent, file, before, after });
  await parts.connections.remember(written);
  void offerUndo(parts, written, vscode.l10n.t('{0} finds 9plan in its next conversation.', agent.name));
}

async function alreadyConnected(parts: ConnectParts, agent: Agent, file: string, launch: ServerLaunch): Promise<void> {
  await parts.launcher.write();
  const choice = await parts.dialogs.pick(vscode.l10n.t('{0} is connected already', agent.name), [
    { label: vscode.l10n.t('Leave it so'), value: 'leave' },
    { label: vscode.l10n.t('Disconnect it'), detail: file, value: 'disconnect' },
    { label: vscode.l10n.t('Copy the configuration'), value: 'copy' },
  ]);
  if (choice === 'copy') await copy(parts, agent, launch);
  if (choice === 'disconnect') await disconnect(parts, agent, file);
}

async function byHand(
  parts: ConnectParts,
  agent: Agent,
  file: string,
  launch: ServerLaunch,
  problem: string,
): Promise<void> {
  const [instead, open] = [vscode.l10n.t('Copy the configuration'), vscode.l10n.t('Open File')];
  const answer = await parts.dialogs.tell('warning', problem, instead, open);
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
