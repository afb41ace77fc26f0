// The built extension as an installed one: a served window takes extensions under development in test mode only, which
// hides notifications.

import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './run.mjs';

/**
 * Copies what the package holds into an extensions folder that no VS Code has seen yet.
 *
 * @param {string} extensionsDir absolute
 */
export async function installExtension(extensionsDir) {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const target = path.join(extensionsDir, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await mkdir(target, { recursive: true });
  const packaged = /^package(\.nls.*)?\.json$/;
  const listed = new Set(manifest.files.map((/** @type {string} */ pattern) => pattern.split('/')[0]));
  for (const name of await readdir(root)) {
    if (packaged.test(name) || listed.has(name)) {
      await cp(path.join(root, name), path.join(target, name), { recursive: true });
    }
  }
}
