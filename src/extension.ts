import * as path from 'node:path';
import * as vscode from 'vscode';
import { OutputLog } from './vscode/log';
import { Settings } from './vscode/settings';
import { Workbench } from './vscode/workbench';

/**
 * VS Code's door. Nothing here or below touches the disk until a view is shown, a command is run or an agent asks for
 * the server: the store and everything it needs are loaded only then.
 */
export function activate(context: vscode.ExtensionContext): Workbench | undefined {
  const channel = vscode.window.createOutputChannel('9plan', { log: true });
  context.subscriptions.push(channel);
  try {
    const log = new OutputLog(channel);
    const settings = new Settings();
    const showsReviews = () => settings.reviewOpening() !== 'nothing';
    const workbench = new Workbench({
      door: {
        async locate(workspaceFolder) {
          const { findStoreFolder } = await import('./store/location');
          return findStoreFolder({ from: workspaceFolder, outsideProjects: path.join(workspaceFolder, '.9plan') });
        },
        async open(folder) {
          const [{ WorkspaceStore }, { WindowPresence }, { Planner }] = await Promise.all([
            import('./store/workspaceStore'),
            import('./store/presence'),
            import('./planner/planner'),
          ]);
          // Snapshots stall an event loop, and this one is everybody's: servers write them.
          const store = new WorkspaceStore({ folder, log, snapshots: false });
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
        },
      },
      memory: context.workspaceState,
      globalMemory: context.globalState,
      globalStorage: context.globalStorageUri,
      log,
      showLog: () => channel.show(),
      extension: context.extensionUri,
      serverScript: path.join(context.extensionPath, 'dist', 'mcp-server.js'),
      version: String(context.extension.packageJSON.version),
    });
    context.subscriptions.push(workbench);
    // Tests drive the parts; nobody else gets to see them.
    return context.extensionMode === vscode.ExtensionMode.Test ? workbench : undefined;
  } catch (error) {
    channel.error(error instanceof Error ? error : String(error));
    void vscode.window.showErrorMessage(vscode.l10n.t('9plan could not start. The log of “9plan” says why.'));
    throw error;
  }
}
