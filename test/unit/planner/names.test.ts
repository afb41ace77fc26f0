import assert from 'node:assert/strict';
import { checkPlanId, isSessionName } from '../../../src/planner/names';
import { newPlanId, newSessionName } from '../../../src/planner/newNames';
import { refusal } from '../../support/refusal';

describe('names and ids', () => {
  it('a session has a new name of three words', () => {
    const name = newSessionName(() => false);
    assert.match(name, /^[a-z]+-[a-z]+-[a-z]+$/);
    assert.ok(isSessionName(name));
  });

  it('a plan has an id of five characters', () => {
    for (let i = 0; i < 200; i++)
      assert.match(
        newPlanId(() => false),
        /^[0-9a-z]{5}$/,
      );
  });

  it('an id or a name that is taken is not given again', () => {
    const ids = ['aaaaa', 'aaaaa', 'bbbbb'];
    assert.equal(
      newPlanId(
        (id) => id === 'aaaaa',
        () => ids.shift() as string,
      ),
      'bbbbb',
    );
    const taken = new Set(['a-b-c', 'a-b-c-2']);
    const name = newSessionName(
      (candidate) => taken.has(candidate),
      () => 'a-b-c',
    );
    assert.equal(name, 'a-b-c-3');
    assert.ok(isSessionName(name));
  });

  it('nothing from outside that could lead out of the store passes', async () => {
    for (const name of [
      '',
      '../../etc',
      '/etc/passwd',
      'a/b',
      'a-b-c/..',
      'a--b',
      '-a',
      'A-b-c',
      'a-b-c\n',
      'x'.repeat(10_000),
      'con.txt',
      'a b',
    ]) {
      assert.ok(!isSessionName(name), JSON.stringify(name));
    }
    for (const id of ['', 'abcd', 'abcdef', 'ABCDE', '../..', 'abcd\n', 'abcde\n', 'x'.repeat(10_000), 'ａbcde']) {
      const error = await refusal('VALIDATION_ERROR', () => checkPlanId(id));
      assert.ok(error.message.length < 300, 'absurd input is not echoed');
    }
  });
});
