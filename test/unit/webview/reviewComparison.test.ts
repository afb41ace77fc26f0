import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readMarkdown } from '../../../src/webview/markdown';
import { compareBlocks, placeComments, type Row } from '../../../src/webview/review/comparison';
import { wordChanges } from '../../../src/webview/review/wordChanges';

function blocks(text: string) {
  return readMarkdown(text, { itemsInOneBlock: 1 }).blocks;
}

function compared(before: string, after: string): Row[] {
  return compareBlocks(blocks(before), blocks(after));
}

function kinds(rows: Row[]): string[] {
  return rows.map((row) => row.kind);
}

const passage = fc.constantFrom(
  'One word here',
  'One word there',
  '# Heading',
  '1. step',
  '- item',
  '```\ncode\n```',
  '| a |\n| - |',
);
const plan = fc.array(passage, { maxLength: 12 }).map((parts) => parts.join('\n\n'));

describe('two versions of a plan', () => {
  it('are read as one, with nothing of either lost', () => {
    fc.assert(
      fc.property(plan, plan, (before, after) => {
        const rows = compared(before, after);
        const side = (name: 'before' | 'after') =>
          rows.flatMap((row) => (name in row ? [(row as Record<string, unknown>)[name]] : []));
        assert.deepEqual(side('before'), blocks(before));
        assert.deepEqual(side('after'), blocks(after));
      }),
    );
  });

  it('show a step that was put in between as one change, though all after it have new numbers', () => {
    const rows = compared('1. open\n2. read\n3. close', '1. open\n2. lock it\n3. read\n4. close');
    assert.deepEqual(kinds(rows), ['same', 'added', 'same', 'same']);
  });

  it('pair a passage with its new version, not with another', () => {
    const rows = compared(
      'Move on Friday with a big van.\n\nClean the old flat.',
      'Invite friends.\n\nMove on Saturday with a big van.\n\nPaint the old flat.',
    );
    assert.deepEqual(kinds(rows), ['added', 'changed', 'changed']);
  });

  it('do not pair a heading with a paragraph, or what has little in common', () => {
    assert.deepEqual(kinds(compared('# Move on Friday', 'Move on Friday')), ['removed', 'added']);
    assert.deepEqual(kinds(compared('Buy boxes at the market.', 'Ask the landlord.')), ['removed', 'added']);
  });

  it('are compared quickly when everything was written anew', () => {
    const text = (seed: number) =>
      Array.from({ length: 190 }, (_, i) => `Passage ${i * seed} of ${seed} ${'word '.repeat(30)}`).join('\n\n');
    const [before, after] = [text(3), text(7)];
    compared(before, after);
    const started = performance.now();
    compared(before, after);
    assert.ok(performance.now() - started < 1000);
  });
});

describe('the comments of the last round', () => {
  const before = '# Move\n\nOn Friday, with a big van.\n\nSell the piano.\n\n1. Pack\n2. Drive';
  const after = '# Move\n\nOn Saturday, with a big van.\n\n1. Ask friends\n2. Pack\n3. Drive';
  const rows = compared(before, after);
  const placed = (quote: string) => {
    const [[index, comments] = [NaN, []]] = [...placeComments(rows, before, after, [{ quote, comment: 'Why?' }])];
    const row = rows[index];
    const shown = row && ('after' in row ? row.after.source : row.before.source);
    return [comments[0]?.fate, shown];
  };

  it('stand beside what became of their passages', () => {
    assert.deepEqual(placed('Friday'), ['changed', 'On Saturday, with a big van.']);
    assert.deepEqual(placed('a big van'), ['unchanged', 'On Saturday, with a big van.']);
    assert.deepEqual(placed('Sell the piano.'), ['removed', 'Sell the piano.']);
    assert.deepEqual(placed('2. Drive'), ['unchanged', '3. Drive']);
  });

  it('stand beside the one of equal passages that they are about', () => {
    const old = 'Wait.\n\nWork hard on the engine.\n\nWait.\n\nRest.\n\nWait.';
    const shown = (now: string, occurrence: number) => {
      const compared = compareBlocks(blocks(old), blocks(now));
      const [[row, comments] = [NaN, []]] = [
        ...placeComments(compared, old, now, [{ quote: 'Wait.', comment: 'Why?', occurrence }]),
      ];
      return [row, comments[0]?.fate];
    };
    assert.deepEqual(
      [0, 1, 2].map((occurrence) => shown(old, occurrence)[0]),
      [0, 2, 4],
    );
    const now = 'Wait.\n\nWork hard on the new engine.\n\nRest.\n\nWait.';
    assert.deepEqual(shown(now, 0), [0, 'unchanged']);
    assert.deepEqual(shown(now, 1), [2, 'removed']);
    assert.deepEqual(shown(now, 2), [4, 'unchanged']);
    assert.deepEqual(shown(old, 9), [4, 'unchanged']);
  });

  it('follow their words to another place if there is only one', () => {
    const moved = 'Sell the piano.\n\n# Move\n\nOn Friday, with a big van.\n\n1. Pack\n2. Drive';
    const [[row, comments] = [NaN, []]] = [
      ...placeComments(compared(before, moved), before, moved, [{ quote: 'Sell the piano.', comment: 'Why?' }]),
    ];
    assert.deepEqual([row, comments[0]?.fate], [0, 'unchanged']);
  });

  it('are shown without a passage if there is none', () => {
    assert.deepEqual(placed('nowhere'), ['changed', undefined]);
    assert.deepEqual(placed(''), ['changed', undefined]);
  });
});

describe('the words that differ', () => {
  const marked = (before: string, after: string) => {
    let shown = '';
    let at = 0;
    for (const { start, end, removed } of wordChanges(before, after)) {
      shown += `${after.slice(at, start)}[${removed}|${after.slice(start, end)}]`;
      at = end;
    }
    return shown + after.slice(at);
  };

  it('are found one by one', () => {
    assert.equal(
      marked('Move on Friday, all of us.', 'Move on Monday, all of us!'),
      'Move on [Friday|Monday], all of us[.|!]',
    );
    assert.equal(marked('use getUserById', 'use get_user_by_id'), 'use [getUserById|get_user_by_id]');
    assert.equal(marked('same', 'same'), 'same');
  });

  it('are one change when only blanks stand between them', () => {
    assert.equal(marked('a big red van', 'a small blue van'), 'a [big red|small blue] van');
    assert.equal(marked('one\ntwo', 'three\nfour'), '[one|three]\n[two|four]');
  });

  it('are characters where a script has no spaces', () => {
    assert.equal(marked('星期五搬家', '星期六搬家'), '星期[五|六]搬家');
  });

  it('make the one text into the other', () => {
    const text = fc.stringMatching(/^[ab 星,\n]{0,20}$/u);
    fc.assert(
      fc.property(text, text, (before, after) => {
        let restored = '';
        let at = 0;
        for (const { start, end, removed } of wordChanges(before, after)) {
          restored += after.slice(at, start) + removed;
          at = end;
        }
        assert.equal(restored + after.slice(at), before);
      }),
    );
  });
});
