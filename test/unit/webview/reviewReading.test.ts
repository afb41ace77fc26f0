import assert from 'node:assert/strict';
import { chosenTodos, draftText, editedPlan, isWorthKeeping, written } from '../../../src/webview/review/draft';
import { EMPTY_DRAFT, type ReviewDraft } from '../../../src/webview/review/protocol';
import { readChanges, readPlan, rowOf, sourceOf } from '../../../src/webview/review/reading';
import { runsOf } from '../../../src/webview/review/runs';

const draft = (part: Partial<ReviewDraft>): ReviewDraft => ({ ...EMPTY_DRAFT, ...part });
const comment = (quote: string, line: number, text = 'Why?') => ({ id: `${line}`, quote, line, comment: text });

describe('a plan that is reviewed', () => {
  const text = '# Move\n\n1. Pack\n2. Drive\n3. Pack\n\n## The **big** [van](van.md) #\n\nOn Friday.';
  const reading = readPlan(text);

  it('has each step of a list as a passage of its own, with its number', () => {
    assert.equal(reading.rows.length, 6);
    const third = reading.rows[3];
    assert.ok(third && 'after' in third);
    assert.match(reading.render(third.after), /<ol start="3">\s*<li>Pack/);
  });

  it('has an outline without marks', () => {
    assert.deepEqual(reading.headings, [
      { row: 0, level: 1, text: 'Move' },
      { row: 4, level: 2, text: 'The big van' },
    ]);
  });

  it('has an outline at once, whatever stands in a heading', function () {
    this.timeout(20_000);
    for (const part of [' ', ' #', '#', '[', '[a](', '*', '`']) {
      const { headings } = readPlan(`# x${part.repeat(20_000)}y${part.repeat(20_000)}z\n\nText.`);
      assert.ok((headings[0]?.text.length ?? 0) <= 200, part);
    }
  });

  it('gives the source of passages, and where they begin', () => {
    assert.deepEqual(sourceOf(reading, 1, 2), { source: '1. Pack\n2. Drive', line: 2 });
    assert.equal(sourceOf(readChanges('Gone.', ''), 0, 0), undefined);
  });

  it('tells passages of the same words apart by their lines', () => {
    assert.equal(rowOf(reading, comment('Pack', 2)), 1);
    assert.equal(rowOf(reading, comment('Pack', 4)), 3);
    assert.equal(rowOf(reading, comment('On Friday.', 99)), 5);
    assert.equal(rowOf(reading, comment('Sunday', 1)), -1);
  });
});

describe('long stretches without a change', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `Passage ${i} of many, unlike ${'abcdefghijklmnopqrst'[i]}.`);
  const after = lines.with(10, 'Passage 10 of many, but changed.');
  const { rows } = readChanges(lines.join('\n\n'), after.join('\n\n'));
  const shown = (speaks: number[], opened: number[] = []) =>
    runsOf(rows, (row) => speaks.includes(row), new Set(opened)).map((run) =>
      'row' in run ? run.row : `${run.from}-${run.to}`,
    );

  it('are counted, not shown, with what stands beside a change or a comment', () => {
    assert.deepEqual(shown([]), ['0-9', 9, 10, 11, '12-20']);
    assert.deepEqual(shown([15]), ['0-9', 9, 10, 11, 12, 13, 14, 15, 16, '17-20']);
  });

  it('are shown once they were opened', () => {
    assert.deepEqual(shown([], [12]), ['0-9', 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });
});

describe('what a person has prepared', () => {
  const round = {
    plan: 'Move.',
    todos: [
      { content: 'a', status: 'completed' as const },
      { content: 'b', status: 'pending' as const },
      { content: 'c', status: 'in_progress' as const },
    ],
    queuedTodos: [],
  };

  it('sends the comments in which something is written', () => {
    const comments = [comment('a', 0), comment('b', 1, '  ')];
    assert.deepEqual(written(draft({ comments }), round), [{ quote: 'a', comment: 'Why?' }]);
  });

  it('sends which of several equal passages a comment is about, unless it is the first', () => {
    const comments = [comment('Wait.', 0), comment('Wait.', 4), comment('Work.', 9)];
    assert.deepEqual(written(draft({ comments }), { plan: 'Wait.\n\nWork.\n\nWait.' }), [
      { quote: 'Wait.', comment: 'Why?' },
      { quote: 'Wait.', comment: 'Why?', occurrence: 1 },
      { quote: 'Work.', comment: 'Why?' },
    ]);
  });

  it('is a changed plan only if the text differs', () => {
    assert.equal(editedPlan(draft({ edited: null }), round), null);
    assert.equal(editedPlan(draft({ edited: 'Move.\n' }), round), null);
    assert.equal(editedPlan(draft({ edited: 'Stay.' }), round), 'Stay.');
    assert.equal(editedPlan(draft({ edited: '' }), round), '');
  });

  it('queues what is not done, until somebody chooses', () => {
    assert.deepEqual(chosenTodos(draft({}), round), [1, 2]);
    assert.deepEqual(chosenTodos(draft({ todos: [2, 0] }), round), [0, 2]);
    assert.deepEqual(chosenTodos(draft({ todos: [] }), round), []);
    assert.deepEqual(chosenTodos(draft({ todos: [7] }), round), []);
    assert.deepEqual(chosenTodos(draft({}), { ...round, queuedTodos: [1] }), [2]);
    assert.deepEqual(chosenTodos(draft({ todos: [1] }), { ...round, queuedTodos: [1] }), [1]);
  });

  it('is worth keeping if there is anything in it', () => {
    assert.equal(isWorthKeeping(EMPTY_DRAFT), false);
    assert.equal(isWorthKeeping(draft({ comments: [comment('a', 0, ' ')], feedback: ' \n' })), false);
    for (const part of [{ comments: [comment('a', 0)] }, { feedback: 'x' }, { edited: '' }, { todos: [] }]) {
      assert.equal(isWorthKeeping(draft(part)), true);
    }
  });

  it('goes to the clipboard whole', () => {
    const all = draft({ comments: [comment('one\ntwo', 0)], feedback: 'Cheaper.', edited: 'Stay.' });
    assert.equal(draftText(all), 'Cheaper.\n\n> one\n> two\n\nWhy?\n\nStay.');
  });
});
