import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureConformance } from '../../scripts/lib/tools.mjs';
import { Bench } from './support/agent';

const run = promisify(execFile);
const EXPECTED_FAILURES = join(__dirname, 'conformance-expected-failures.yml');

/** Those that ask nothing of a server but to be one. */
const GENERIC = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'completion-complete',
  'server-sse-multiple-streams',
  'server-session-lifecycle',
  'dns-rebinding-protection',
];

describe("the protocol's conformance suite", () => {
  const bench = new Bench();
  after(() => bench.clear());

  it('passes, but for what the list of expected failures gives the reason of', async function () {
    this.timeout(300_000);
    const { node, script } = await ensureConformance();
    const { url } = await bench.http();
    const requirements = ['--requirements', '2025-11-25', '--expected-failures', EXPECTED_FAILURES];
    const { stdout } = await run(node, [script, 'server', '--url', url, ...requirements], { cwd: bench.folder() });
    for (const scenario of GENERIC) {
      assert.match(stdout, new RegExp(`^✓ ${scenario}: [1-9]\\d* passed, 0 failed`, 'm'), stdout);
    }
  });
});
