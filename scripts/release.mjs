// Prepares a release: `node scripts/release.mjs 0.2.0 [--no-test]`. Publishes nothing and commits nothing.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { released } from './lib/changelog.mjs';
import { npm, root, run, say } from './lib/run.mjs';

const { values, positionals } = parseArgs({ options: { 'no-test': { type: 'boolean' } }, allowPositionals: true });
const [version] = positionals;
if (!version || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('say which version: node scripts/release.mjs 0.2.0');
  process.exit(2);
}

await run('git', ['diff', '--quiet', 'HEAD'], {}).catch(() => {
  throw new Error('there are changes that are not committed');
});
const changelog = path.join(root, 'CHANGELOG.md');
const today = new Date().toISOString().slice(0, 10);
await writeFile(changelog, released(await readFile(changelog, 'utf8'), version, today));
await npm(['version', version, '--no-git-tag-version', '--allow-same-version']);
if (!values['no-test']) await npm(['test']);
await npm(['run', 'package']);
// Its exit code isn't asked for: a busy machine is no reason not to release, but the figures are there to be looked at.
if (!values['no-test'])
  await npm(['run', 'bench', '--', '--keep']).catch(() => say('some figures are over their budgets'));
await npm(['pack', '--ignore-scripts']);
say(
  `look at the difference, commit it, tag it v${version}, and publish 9plan-${version}.vsix and 9plan-${version}.tgz`,
);
