// Makes the package for VS Code: 9plan-<version>.vsix in the project's folder, or where `--out` says.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ensureInstalled, root, run, say } from './lib/run.mjs';
import { ensureVsce } from './lib/tools.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' }, 'no-build': { type: 'boolean' } } });

if (!values['no-build']) {
  await ensureInstalled();
  await build();
}
const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const out = path.resolve(values.out ?? path.join(root, `${name}-${version}.vsix`));
// Everything is bundled, so there are no dependencies to pack.
await run(process.execPath, [await ensureVsce(), 'package', '--no-dependencies', '--out', out]);
say(`${path.relative(process.cwd(), out)}, ${((await stat(out)).size / 1e6).toFixed(2)} MB`);
