// Measures the product beside its references, on the Node that has node:sqlite, and prints one table.
//   npm run bench              five runs, medians
//   npm run bench -- editor    the editor's part, in a real VS Code
//   npm run bench -- --keep    and keeps them as the release's, in test/bench/results
//   npm run bench -- --short   less of it, for CI: only ratios that are far off fail
//   BENCH_RUNS=1 npm run bench a quick look

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build, ensureInstalled, root, status } from './lib/run.mjs';
import { ensureNode } from './lib/tools.mjs';

/** Of the extension, each in a window of its own. */
const STARTS = 5;

await ensureInstalled();
await build();
if (process.argv[2] === 'editor') {
  const testHost = path.join(root, 'scripts/test-host.mjs');
  const start = [testHost, '--tests', 'test/bench/activation'];
  const inside = [testHost, '--tests', 'test/bench/host'];
  const window = ['--import', 'tsx', path.join(root, 'test/bench/window.ts')];
  await rm(path.join(root, 'test-results/activations.ndjson'), { force: true });
  const codes = [];
  for (const args of [...Array(STARTS).fill(start), inside, window]) codes.push(await status(process.execPath, args));
  process.exit(Math.max(...codes));
}
const node = await ensureNode();
const tsx = path.join(root, 'node_modules/tsx/dist/loader.mjs');
const bench = path.join(root, 'test/bench/bench.ts');
const args = ['--no-warnings', '--import', `file://${tsx}`, bench, ...process.argv.slice(2)];
process.exitCode = await status(node, args, { env: { BENCH_NODE: node } });
