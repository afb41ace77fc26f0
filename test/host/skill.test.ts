import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import * as vscode from 'vscode';
import { act } from './support';

describe('exporting the skill', () => {
  const usual = '9plan_queue_pull';
  let skill: string;
  let folder: string;
  before(() => {
    const extension = vscode.extensions.getExtension('nineplan.9plan');
    skill = readFileSync(join(extension?.extensionPath ?? '', 'skill/9plan/SKILL.md'), 'utf8');
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), '9plan-skill-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const written = (...path: string[]) => readFileSync(join(folder, ...path, '9plan/SKILL.md'), 'utf8');
  const toFolder = (...more: unknown[]) => act('nineplan.skill.export', [], 'folder', ...more);

  it('makes a folder with the name of the skill', async () => {
    const dialogs = await toFolder(usual, vscode.Uri.file(folder));
    assert.equal(written(), skill);
    assert.ok(dialogs.said.join().includes(join(folder, '9plan', 'SKILL.md')));
    assert.deepEqual(dialogs.offered[0]?.slice(0, 2), ['Claude Code', 'Codex, Cursor, Gemini CLI, opencode, openclaw']);
  });

  it('names the tools as the server lists them', async () => {
    await toFolder('nineplan_queue_pull', vscode.Uri.file(folder));
    assert.match(written(), /`nineplan_queue_pull`/);
    assert.doesNotMatch(written(), /\b9plan_/);
  });

  it('asks before it replaces a skill that differs', async () => {
    mkdirSync(join(folder, '9plan'));
    writeFileSync(join(folder, '9plan/SKILL.md'), 'mine');
    await toFolder(usual, vscode.Uri.file(folder), false);
    assert.equal(written(), 'mine');
    await toFolder(usual, vscode.Uri.file(folder), true);
    assert.equal(written(), skill);
    await toFolder(usual, vscode.Uri.file(folder));
  });

  it('makes a zip with that folder', async () => {
    const file = join(folder, 'skill.zip');
    await act('nineplan.skill.export', [], 'zip', usual, vscode.Uri.file(file));
    const files = unzipSync(readFileSync(file));
    assert.deepEqual(Object.keys(files), ['9plan/SKILL.md']);
    assert.equal(new TextDecoder().decode(files['9plan/SKILL.md']), skill);
  });

  it('writes nothing when the person gives up, at whichever question', async () => {
    await act('nineplan.skill.export', [], undefined);
    await toFolder(undefined);
    await toFolder(usual, undefined);
    await act('nineplan.skill.export', [], 'zip', usual, undefined);
  });
});
