// Makes the sample folder: `node scripts/sample.mjs [folder]`

import path from 'node:path';
import { root } from './lib/run.mjs';
import { makeSample } from './lib/sample.mjs';

await makeSample(path.resolve(process.argv[2] ?? path.join(root, '.vscode-test/sample')));
