// The licences of what is bundled: each asks to be passed on with the code.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * @param {Iterable<string>} inputs paths of bundled files
 * @returns {Promise<string>} one section a package, by name
 */
export async function notices(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll('\\', '/'));
    if (found) folders.add(found[0]);
  }
  const sections = await Promise.all([...folders].sort().map(section));
  return `9plan contains the following packages.\n\n${sections.join('\n')}`;
}

/** @param {string} folder of a package */
async function section(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? await readFile(path.join(folder, file), 'utf8') : `${license}\n`;
  return `--- ${name} ${version} (${license})\n\n${text.trim()}\n`;
}
