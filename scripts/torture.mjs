// Tries everything that can go wrong, in the long form, and writes what it cost into docs/faults.md.
//   npm run torture                     everything; takes about an hour and a half
//   npm run torture -- long 30          the long run alone: a server and VS Code for so many minutes
//   npm run torture -- --fgrep Damage   one part; the page stays as it is
//   TORTURE_SEED=7 npm run torture      the same chances again
//   TORTURE_JOBS=4 npm run torture      four parts at a time, the long run among them

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, ensureInstalled, root, say, status } from './lib/run.mjs';
import { tableOf } from './lib/tortureTable.mjs';

const PAGE = path.join(root, 'docs/faults.md');
const MINUTES = 30;
/** Parts that run at the same time: more are quicker on a machine with more processors. */
const JOBS = Number(process.env.TORTURE_JOBS ?? 1);

await ensureInstalled();
await build();
const args = process.argv.slice(2);
const folder = await mkdtemp(path.join(tmpdir(), '9plan-torture-'));
try {
  process.exitCode = args[0] === 'long' ? await longRun(Number(args[1] ?? MINUTES)) : await suite();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @typedef {[name: string, run: () => Promise<number>]} Part */

/** @returns {Promise<number>} the exit code */
async function suite() {
  const seed = process.env.TORTURE_SEED ?? String(Math.floor(Date.now() / 1000));
  const env = { TORTURE: 'long', TORTURE_SEED: seed };
  if (args.length > 0) return mocha(args, { env });
  const began = Date.now();
  const tests = path.join(root, 'test/torture');
  const names = (await readdir(tests)).filter((name) => name.endsWith('.test.ts')).sort();
  /** @type {Part[]} */
  const parts = names.map((name) => {
    const own = { ...env, TORTURE_TABLE: path.join(folder, name) };
    return [name, () => mocha(['--spec', path.join(tests, name)], { env: own, quiet: JOBS > 1 })];
  });
  // It takes the longest, and leaves the processors to others for most of the time.
  /** @type {Part[]} */
  const waiting = [['the long run', () => longRun(MINUTES)], ...parts];
  let failed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, run] = next;
      const from = Date.now();
      const code = await run();
      say(`${name}: ${code === 0 ? 'holds' : 'FAILED'} (${Math.round((Date.now() - from) / 1000)} s)`);
      if (code !== 0) failed++;
    }
  };
  await Promise.all(Array.from({ length: JOBS }, work));
  const entries = await Promise.all(names.map((name) => entriesIn(path.join(folder, name))));
  const table = tableOf(entries.flat());
  console.log(`\nseed ${seed}\n\n${table}\n`);
  if (failed > 0) return 1;
  const seconds = Math.round((Date.now() - began) / 1000).toLocaleString('en-US');
  const together = JOBS > 1 ? `, ${JOBS} parts at a time` : '';
  const facts = `Node ${process.version}, ${process.platform}, seed ${seed}; it took ${seconds} seconds${together}.`;
  await writePart('table', `${facts}\n\n${table}`);
  return 0;
}

/** @param {string[]} more @param {Parameters<typeof status>[2]} options */
function mocha(more, options) {
  const program = path.join(root, 'node_modules/mocha/bin/mocha.js');
  // Of the configuration all but the specification: that would add to what is given here.
  const setup = ['tsx/cjs', './test/mcp/support/build.ts', './test/torture/support/ledger.ts'];
  const common = ['--no-config', '--timeout', '120000', ...setup.flatMap((module) => ['--require', module])];
  const all = more.includes('--spec') ? more : ['--spec', 'test/torture/*.test.ts', ...more];
  return status(process.execPath, [program, ...common, ...all], options);
}

/** @param {string} file @returns {Promise<import('./lib/tortureTable.mjs').Entry[]>} */
async function entriesIn(file) {
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : [];
}

/** In the real editor, once, of the newest supported version. @param {number} minutes @returns {Promise<number>} */
async function longRun(minutes) {
  const file = path.join(folder, 'long.json');
  const host = [path.join(root, 'scripts/test-host.mjs'), '--tests', 'test/torture/host', '--grep', 'A long run'];
  const env = {
    LONG_RUN_SECONDS: String(minutes * 60),
    LONG_RUN_ENTRY: file,
    TEST_MINUTES: String(minutes + 10),
    // VS Code's module that writes logs has to be compiled. Without it VS Code keeps every line in memory, for ever.
    TEST_LOG_LEVEL: 'error',
  };
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
