import * as path from 'node:path';
import * as vscode from 'vscode';
import type { WindowFacts } from './extensionStore';
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
    const window: WindowFacts = {
      isTrusted: () => vscode.workspace.isTrusted,
      showsReviews: () => settings.reviewOpening() !== 'nothing',
      onDidChange: (listener) => vscode.workspace.onDidChangeConfiguration(listener),
    };
    const workbench = new Workbench({
      door: {
        locate: async (workspaceFolder) => (await import('./extensionStore')).locateStore(workspaceFolder),
        open: async (folder) => (await import('./extensionStore')).openStore(folder, window, log),
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
