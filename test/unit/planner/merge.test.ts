import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffLines } from '../../../src/planner/lineDiff';
import { keepBoth, mergeTexts } from '../../../src/planner/merge';
import { applyEdit, editBetween } from '../../../src/planner/textEdit';

const line = fc.constantFrom('a', 'b', 'c', '', '- step', '😀');
const lines = fc.array(line, { maxLength: 14 });
const text = lines.map((all) => all.join('\n'));

function merged(base: string, mine: string, theirs: string): string {
  const result = mergeTexts(base, mine, theirs);
  assert.equal(result.kind, 'merged');
  return (result as { text: string }).text;
}

describe('the smallest edit between two texts', () => {
  it('makes the one into the other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (from, to) => {
        const edit = editBetween(from, to);
        assert.equal(edit ? applyEdit(from, edit) : from, to);
      }),
    );
  });

  it('touches only what differs', () => {
    assert.deepEqual(editBetween('one two three', 'one 2 three'), { start: 4, end: 7, insert: '2' });
    assert.equal(editBetween('same', 'same'), undefined);
  });

  it('never splits a character', () => {
    // The two share their first half, U+1F600 and U+1F601.
    assert.deepEqual(editBetween('a😀b', 'a😁b'), { start: 1, end: 3, insert: '😁' });
    // U+1F600 and U+10600 share their second half.
    assert.deepEqual(editBetween('\u{1F600}', '\u{10600}'), { start: 0, end: 2, insert: '\u{10600}' });
  });
});

describe('the lines that differ', () => {
  it('lead from the one text to the other, and everything else is common', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const rebuilt: string[] = [];
        let done = 0;
        for (const hunk of diffLines(before, after)) {
          const common = before.slice(done, hunk.oldStart);
          assert.deepEqual(after.slice(hunk.newStart - common.length, hunk.newStart), common);
          rebuilt.push(...common, ...after.slice(hunk.newStart, hunk.newEnd));
          done = hunk.oldEnd;
        }
        assert.deepEqual(rebuilt.concat(before.slice(done)), after);
      }),
      { numRuns: 2000 },
    );
  });

  it('are as few as possible', () => {
    assert.deepEqual(diffLines(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'y', 'd']), [
      { oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 },
      { oldStart: 3, oldEnd: 3, newStart: 3, newEnd: 4 },
    ]);
  });

  it('come quickly even when nothing is common', () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `old ${i}`);
    const after = Array.from({ length: 20_000 }, (_, i) => `new ${i}`);
    const started = performance.now();
    assert.deepEqual(diffLines(before, after), [{ oldStart: 0, oldEnd: 20_000, newStart: 0, newEnd: 20_000 }]);
    assert.ok(performance.now() - started < 2000);
  });
});

describe('merging two versions', () => {
  const base = 'one\ntwo\nthree\nfour';

  it('takes both changes when they are in different lines', () => {
    assert.equal(merged(base, 'ONE\ntwo\nthree\nfour', 'one\ntwo\nthree\nfour\nfive'), 'ONE\ntwo\nthree\nfour\nfive');
    assert.equal(merged(base, 'one\n2\nthree\nfour', 'one\ntwo\n3\nfour'), 'one\n2\n3\nfour');
    assert.equal(merged(base, 'two\nthree\nfour', 'one\ntwo\nthree'), 'two\nthree');
  });

  it('sees a conflict where both changed the same lines', () => {
    for (const [mine, theirs] of [
      ['one\n2\nthree\nfour', 'one\nTWO\nthree\nfour'],
      ['one\n2\nthree\nfour', 'one\nthree\nfour'],
      [`${base}\nmine`, `${base}\ntheirs`],
    ] as const) {
      assert.equal(mergeTexts(base, mine, theirs).kind, 'conflict');
      assert.equal(mergeTexts(base, theirs, mine).kind, 'conflict');
    }
    assert.equal(mergeTexts('', 'mine', 'theirs').kind, 'conflict');
  });

  it('keeps what both added to a log of notes, theirs first', () => {
    assert.deepEqual(mergeTexts(base, `${base}\nmine`, `${base}\ntheirs`, { keepAdditions: true }), {
      kind: 'merged',
      text: `${base}\ntheirs\nmine`,
    });
    assert.deepEqual(mergeTexts('', 'mine', 'theirs', { keepAdditions: true }), {
      kind: 'merged',
      text: 'theirs\nmine',
    });
  });

  it('counts the same change made twice once', () => {
    assert.equal(merged(base, 'one\n2\nthree\nfour', 'one\n2\nthree\nfour\nfive'), 'one\n2\nthree\nfour\nfive');
  });

  it('gives the other version when only one changed', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(merged(before, before, after), after);
        assert.equal(merged(before, after, before), after);
        assert.equal(merged(before, after, after), after);
      }),
    );
  });

  it('never drops a line that one of them wrote and nobody took out', () => {
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (before, mine, theirs, keepAdditions) => {
        const marked = `${mine}\nonly mine`;
        const result = mergeTexts(before, marked, theirs, { keepAdditions });
        if (result.kind === 'merged') assert.ok(result.text.split('\n').includes('only mine'));
      }),
      { numRuns: 1000 },
    );
  });

  it('shows both versions to whoever wants both, and what they have in common once', () => {
    assert.equal(keepBoth('mine', 'theirs'), 'mine\n\ntheirs');
    assert.equal(keepBoth('', 'theirs'), 'theirs');
    assert.equal(keepBoth('mine', ''), 'mine');
    assert.equal(
      keepBoth('one\nmy two\nthree\nmine', 'one\ntheir two\nthree\ntheirs\nmore'),
      'one\nmy two\ntheir two\nthree\nmine\ntheirs\nmore',
    );
    assert.equal(keepBoth('one\nthree', 'one\ntwo\nthree'), 'one\ntwo\nthree');
    assert.equal(keepBoth(base, base), base);
  });

  it('drops no line of the two that are kept both', () => {
    const hasInOrder = (all: string[], some: string[]) => {
      let at = 0;
      for (const one of all) if (one === some[at]) at++;
      return at === some.length;
    };
    fc.assert(
      fc.property(text, text, (mine, theirs) => {
        const both = keepBoth(mine, theirs).split('\n');
        for (const version of [mine, theirs]) {
          if (version.trim() !== '') assert.ok(hasInOrder(both, version.split('\n')));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
