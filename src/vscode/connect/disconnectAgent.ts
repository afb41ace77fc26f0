import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Agent } from './agents';
import {
  askAbout,
  type ConnectParts,
  knownAgents,
  offerUndo,
  placesOfWindow,
  problemWith,
  readConfigOf,
  write,
} from './configChange';
import { withoutEntry } from './configText';

/** Takes the server out of the configuration of an agent that the person chooses. */
export async function disconnectAgent(parts: ConnectParts): Promise<void> {
  const connected = (await knownAgents(placesOfWindow(parts))).filter(({ isConnected }) => isConnected);
  if (connected.length === 0) {
    void parts.dialogs.tell('info', vscode.l10n.t('No agent is connected from this window.'));
    return;
  }
  const chosen = await parts.dialogs.pick(
    vscode.l10n.t('Disconnect an Agent'),
    connected.map((known) => ({ label: known.agent.name, detail: known.file, value: known })),
  );
  if (chosen) await disconnect(parts, chosen.agent, chosen.file);
}

/** If the file is as connecting has left it, it becomes what it was before, else only the entry goes. */
export async function disconnect(parts: ConnectParts, agent: Agent, file: string): Promise<void> {
  try {
    const before = await readConfigOf(parts, agent, file);
    const former = await parts.connections.before(file, before);
    const kept = former ? former.text : before;
    // Connecting again has left what it found, which was connected, too.
    const after = kept && withoutEntry(kept, agent);
    const change = {
      title: vscode.l10n.t('{0}: {1} without 9plan', agent.name, basename(file)),
      remark:
        after === undefined
          ? vscode.l10n.t('Choose “Write This” above the preview. There was no file before, so it is removed.')
          : vscode.l10n.t(
              'Choose “Write This” above the preview. The rest stays as it is, and a copy of the file is kept.',
            ),
    };
    const answer = await askAbout(parts, { ...change, file, before, after: after ?? '' }, ['write']);
    if (!answer) return;
    const written = await write(parts, { agent, file, before, after });
    void offerUndo(parts, written, vscode.l10n.t('{0} is not connected any more.', agent.name));
  } catch (error) {
    const problem = problemWith(file, error);
    if (problem === undefined) throw error;
    void parts.dialogs.tell('warning', problem);
  }
}
