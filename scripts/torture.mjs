// Tries everything that can go wrong, in the long form, and writes what it cost into docs/faults.md.
//   npm run torture                     everything, the long run last; takes about an hour and a half
//   npm run torture -- long 30          the long run alone: a server and VS Code for so many minutes
//   npm run torture -- --fgrep Damage   one part; the page stays as it is
//   TORTURE_SEED=7 npm run torture      the same chances again

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, ensureInstalled, root, status } from './lib/run.mjs';

const PAGE = path.join(root, 'docs/faults.md');
const MINUTES = 30;

await ensureInstalled();
const args = process.argv.slice(2);
const folder = await mkdtemp(path.join(tmpdir(), '9plan-torture-'));
try {
  process.exitCode = args[0] === 'long' ? await longRun(Number(args[1] ?? MINUTES)) : await suite();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @returns {Promise<number>} the exit code */
async function suite() {
  const file = path.join(folder, 'table.json');
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  const config = path.join(root, 'test/torture/.mocharc.json');
  const began = Date.now();
  const code = await status(process.execPath, [mocha, '--config', config, ...args], {
    env: { TORTURE: 'long', TORTURE_TABLE: file },
  });
  if (code !== 0 || args.length > 0) return code;
  const { seed, table } = JSON.parse(await readFile(file, 'utf8'));
  const seconds = Math.round((Date.now() - began) / 1000);
  const facts = `Node ${process.version}, ${process.platform}, seed ${seed}; it took ${seconds} seconds.`;
  await writePart('table', `${facts}\n\n${table}`);
  return longRun(MINUTES);
}

/** In the real editor, once, of the newest supported version. @param {number} minutes @returns {Promise<number>} */
async function longRun(minutes) {
  await build();
  const file = path.join(folder, 'long.json');
  const host = [path.join(root, 'scripts/test-host.mjs'), '--tests', 'test/torture/host'];
  const env = { LONG_RUN_SECONDS: String(minutes * 60), LONG_RUN_ENTRY: file, TEST_MINUTES: String(minutes + 10) };
  const code = await status(process.execPath, host, { env });
  if (!existsSync(file)) return code;
  const { what, calls, figures } = JSON.parse(await readFile(file, 'utf8'));
  const sentence = `${what}, ${calls.toLocaleString('en-US')} calls. ${figures}.`;
  console.log(sentence);
  if (code === 0) await writePart('long run', sentence);
  return code;
}

/** Into the page, between its two marks. @param {string} part @param {string} text */
async function writePart(part, text) {
  const page = await readFile(PAGE, 'utf8');
  const [begin, end] = [`<!-- ${part}: npm run torture -->`, `<!-- /${part} -->`];
  const [before, rest = ''] = page.split(begin);
  const after = rest.split(end)[1] ?? '';
  await writeFile(PAGE, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
