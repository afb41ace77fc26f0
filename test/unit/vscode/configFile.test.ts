import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS, type Agent } from '../../../src/vscode/connect/agents';
import { checkWithin, readConfig } from '../../../src/vscode/connect/configFile';
import { withEntry } from '../../../src/vscode/connect/configText';

describe('a configuration that came with a project', () => {
  let parent: string;
  let project: string;
  beforeEach(() => {
    parent = realpathSync(mkdtempSync(join(tmpdir(), '9plan-config-')));
    project = join(parent, 'project');
    mkdirSync(project);
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));
  const file = () => join(project, '.mcp.json');
  const unreadable = (message: RegExp) => ({ name: 'UnreadableConfig', message });

  const strange: Record<string, (path: string) => void> = {
    'a pipe': (path) => execFileSync('mkfifo', [path]),
    'a link to a device without an end': (path) => symlinkSync('/dev/zero', path),
    'a folder': (path) => mkdirSync(path),
    'of many gigabytes': (path) => {
      writeFileSync(path, '');
      truncateSync(path, 64 * 1024 ** 3);
    },
  };
  for (const [what, make] of Object.entries(strange)) {
    it(`is not read if it is ${what}`, async function () {
      if (process.platform === 'win32') this.skip();
      this.timeout(10_000);
      make(file());
      await assert.rejects(readConfig(file()), unreadable(/no ordinary file|too large/));
    });
  }

  it('is written only if it lies there', async function () {
    if (process.platform === 'win32') this.skip();
    await checkWithin(project, file());
    await checkWithin(project, join(project, '.cursor', 'mcp.json'));
    writeFileSync(join(parent, 'of-the-person.json'), '{}');
    symlinkSync('../of-the-person.json', file());
    await assert.rejects(checkWithin(project, file()), unreadable(/link to .*of-the-person\.json/));
    symlinkSync('..', join(project, '.cursor'));
    await assert.rejects(checkWithin(project, join(project, '.cursor', 'mcp.json')), unreadable(/link to/));
    symlinkSync(project, join(parent, 'by-another-name'));
    await checkWithin(join(parent, 'by-another-name'), join(project, '.vscode', 'mcp.json'));
    assert.equal(readFileSync(join(parent, 'of-the-person.json'), 'utf8'), '{}');
  });

  it('is changed at once, however many blanks it has', function () {
    this.timeout(10_000);
    const claude = AGENTS.find(({ id }) => id === 'claude-code') as Agent;
    const text = `{"a": 1${' '.repeat(300_000)}/* why */}`;
    assert.match(withEntry(text, claude, { command: 'x' }), /"9plan"/);
  });
});
