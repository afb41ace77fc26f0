import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openWorkbench } from './openWorkbench';
import { becomes } from './patience';
import type { Workbench } from './workbench';

describe('connecting another agent in the window', () => {
  const original = '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n';
  let folder: string;
  let workbench: Workbench;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-connect-'));
    workbench = await openWorkbench({ workspace: folder });
  });
  beforeEach(() => writeFile(path.join(folder, '.mcp.json'), original));
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const config = () => readFile(path.join(folder, '.mcp.json'), 'utf8');

  it('shows the difference while it asks, also when one looks into it, writes it, and takes it back', async () => {
    await workbench.runCommand('9plan: Connect Another Agent…');
    await workbench.pick('Claude Code');
    const added = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: '"9plan": {' });
    await added.click();
    assert.equal(await workbench.quickInput.isVisible(), false, 'nothing lies over what is to be read');
    await workbench.screenshot('connect-preview');
    assert.equal(await config(), original);

    await workbench.editorAction('Write This');
    const message = workbench.notifications.filter({ hasText: 'Claude Code finds 9plan' });
    await message.waitFor();
    const { mcpServers } = JSON.parse(await config());
    assert.deepEqual(Object.keys(mcpServers), ['other', '9plan']);
    assert.ok(existsSync(mcpServers['9plan'].command));
    await workbench.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await message.waitFor({ state: 'detached' });
    await becomes(config, original);
  });

  it('is given up by closing the preview, and disconnects later', async () => {
    await workbench.runCommand('9plan: Connect Another Agent…');
    await workbench.pick('Claude Code');
    await workbench.page.locator('.monaco-diff-editor').waitFor();
    await workbench.closeEditors();
    assert.equal(await config(), original);

    await workbench.runCommand('9plan: Connect Another Agent…');
    await workbench.pick('Claude Code');
    await workbench.editorAction('Write This');
    await becomes(async () => Object.keys(JSON.parse(await config()).mcpServers), ['other', '9plan']);
    await workbench.runCommand('9plan: Disconnect an Agent…');
    await workbench.pick('Claude Code');
    await workbench.screenshot('disconnect-preview');
    await workbench.editorAction('Write This');
    await becomes(config, original);
  });
});
