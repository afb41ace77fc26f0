// Builds dist/. `--watch` rebuilds on change; `--server-to=DIR` builds only the MCP server, there, and touches nothing else.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import esbuild from 'esbuild';
import { notices } from './scripts/lib/notices.mjs';

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

const node = { ...shared, platform: 'node', format: 'cjs', target: 'node20' };

// Two files, since what is not loaded before the first answer had better not be read before it either.
const server = {
  ...node,
  entryPoints: { 'mcp-server': 'src/mcpServer.ts', mcpService: 'src/mcpService.ts' },
  outdir: serverTo ?? 'dist',
  external: ['./mcpService'],
  supported: { 'dynamic-import': false },
  banner: { js: '#!/usr/bin/env node' },
};

if (serverTo !== undefined) {
  await mkdir(serverTo, { recursive: true });
  await copyFile(require.resolve('sql.js/dist/sql-wasm.wasm'), `${serverTo}/sql-wasm.wasm`);
  await esbuild.build({ ...server, logLevel: 'warning' });
  process.exit();
}

const builds = [
  { ...node, entryPoints: { extension: 'src/extension.ts' }, outdir: 'dist', external: ['vscode'] },
  server,
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
    outdir: 'dist/webview',
  });
}

await rm('dist', { recursive: true, force: true });
await mkdir('dist/webview', { recursive: true });
await copyFile(require.resolve('sql.js/dist/sql-wasm.wasm'), 'dist/sql-wasm.wasm');

if (watch) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  const made = await Promise.all(builds.map((options) => esbuild.build({ ...options, metafile: true })));
  const bundled = made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile('dist/THIRD-PARTY-NOTICES.txt', await notices(bundled));
}
