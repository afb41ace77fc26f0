// Runs every host test inside VS Code's extension host. The launcher gives a folder of bundled `*.test.js` beside this.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import CountingReporter from '../../scripts/lib/reporter.cjs';

/** Called by VS Code. @throws when a test fails, when there is none, or when a file cannot be loaded. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 30_000,
    reporter: CountingReporter,
    forbidOnly: Boolean(process.env.TEST_FORBID_ONLY),
    grep: process.env.TEST_GREP || undefined,
  });
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} host tests failed`);
}
