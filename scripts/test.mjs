// Runs the tests: all suites, or those that are named.
//   npm test                       everything, the fast suites first; a failing suite doesn't stop the run
//   npm test -- unit               one suite; `host` means host-1.139 and host-1.110, `ui` likewise
//   npm test -- ui --grep review   what follows the first flag goes to the suites

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, ensureInstalled, root, say, status } from './lib/run.mjs';
import {
  ensureChromium,
  ensureConformance,
  ensureInspector,
  ensureVSCodeServer,
  ensureVsce,
  vscodeVersions,
} from './lib/tools.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: string[], retried?: string[] }} Counts
 * @typedef {object} Suite
 * @property {string} name
 * @property {boolean} built whether it needs dist/
 * @property {(() => Promise<unknown>)[]} [tools] fetches programs that it drives, before its tests' time counts
 * @property {(flags: string[]) => Promise<Counts>} run
 */

const node = process.execPath;
const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');

/** @type {Suite[]} */
const suites = [
  { name: 'check', built: false, run: check },
  mochaSuite('unit', { built: false }),
  mochaSuite('mcp', { built: true, tools: [ensureInspector, ensureConformance] }),
  mochaSuite('torture', { built: false }),
  mochaSuite('package', { built: true, tools: [ensureVsce] }),
  ...vscodeVersions.map((version) => ({
    name: `host-${version}`,
    built: true,
    tools: vscode(version),
    run: (/** @type {string[]} */ flags) =>
      counted([path.join(root, 'scripts/test-host.mjs'), '--vscode', version, ...flags]),
  })),
  ...vscodeVersions.map((version) => mochaSuite('ui', { built: true, version, tools: vscode(version) })),
];

const args = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
const flags = firstFlag < 0 ? [] : args.slice(firstFlag);
const chosen = names.length === 0 ? suites : suites.filter((suite) => names.some((name) => matches(suite, name)));
for (const name of names) {
  if (suites.some((suite) => matches(suite, name))) continue;
  console.error(`there is no suite "${name}"; there are ${suites.map((suite) => suite.name).join(', ')}`);
  process.exit(2);
}
process.exit(await runAll());

/** @returns {Promise<number>} the exit code */
async function runAll() {
  await ensureInstalled();
  const built = chosen.some((suite) => suite.built) && (await succeeds(build));
  const total = { passed: 0, failed: 0 };
  const lines = [];
  for (const suite of chosen) {
    say(`suite ${suite.name}`);
    const started = Date.now();
    const counts = await runSuite(suite, built);
    total.passed += counts.passed;
    total.failed += counts.failed;
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    lines.push(`  ${suite.name.padEnd(12)}${counts.passed} passed, ${counts.failed} failed${skipped} (${seconds} s)`);
    for (const failure of counts.failures ?? []) lines.push(`    failed: ${failure}`);
    for (const test of counts.retried ?? []) lines.push(`    only at the second try: ${test}`);
  }
  console.log(`\n${lines.join('\n')}\n`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

/** @param {Suite} suite @param {boolean} built @returns {Promise<Counts>} */
async function runSuite(suite, built) {
  /** @type {Counts} */
  let counts = { passed: 0, failed: 1, skipped: 0 };
  if (suite.built && !built) console.error('not run, because the build failed');
  else {
    // A program that can't be fetched fails the tests that need it, and no others.
    for (const fetched of suite.tools ?? []) await succeeds(fetched);
    await succeeds(async () => {
      counts = await suite.run(flags);
    });
  }
  return counts;
}

/** @param {() => Promise<unknown>} task */
async function succeeds(task) {
  try {
    await task();
    return true;
  } catch (error) {
    console.error(error);
    return false;
  }
}

/** @param {string} version */
function vscode(version) {
  return [ensureChromium, () => ensureVSCodeServer(version)];
}

/** @param {Suite} suite @param {string} name */
function matches(suite, name) {
  return suite.name === name || suite.name.startsWith(`${name}-`);
}

/** Types, lint and format; each counts as one test. @returns {Promise<Counts>} */
async function check() {
  const projects = ['tsconfig.json', 'src/webview/tsconfig.json', 'scripts/tsconfig.json'];
  const commands = [
    ...projects.filter((file) => existsSync(path.join(root, file))).map((file) => [tsc, '--noEmit', '-p', file]),
    [biome, 'check', '.'],
  ];
  const codes = [];
  for (const command of commands) codes.push(await status(node, command));
  const failed = codes.filter((code) => code !== 0).length;
  return { passed: codes.length - failed, failed, skipped: 0 };
}

/**
 * @param {string} name a folder of test/ with a .mocharc.json
 * @param {{ built: boolean, version?: string, tools?: Suite['tools'] }} needs `version` of VS Code
 * @returns {Suite}
 */
function mochaSuite(name, { built, version, tools }) {
  const reporter = path.join(root, 'scripts/lib/reporter.cjs');
  const config = path.join(root, 'test', name, '.mocharc.json');
  const env = { VSCODE_VERSION: version };
  return {
    name: version ? `${name}-${version}` : name,
    built,
    tools,
    run: (more) => counted([mocha, '--config', config, '--reporter', reporter, '--forbid-only', ...more], env),
  };
}

/**
 * Runs a suite that writes its counts. One that crashed, that fails without a failing test, or that ran nothing counts
 * as one failure, so that it can't look like a success.
 *
 * @param {string[]} command
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<Counts>}
 */
async function counted(command, env = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), '9plan-test-'));
  const file = path.join(folder, 'results.json');
  try {
    const code = await status(node, command, { env: { ...env, TEST_RESULTS: file, TEST_FORBID_ONLY: '1' } });
    /** @type {Counts} */
    const counts = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : { passed: 0, failed: 0, skipped: 0 };
    if (counts.failed > 0 || (code === 0 && counts.passed > 0)) return counts;
    console.error(code === 0 ? 'the suite ran no test' : `the suite ended with code ${code}, but no test failed`);
    return { ...counts, failed: 1 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
