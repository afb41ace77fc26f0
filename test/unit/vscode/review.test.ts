import assert from 'node:assert/strict';
import { fileName } from '../../../src/vscode/review/fileName';
import { titleOf } from '../../../src/vscode/review/pendingReviews';

const round = (plan: string) => ({ plan }) as Parameters<typeof titleOf>[0]['rounds'][number];

describe('what a proposal is called', () => {
  it('is its goal, else the first words of its plan', () => {
    assert.equal(titleOf({ id: 'x', goal: 'Move\nall', rounds: [round('# Other')] }), 'Move');
    assert.equal(titleOf({ id: 'x', goal: null, rounds: [round('---\n\n## The move\n\nText')] }), 'The move');
    assert.equal(titleOf({ id: 'x', goal: null, rounds: [round('1. Pack'), round('2. Drive')] }), 'Drive');
    assert.equal(titleOf({ id: 'x', goal: null, rounds: [round('***')] }), 'x');
    assert.equal(titleOf({ id: 'x', goal: null, rounds: [] }), 'x');
  });
});

describe('the file of an approved plan', () => {
  it('is named after the goal, whatever characters that has', () => {
    assert.equal(fileName('Move to the new flat!'), 'move-to-the-new-flat');
    assert.equal(fileName('../../etc/passwd'), 'etc-passwd');
    assert.equal(fileName('星期五 搬家'), '星期五-搬家');
    assert.equal(fileName('***'), 'plan');
    assert.equal(fileName('CON'), 'plan-con');
    assert.equal(fileName('con artist'), 'con-artist');
  });

  it('has a name of whole words that is not too long', () => {
    const name = fileName('word '.repeat(100));
    assert.equal(name, Array(12).fill('word').join('-'));
    assert.equal(fileName('😀x'.repeat(3)), 'x-x-x');
    assert.equal(Array.from(fileName('a'.repeat(200))).length, 60);
  });
});
