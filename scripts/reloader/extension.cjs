// Reloads the window when 9plan was built anew. An editor that was typed in keeps its text: VS Code puts it back.

const { watch } = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** Milliseconds without a change after which a build counts as done: it writes several files. */
const SETTLED = 500;

/** @param {{ subscriptions: { dispose(): void }[] }} context */
exports.activate = (context) => {
  /** @type {NodeJS.Timeout | undefined} */
  let waiting;
  const watcher = watch(path.resolve(__dirname, '../../dist'), { recursive: true }, () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => vscode.commands.executeCommand('workbench.action.reloadWindow'), SETTLED);
  });
  context.subscriptions.push({
    dispose: () => {
      clearTimeout(waiting);
      watcher.close();
    },
  });
};
