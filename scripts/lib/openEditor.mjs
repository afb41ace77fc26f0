// A VS Code with the extension on a folder, for a person to work in.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { installExtension } from './installExtension.mjs';
import { root, say } from './run.mjs';
import { newest } from './tools.mjs';
import { startServer, windowUrl } from './vscodeServer.mjs';

const windows = process.platform === 'win32';

/**
 * Opens a desktop VS Code if `code` is on the PATH, else serves one to the browser until this process is stopped.
 *
 * @param {string} folder absolute
 * @param {{ served?: boolean, extensions?: string[] }} [options] `served`: in any case. `extensions`: folders of
 *   extensions that run from where they are; else what the package would hold.
 */
export async function openEditor(folder, { served = false, extensions } = {}) {
  const code = served ? undefined : onPath('code');
  if (code) openDesktop(code, folder, extensions ?? [root]);
  else await serve(folder, extensions);
}

/** @param {string} command @param {string} folder @param {string[]} extensions */
function openDesktop(command, folder, extensions) {
  say('opening VS Code');
  const quoted = (/** @type {string} */ arg) => (windows ? `"${arg}"` : arg);
  const developed = extensions.map((extension) => `--extensionDevelopmentPath=${extension}`);
  const args = ['--new-window', ...developed, folder];
  spawn(quoted(command), args.map(quoted), { stdio: 'inherit', shell: windows });
}

/** @param {string} folder @param {string[] | undefined} extensions */
async function serve(folder, extensions) {
  const extensionsDir = path.join(root, '.vscode-test/extensions');
  await rm(extensionsDir, { recursive: true, force: true });
  await mkdir(extensionsDir, { recursive: true });
  if (!extensions) await installExtension(extensionsDir);
  for (const extension of extensions ?? []) {
    await symlink(extension, path.join(extensionsDir, path.basename(extension)), windows ? 'junction' : 'dir');
  }
  const server = await startServer({
    version: newest,
    userDataDir: path.join(root, '.vscode-test/user'),
    extensionsDir,
    lasting: true,
  });
  say('VS Code with 9plan is at this address. Press Ctrl+C to stop it.');
  console.log(`\n  ${windowUrl(server, { workspace: folder })}\n`);
}

/** @param {string} name */
function onPath(name) {
  const endings = windows ? ['.cmd', '.exe'] : [''];
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find((file) => existsSync(file));
}
