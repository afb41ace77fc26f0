import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { unifiedDiff } from '../../../src/planner/unifiedDiff';

describe('the diff of two texts', () => {
  it('is empty for equal texts', () => {
    assert.equal(unifiedDiff('a\nb', 'a\nb'), '');
  });

  it('shows what was changed with a little around it', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix';
    assert.equal(
      unifiedDiff(before, before.replace('four', 'for $4\nand more')),
      '@@ -2,5 +2,6 @@\n two\n three\n-four\n+for $4\n+and more\n five\n six',
    );
  });

  it('has a part for each place', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    const after = lines.map((line, i) => (i === 3 || i === 20 ? `${line}!` : line));
    assert.deepEqual(unifiedDiff(lines.join('\n'), after.join('\n')).match(/^@@.*$/gm), [
      '@@ -2,5 +2,5 @@',
      '@@ -19,5 +19,5 @@',
    ]);
  });

  it('makes the one text into the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '# d'), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.deepEqual(applied(before, unifiedDiff(before.join('\n'), after.join('\n'))), after);
      }),
    );
  });

  it('is one that patch understands', function () {
    if (spawnSync('patch', ['--version']).status !== 0) this.skip();
    const folder = mkdtempSync(join(tmpdir(), '9plan-diff-'));
    try {
      const before = Array.from({ length: 40 }, (_, i) => `line ${i}`);
      const after = before.flatMap((line, i) => (i % 11 === 5 ? [] : i % 13 === 6 ? [line, 'more'] : [line]));
      writeFileSync(join(folder, 'plan.md'), `${before.join('\n')}\n`);
      const diff = `--- plan.md\n+++ plan.md\n${unifiedDiff(before.join('\n'), after.join('\n'))}\n`;
      const patch = spawnSync('patch', ['plan.md'], { cwd: folder, input: diff, encoding: 'utf8' });
      assert.equal(patch.status, 0, patch.stdout + patch.stderr);
      assert.equal(readFileSync(join(folder, 'plan.md'), 'utf8'), `${after.join('\n')}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function applied(before: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let next = 0;
  let left = 0;
  for (const line of diff === '' ? [] : diff.split('\n')) {
    const place = left === 0 && /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
    if (place) {
      const start = Number(place[1]) - 1;
      result.push(...before.slice(next, start));
      assert.equal(result.length, Number(place[3]) - 1);
      next = start;
      left = Number(place[2]) + Number(place[4]);
      continue;
    }
    if (line[0] !== '+') assert.equal(before[next++], line.slice(1));
    if (line[0] !== '-') result.push(line.slice(1));
    left -= line[0] === ' ' ? 2 : 1;
  }
  assert.equal(left, 0);
  return [...result, ...before.slice(next)];
}
