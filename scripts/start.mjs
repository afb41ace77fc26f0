// Opens VS Code with the extension, on a folder with a queue to look at. Sets up whatever is missing.
//   npm start               a desktop VS Code if `code` is on the PATH, else one served to your browser
//   npm start -- --server   served in any case
//   npm start -- --smoke    headless: works the queue once through the window, and exits
//   npm run dev             the same, built anew on every change of the source, and the window reloads by itself

import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ensureInstalled, root, say, status } from './lib/run.mjs';
import { exitOnSignals } from './lib/scratch.mjs';

const flag = /** @type {const} */ ({ type: 'boolean' });
const { values } = parseArgs({ options: { smoke: flag, server: flag, watch: flag } });

exitOnSignals();
await ensureInstalled();
await build();
if (values.smoke) {
  process.exit(await status(process.execPath, ['--import', 'tsx', 'test/ui/smoke.ts']));
}

const sample = path.join(root, '.vscode-test/sample');
say(`preparing a folder with a queue: ${path.relative(process.cwd(), sample)}`);
await (await import('./lib/sample.mjs')).makeSample(sample);
const { openEditor } = await import('./lib/openEditor.mjs');
if (values.watch) {
  const builder = spawn(process.execPath, ['esbuild.mjs', '--watch'], { cwd: root, stdio: 'inherit' });
  process.on('exit', () => builder.kill());
  await openEditor(sample, { served: values.server, extensions: [root, path.join(root, 'scripts/reloader')] });
} else {
  await openEditor(sample, { served: values.server });
}
