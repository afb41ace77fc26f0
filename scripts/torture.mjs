// Tries everything that can go wrong, in the long form, and writes what it cost into docs/faults.md.
//   npm run torture                     everything; takes about an hour
//   npm run torture -- --fgrep Damage   one part; the page stays as it is
//   TORTURE_SEED=7 npm run torture      the same chances again

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled, root, status } from './lib/run.mjs';

const BEGIN = '<!-- table: npm run torture -->';
const END = '<!-- /table -->';

await ensureInstalled();
const args = process.argv.slice(2);
const folder = await mkdtemp(path.join(tmpdir(), '9plan-torture-'));
const file = path.join(folder, 'table.json');
const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
const config = path.join(root, 'test/torture/.mocharc.json');
const code = await status(process.execPath, [mocha, '--config', config, ...args], {
  env: { TORTURE: 'long', TORTURE_TABLE: file },
});
if (code === 0 && args.length === 0) await writePage(JSON.parse(await readFile(file, 'utf8')));
await rm(folder, { recursive: true, force: true });
process.exitCode = code;

/** @param {{ seed: number, table: string }} outcome */
async function writePage({ seed, table }) {
  const page = path.join(root, 'docs/faults.md');
  const text = await readFile(page, 'utf8');
  const [before, rest = ''] = text.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const facts = `Node ${process.version}, ${process.platform}, seed ${seed}.`;
  await writeFile(page, `${before}${BEGIN}\n\n${facts}\n\n${table}\n\n${END}${after}`);
}
