import * as path from 'node:path';
import * as vscode from 'vscode';
import { Planner } from './planner/planner';
import type { Log } from './planner/ports';
import { findStoreFolder } from './store/location';
import { WindowPresence } from './store/presence';
import { WorkspaceStore } from './store/workspaceStore';
import type { OpenPlanner } from './vscode/connection';
import type { Settings } from './vscode/settings';

/** Absolute path of the store of a workspace folder; nothing need be there. */
export function locateStore(workspaceFolder: string): string {
  return findStoreFolder({ from: workspaceFolder, outsideProjects: path.join(workspaceFolder, '.9plan') });
}

/** Opens the store in `folder` for this window, and lets agents know of the window while it is open. */
export function openStore(folder: string, settings: Settings, log: Log): OpenPlanner {
  // Snapshots stall an event loop, and this one is everybody's: servers write them.
  const store = new WorkspaceStore({ folder, log, snapshots: false });
  const showsReviews = () => settings.reviewOpening() !== 'nothing';
  const presence = vscode.workspace.isTrusted ? new WindowPresence(folder, showsReviews()) : undefined;
  const following = vscode.workspace.onDidChangeConfiguration(() => presence?.setReviewPanel(showsReviews()));
  return {
    planner: new Planner(store),
    upkeep: store,
    async close() {
      following.dispose();
      presence?.dispose();
      await store.close();
    },
  };
}
