// Builds dist/. `--watch` rebuilds on change; `--server-to=DIR` builds only the MCP server, there, and touches nothing else.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { notices } from './scripts/lib/notices.mjs';
import { parts } from './scripts/lib/parts.mjs';

const watch = process.argv.includes('--watch');
const serverTo = process.argv.find((arg) => arg.startsWith('--server-to='))?.slice('--server-to='.length);
const require = createRequire(import.meta.url);

const shared = {
  bundle: true,
  sourcemap: 'linked',
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'info',
};

const node = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // What its `main` names requires its parts in a way that can't be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
};

// Three files, since what is not loaded before the first answer had better not be read before it either.
const server = {
  ...node,
  entryPoints: { 'mcp-server': 'src/mcpServer.ts', mcpService: 'src/mcpService.ts', mcpEvents: 'src/mcpEvents.ts' },
  outdir: serverTo ?? 'dist',
  external: ['./mcpService', './mcpEvents'],
  supported: { 'dynamic-import': false },
  banner: { js: '#!/usr/bin/env node' },
};

if (serverTo !== undefined) {
  await mkdir(serverTo, { recursive: true });
  await writeToolList(serverTo);
  await copyFile(require.resolve('sql.js/dist/sql-wasm.wasm'), `${serverTo}/sql-wasm.wasm`);
  await esbuild.build({ ...server, logLevel: 'warning' });
  process.exit();
}

/**
 * For each file with an `import * as vscode` the bundle would copy all properties of the API when it is loaded, some 500.
 * From an object that inherits them there is nothing to copy.
 *
 * @type {import('esbuild').Plugin}
 */
const vscodeApi = {
  name: 'vscode API',
  setup(build) {
    const namespace = 'vscode-api';
    build.onResolve({ filter: /^vscode$/ }, ({ namespace: from }) =>
      from === namespace ? { path: 'vscode', external: true } : { path: 'vscode', namespace },
    );
    build.onLoad({ filter: /.*/, namespace }, () => ({
      contents: "module.exports = Object.create(require('vscode'));",
    }));
  },
};

// A build is made aside and moved in file by file: what runs from dist/ meanwhile never finds it empty. A
// window that has yet to load a part of the former build must be reloaded.
const outdir = watch ? 'dist' : await mkdtemp('.build-');
const builds = [
  { ...node, outdir, minifyIdentifiers: true, plugins: [vscodeApi, parts('src/extension.ts')] },
  { ...server, outdir, plugins: [{ name: 'tool list', setup: (build) => build.onEnd(() => writeToolList(outdir)) }] },
];

const webviewEntries = existsSync('src/webview')
  ? (await readdir('src/webview')).filter((name) => /\.entry\.tsx?$/.test(name))
  : [];
if (webviewEntries.length > 0) {
  builds.push({
    ...shared,
    platform: 'browser',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: 'es2022',
    entryPoints: Object.fromEntries(
      webviewEntries.map((name) => [name.replace(/\.entry\.tsx?$/, ''), `src/webview/${name}`]),
    ),
    outdir: `${outdir}/webview`,
  });
}

await mkdir(`${outdir}/webview`, { recursive: true });
await copyFile(require.resolve('sql.js/dist/sql-wasm.wasm'), `${outdir}/sql-wasm.wasm`);

if (watch) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  try {
    const made = await Promise.all(builds.map((options) => esbuild.build({ ...options, metafile: true })));
    const inputs = made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
    // With a colon: what a plugin made up.
    const bundled = inputs.filter((name) => !name.includes(':'));
    await writeFile(`${outdir}/THIRD-PARTY-NOTICES.txt`, await notices(bundled));
    await replaceFolder(outdir, 'dist');
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

/** Writes the tools as data, for the server to show them before it has loaded them. */
async function writeToolList(folder) {
  const folderOfCode = await mkdtemp(path.join(tmpdir(), '9plan-build-'));
  try {
    const outfile = path.join(folderOfCode, 'catalogue.cjs');
    await esbuild.build({
      ...node,
      sourcemap: false,
      logLevel: 'warning',
      entryPoints: ['src/mcp/catalogue.ts'],
      outfile,
    });
    await writeFile(path.join(folder, 'tools.json'), JSON.stringify(require(outfile).listedTools()));
  } finally {
    await rm(folderOfCode, { recursive: true, force: true });
  }
}

/** Moves every file of one folder into the other, then removes what the other had besides. */
async function replaceFolder(from, to) {
  await mkdir(to, { recursive: true });
  const names = new Set(await readdir(from));
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    await (entry.isDirectory() ? replaceFolder(source, target) : rename(source, target));
  }
  for (const name of await readdir(to)) {
    if (!names.has(name)) await rm(path.join(to, name), { recursive: true, force: true });
  }
}
