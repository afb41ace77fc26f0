import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearsWrittenMark, digestOf, writtenMark } from '../../../src/store/writtenMark';

describe('the mark of a file written by the store', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'written-mark-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const marked = (path: string, content: Buffer): boolean =>
    bearsWrittenMark(digestOf(content), statSync(path, { bigint: true }).mtimeNs);

  it('survives the file system for any content', () => {
    const path = join(folder, 'a.txt');
    for (let i = 0; i < 300; i++) {
      const content = Buffer.from(`version ${i}`);
      writeFileSync(path, content);
      utimesSync(path, Date.now() / 1000, writtenMark(content));
      assert.ok(marked(path, content), `version ${i}`);
    }
  });

  it('is gone after a hand edit, also after one that restores an earlier text', () => {
    const path = join(folder, 'a.txt');
    const before = Buffer.from('before');
    writeFileSync(path, Buffer.from('after'));
    utimesSync(path, Date.now() / 1000, writtenMark(Buffer.from('after')));
    writeFileSync(path, before);
    assert.ok(!marked(path, before));
  });
});
