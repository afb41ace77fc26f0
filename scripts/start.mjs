// Opens VS Code with the extension, on a folder with a queue to look at. Sets up whatever is missing.
//   npm start               a desktop VS Code if `code` is on the PATH, else one served to your browser
//   npm start -- --server   served in any case
//   npm start -- --smoke    headless: works the queue once through the window, and exits

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ensureInstalled, root, say, status } from './lib/run.mjs';
import { newest } from './lib/tools.mjs';

const { values } = parseArgs({ options: { smoke: { type: 'boolean' }, server: { type: 'boolean' } } });

await ensureInstalled();
await build();
if (values.smoke) {
  process.exit(await status(process.execPath, ['--import', 'tsx', 'test/ui/smoke.ts']));
}

const sample = path.join(root, '.vscode-test/sample');
say(`preparing a folder with a queue: ${path.relative(process.cwd(), sample)}`);
await (await import('./lib/sample.mjs')).makeSample(sample);
const code = values.server ? undefined : onPath('code');
if (code) openDesktop(code);
else await serve();

/** @param {string} command */
function openDesktop(command) {
  say('opening VS Code');
  const windows = process.platform === 'win32';
  const quoted = (/** @type {string} */ arg) => (windows ? `"${arg}"` : arg);
  const args = ['--new-window', `--extensionDevelopmentPath=${root}`, sample];
  spawn(quoted(command), args.map(quoted), { stdio: 'inherit', shell: windows });
}

/** Keeps a served VS Code running until this process is stopped. */
async function serve() {
  const { startServer, windowUrl } = await import('./lib/vscodeServer.mjs');
  const { installExtension } = await import('./lib/installExtension.mjs');
  const extensionsDir = path.join(root, '.vscode-test/extensions');
  await rm(extensionsDir, { recursive: true, force: true });
  await installExtension(extensionsDir);
  const server = await startServer({
    version: newest,
    userDataDir: path.join(root, '.vscode-test/user'),
    extensionsDir,
    lasting: true,
  });
  say('VS Code with 9plan is at this address. Press Ctrl+C to stop it.');
  console.log(`\n  ${windowUrl(server, { workspace: sample })}\n`);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, async () => {
      await server.stop();
      process.exit(0);
    });
  }
}

/** @param {string} name */
function onPath(name) {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find((file) => existsSync(file));
}
