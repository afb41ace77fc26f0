import * as path from 'node:path';
import { Planner } from './planner/planner';
import type { Disposable, Log } from './planner/ports';
import { findStoreFolder } from './store/location';
import { WindowPresence } from './store/presence';
import { WorkspaceStore } from './store/workspaceStore';
import type { OpenPlanner } from './vscode/connection';

/** What agents are told of this window. */
export interface WindowFacts {
  isTrusted(): boolean;
  showsReviews(): boolean;
  /** Called when what it shows may have changed. */
  onDidChange(listener: () => void): Disposable;
}

/** Absolute path of the store of a workspace folder; nothing need be there. */
export function locateStore(workspaceFolder: string): string {
  return findStoreFolder({ from: workspaceFolder, outsideProjects: path.join(workspaceFolder, '.9plan') });
}

/** Opens the store in `folder` for this window, and lets agents know of the window while it is open. */
export function openStore(folder: string, window: WindowFacts, log: Log): OpenPlanner {
  // Snapshots stall an event loop, and this one is everybody's: servers write them.
  const store = new WorkspaceStore({ folder, log, snapshots: false });
  const presence = window.isTrusted() ? new WindowPresence(folder, window.showsReviews()) : undefined;
  const following = window.onDidChange(() => presence?.setReviewPanel(window.showsReviews()));
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
