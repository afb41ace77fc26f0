import assert from 'node:assert/strict';
import { linesOf, nearest, quoteOf } from '../../../src/webview/review/quotes';

describe('the quote of a comment', () => {
  const source = 'Open **the journal** with [its reader](src/read.ts), then `close()` it.';
  const plan = `# Read\n\n${source}\n\nThen rest, then sleep.`;

  it('is the selected text as it stands in the source', () => {
    assert.equal(quoteOf(plan, source, 'then close() it'), 'then `close()` it');
    assert.equal(quoteOf(plan, source, 'Open the journal with'), 'Open **the journal** with');
    assert.equal(quoteOf(plan, source, 'its reader, then'), 'its reader](src/read.ts), then');
    assert.equal(quoteOf(plan, source, ' the journal '), 'the journal');
  });

  it('is the whole passage if nothing is selected, or nothing that can be found', () => {
    assert.equal(quoteOf(plan, source), source);
    assert.equal(quoteOf(plan, source, '…'), source);
    assert.equal(quoteOf(plan, source, 'not in there'), source);
  });

  it('is wider when the selected words stand in more than one place', () => {
    assert.equal(quoteOf(plan, source, 'then'), source);
  });

  it('is cut at the end of a line when it is long, and always found again', () => {
    const block = Array.from({ length: 100 }, (_, i) => `line ${i} of the block`).join('\n');
    const quote = quoteOf(`before\n\n${block}`, block);
    assert.ok(quote.length <= 600 && quote.length > 500);
    assert.ok(block.startsWith(`${quote}\n`));
    const one = quoteOf('😀'.repeat(1000), '😀'.repeat(1000));
    assert.ok(one.length <= 600 && '😀'.repeat(1000).startsWith(one) && encodeURIComponent(one) !== '');
  });

  it('knows its lines', () => {
    assert.deepEqual(linesOf(plan, source), [2]);
    assert.deepEqual(linesOf('a\nb\nc', 'b\nc'), [1]);
    assert.deepEqual(linesOf('Wait.\n\nWork. Wait.\n\nWait. Wait.', 'Wait.'), [0, 2, 4, 4]);
    assert.deepEqual(linesOf(plan, 'gone'), []);
    assert.deepEqual(linesOf(plan, ''), []);
  });

  it('knows the nearest of its places', () => {
    assert.equal(nearest([], 3), -1);
    assert.equal(nearest([4], 0), 0);
    assert.equal(nearest([0, 4, 9], 5), 1);
    assert.equal(nearest([0, 4], 2), 0);
  });
});
