// Running programs and keeping the project's own set-up fresh. Needs nothing but Node, so that a fresh clone can use it.

import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const windows = process.platform === 'win32';

/** @param {string} line */
export function say(line) {
  console.log(`• ${line}`);
}

/**
 * Runs a program with our own output and no input.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, quiet?: boolean }} [options] `quiet` shows the
 *   output only when the program fails.
 * @returns {Promise<number>} the exit code; a signal counts as 1
 */
export function status(command, args, { cwd = root, env = {}, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0 && quiet) process.stderr.write(output);
      resolve(code ?? 1);
    });
  });
}

/**
 * Like {@link status}, but throws when the program fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof status>[2]} [options]
 */
export async function run(command, args, options) {
  const code = await status(command, args, options);
  if (code !== 0) throw new Error(`${path.basename(command)} ${args.slice(0, 4).join(' ')} … ended with code ${code}`);
}

/**
 * The npm that belongs to this Node, as a command line. It is started as a script, because Windows cannot spawn npm.cmd
 * directly.
 *
 * @param {string[]} args
 * @returns {[string, ...string[]]}
 */
export function npmCommand(args) {
  const beside = path.join(path.dirname(process.execPath), windows ? '' : '../lib', 'node_modules/npm/bin/npm-cli.js');
  const cli = [process.env.npm_execpath ?? '', beside].find((file) => /npm-cli\.js$/.test(file) && existsSync(file));
  return cli ? [process.execPath, cli, ...args] : ['npm', ...args];
}

/**
 * @param {string[]} args
 * @param {Parameters<typeof status>[2]} [options]
 */
export function npm(args, options) {
  const [command, ...rest] = npmCommand(args);
  return run(command, rest, options);
}

/** Installs the development dependencies, unless they are there and no older than the lock file. */
export async function ensureInstalled() {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  const lock = path.join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  say('installing dependencies (npm ci)');
  await npm(['ci', '--no-audit', '--no-fund']);
}

export function build() {
  say('building dist/');
  return run(process.execPath, ['esbuild.mjs'], { quiet: true });
}
