// What `vscode-launcher` does: VS Code's flags in, a served VS Code in a headless browser, the tests' exit code out.

import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newest } from './tools.mjs';
import { launchBrowser, startServer, windowUrl } from './vscodeServer.mjs';

/**
 * Understands VS Code's flags, as `--name=value` or `--name value`; those of a desktop alone are accepted and ignored.
 *
 * @param {string[]} args
 */
export function parseFlags(args) {
  const valued = ['extensionDevelopmentPath', 'extensionTestsPath', 'user-data-dir', 'extensions-dir'];
  /** @type {Map<string, string[]>} */
  const flags = new Map();
  /** @type {string[]} */
  const folders = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === undefined) folders.push(path.resolve(arg));
    else flags.set(name, [...(flags.get(name) ?? []), value ?? (valued.includes(name) ? (args[++at] ?? '') : '')]);
  }
  const one = (/** @type {string} */ name) => {
    const value = flags.get(name)?.at(-1);
    return value ? path.resolve(value) : undefined;
  };
  return {
    developed: (flags.get('extensionDevelopmentPath') ?? []).map((folder) => path.resolve(folder)),
    tests: one('extensionTestsPath'),
    userDataDir: one('user-data-dir'),
    extensionsDir: one('extensions-dir'),
    trusted: flags.has('disable-workspace-trust'),
    workspace: folders.at(-1),
  };
}

/**
 * Opens a window and ends this process with the tests' exit code; without tests it stays open until it is stopped.
 *
 * What the window logs is relayed. VSCODE_WINDOW_LOG names a file that gets it instead, with the server's log; then only
 * the lines that begin with TEST_LINE_MARK are shown, without it.
 *
 * @param {string[]} args
 */
export async function launch(args) {
  const flags = parseFlags(args);
  const version = process.env.VSCODE_VERSION ?? newest;
  const server = await startServer({ ...flags, version, testMode: flags.tests !== undefined });
  const browser = await launchBrowser();
  const relay = relayTo(process.env.VSCODE_WINDOW_LOG, process.env.TEST_LINE_MARK ?? '');
  const parent = process.ppid;
  let finishing = false;
  /** @param {number} code @param {string} [why] */
  const finish = async (code, why) => {
    if (finishing) return;
    finishing = true;
    if (why) console.error(why);
    await browser.close().catch(() => undefined);
    await server.stop();
    if (process.env.VSCODE_WINDOW_LOG) appendFileSync(process.env.VSCODE_WINDOW_LOG, server.log());
    process.stdout.write('', () => process.exit(code));
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => finish(130));
  // Whoever started this may have been killed before it could stop us.
  setInterval(() => process.ppid !== parent && finish(1), 1000).unref();

  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.on('crash', () => finish(1, 'the window crashed'));
  const minutes = Number(process.env.TEST_MINUTES ?? 10);
  const tooLong = () => finish(1, `the tests have not ended after ${minutes} minutes`);
  if (flags.tests) setTimeout(tooLong, minutes * 60_000).unref();
  await page.exposeFunction('codeAutomationLog', relay);
  await page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => finish(code));
  await page.goto(windowUrl(server, flags));
}

/**
 * @param {string | undefined} file
 * @param {string} mark
 * @returns {(type: string, parts: unknown[]) => void}
 */
function relayTo(file, mark) {
  if (file) writeFileSync(file, '');
  return (type, parts) => {
    const line = `${parts.map(String).join(' ')}\n`;
    if (!file) (type === 'error' || type === 'warn' ? process.stderr : process.stdout).write(line);
    else if (mark && line.startsWith(mark)) process.stdout.write(line.slice(mark.length));
    else appendFileSync(file, line);
  };
}
