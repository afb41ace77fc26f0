import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skillPlaces, skillZip } from '../../../src/vscode/skill/skillFiles';
import { zipListing } from '../../package/zipListing';

describe('the skill for other agents', () => {
  it('goes where they look: below the person’s home, and in the project if one is open', () => {
    const folders = (project?: string) => skillPlaces('/home/me', project).map(({ folder }) => folder);
    const personal = [join('/home/me', '.claude', 'skills'), join('/home/me', '.agents', 'skills')];
    assert.deepEqual(folders(), personal);
    assert.deepEqual(folders('/p'), [...personal, join('/p', '.claude', 'skills'), join('/p', '.agents', 'skills')]);
  });

  it('is the same zip on every day', () => {
    const folder = mkdtempSync(join(tmpdir(), '9plan-zip-'));
    const file = join(folder, 'skill.zip');
    writeFileSync(file, skillZip('text'));
    assert.deepEqual(zipListing(file), ['9plan/SKILL.md']);
    rmSync(folder, { recursive: true });
    assert.deepEqual(skillZip('text'), skillZip('text'));
    assert.equal(Buffer.from(skillZip('text')).readUInt16LE(12), (20 << 9) | (1 << 5) | 1, 'January 1st, 2000');
  });
});
