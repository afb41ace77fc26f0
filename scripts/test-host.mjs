// Runs test/host inside a real VS Code, through @vscode/test-electron.
//   --vscode 1.110   another of the pinned versions
//   --grep WORDS     only the tests whose names match
//   --tests FOLDER   those of another folder than test/host
//   --bundle FOLDER  only bundle the tests there, for a debugger
// VSCODE_TEST=desktop downloads a desktop VS Code instead, which macOS and Windows always do.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import esbuild from 'esbuild';
import { root } from './lib/run.mjs';
import { scratchFolder } from './lib/scratch.mjs';
import { newest } from './lib/tools.mjs';

const { values } = parseArgs({
  options: {
    vscode: { type: 'string' },
    grep: { type: 'string' },
    tests: { type: 'string', default: 'test/host' },
    bundle: { type: 'string' },
  },
});
if (values.bundle) {
  await mkdir(path.join(values.bundle, 'workspace'), { recursive: true });
  await bundleTests(path.resolve(values.bundle));
  process.exit(0);
}
const version = values.vscode ?? newest;
const desktop = process.env.VSCODE_TEST === 'desktop' || process.platform !== 'linux';

const mark = '│ ';
const log = path.join(root, 'test-results', `host-${version}.log`);
await mkdir(path.dirname(log), { recursive: true });
const bundle = await mkdtemp(path.join(root, '.vscode-test', 'host-'));
const scratch = await scratchFolder('host');
const workspace = path.join(scratch.path, 'workspace');
await mkdir(workspace);
const results = process.env.TEST_RESULTS ?? path.join(scratch.path, 'results.json');
let failed = false;
try {
  await bundleTests(bundle);
  await runTests({
    ...(desktop
      ? { version: version === newest ? 'stable' : `${version}.0` }
      : { vscodeExecutablePath: path.join(root, 'scripts/vscode-launcher') }),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(bundle, 'index.js'),
    launchArgs: [
      workspace,
      `--user-data-dir=${path.join(scratch.path, 'user')}`,
      `--extensions-dir=${path.join(scratch.path, 'extensions')}`,
    ],
    extensionTestsEnv: {
      VSCODE_VERSION: version,
      VSCODE_WINDOW_LOG: log,
      TEST_LINE_MARK: mark,
      TEST_RESULTS: results,
      TEST_GREP: values.grep,
    },
  });
} catch (error) {
  failed = true;
  console.log(`host tests in VS Code ${version}: ${error instanceof Error ? error.message : error}`);
  if (!existsSync(results) && existsSync(log))
    console.log(`${await lastLines(log, 15)}\n(all of it: ${path.relative(root, log)})`);
} finally {
  await rm(bundle, { recursive: true, force: true });
  await scratch.remove();
}
process.exit(failed ? 1 : 0);

/** @param {string} outdir below the project, so that what stays outside the bundle is found in its node_modules */
async function bundleTests(outdir) {
  const folder = path.join(root, values.tests);
  const tests = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test.ts'));
  await esbuild.build({
    entryPoints: [
      { in: path.join(root, 'test/host/index.ts'), out: 'index' },
      ...tests.map((name) => ({ in: path.join(folder, name), out: name.replace(/[\\/]/g, '-').replace(/\.ts$/, '') })),
    ],
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/** @param {string} file @param {number} count */
async function lastLines(file, count) {
  return (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-count).join('\n');
}
