// A real VS Code without a desktop: its server, and a headless Chromium that shows its workbench.

import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { linkedCopy } from './linkedCopy.mjs';
import { scratchFolder } from './scratch.mjs';
import { ensureChromium, ensureVSCodeServer } from './tools.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {string} version one of the pinned versions
 * @property {string} [userDataDir] made in a temporary folder when left out
 * @property {string} [extensionsDir] likewise
 * @property {Record<string, string | undefined>} [env] reaches the extension host
 * @property {boolean} [trusted] false asks the person whether a folder is trusted, as a desktop does
 * @property {boolean} [testMode] run what `extensionTestsPath` names
 * @property {boolean} [ownCopy] run a copy of VS Code, for what writes into the folder that it is installed in
 * @property {boolean} [lasting] stay also when no window is open; else the server ends by itself after a few minutes, so
 *   that one whose owner was killed doesn't stay for ever
 *
 * @typedef {object} Server
 * @property {string} authority host:port
 * @property {string} userDataDir holds `data/User/settings.json`
 * @property {() => string} log what the server has printed so far
 * @property {() => Promise<void>} stop ends the server with all of its processes and removes what it made
 */

/**
 * Starts VS Code's server on a free port.
 *
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer(options) {
  const { version, userDataDir, extensionsDir, env = {}, trusted = true, testMode = false } = options;
  const { ownCopy = false, lasting = false } = options;
  const { node, server: installed } = await ensureVSCodeServer(version);
  const scratch = await scratchFolder('vscode');
  const server = ownCopy ? await copyOf(installed, scratch.path) : installed;
  const userData = userDataDir ?? path.join(scratch.path, 'user');
  const extensions = extensionsDir ?? path.join(scratch.path, 'extensions');
  await Promise.all([mkdir(userData, { recursive: true }), mkdir(extensions, { recursive: true })]);

  const child = spawn(
    node,
    [
      server,
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
      ...['--telemetry-level', 'off', '--disable-telemetry', '--disable-getting-started-override'],
      ...['--server-data-dir', userData, '--extensions-dir', extensions],
      ...(trusted ? ['--disable-workspace-trust'] : []),
      ...(testMode ? ['--enable-smoke-test-driver'] : []),
      ...(lasting ? [] : ['--enable-remote-auto-shutdown', '--reconnection-grace-time', '30']),
    ],
    // A group of its own, so that the extension host and its children end with it.
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { ...serverEnv(scratch.path, lasting), ...env } },
  );
  let log = '';
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const port = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        log += chunk;
        const found = /Extension host agent listening on (\d+)/.exec(log);
        if (found) resolve(found[1]);
      });
    }
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`VS Code's server ended with code ${code}\n${log}`)));
  });

  const kill = () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended just now.
    }
  };
  // Before the scratch folder goes.
  process.prependOnceListener('exit', kill);
  return {
    authority: `127.0.0.1:${port}`,
    userDataDir: userData,
    log: () => log,
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
      await scratch.remove();
    },
  };
}

/**
 * @param {string} server path of server-main.js
 * @param {string} folder
 */
async function copyOf(server, folder) {
  const copy = path.join(folder, 'vscode');
  await linkedCopy(path.resolve(server, '../..'), copy, [path.join('extensions', 'copilot')]);
  return path.join(copy, 'out', path.basename(server));
}

/**
 * What the server gets of our own surroundings: not what a VS Code around us has put there, and for tests no home
 * folder, since VS Code and what runs in it leave things behind.
 *
 * @param {string} scratch
 * @param {boolean} personal
 */
function serverEnv(scratch, personal) {
  const foreign = personal ? /^(VSCODE|ELECTRON)_/ : /^(VSCODE|ELECTRON|XDG)_/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return { ...env, TMPDIR: scratch, ...(personal ? {} : { HOME: scratch }) };
}

/**
 * The address of a window on a folder or a `.code-workspace` file. TEST_LOG_LEVEL is how much it logs.
 *
 * @param {Server} server
 * @param {{ workspace?: string, developed?: string[], tests?: string }} window absolute paths; `developed` are folders
 *   of extensions under development, `tests` a module whose `run()` is called in the extension host
 */
export function windowUrl({ authority }, { workspace, developed = [], tests }) {
  const remote = (/** @type {string} */ file) => `vscode-remote://${authority}${file}`;
  const payload = developed.map((folder) => ['extensionDevelopmentPath', remote(folder)]);
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  const level = process.env.TEST_LOG_LEVEL;
  if (level) payload.push(['logLevel', level]);
  const url = new URL(`http://${authority}/`);
  if (!workspace) url.searchParams.set('ew', 'true');
  else url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', workspace);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** @returns {Promise<import('playwright-core').Browser>} */
export async function launchBrowser() {
  const { executable, env } = await ensureChromium();
  return chromium.launch({
    executablePath: executable,
    env: { ...process.env, ...env },
    handleSIGINT: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
