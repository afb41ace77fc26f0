import assert from 'node:assert/strict';
import { enteringSections, enteringText, excerpt, normalizeText, requiredText } from '../../../src/planner/text';
import { refusal } from '../../support/refusal';

describe('text that enters the store', () => {
  it('has LF line ends and no blank lines around it', () => {
    assert.equal(normalizeText('\r\n \t\r\n a\r\rb \r\n\n  \n'), ' a\n\nb ');
  });

  it('keeps everything else to the byte', () => {
    const text = '  $15,000 $& \\n \\\n---\n\n\n\t# Goal\n🐱‍👤 计划 שלום e\u0301 \uFEFF  ';
    assert.equal(normalizeText(text), text);
  });

  it('replaces half a surrogate pair, which no file could keep', () => {
    assert.equal(normalizeText('a\uD83D b\uDE00 😀'), 'a\uFFFD b\uFFFD 😀');
  });

  it('refuses what is far longer than any plan, and names the field', async () => {
    assert.equal(enteringText('outcome', 'x'.repeat(1_000_000)).length, 1_000_000);
    const error = await refusal('VALIDATION_ERROR', () => enteringText('outcome', 'x'.repeat(1_000_001)));
    assert.match(error.message, /^outcome .*1000001 characters; at most 1000000/);
  });

  it('refuses a NUL and names the field', async () => {
    const error = await refusal('VALIDATION_ERROR', () => enteringText('outcome', 'a\0b'));
    assert.match(error.message, /outcome/);
  });

  it('refuses a required text of blanks alone', async () => {
    for (const blank of ['', ' ', '\n\t\r\n', '\u3000']) {
      await refusal('VALIDATION_ERROR', () => requiredText('reason', blank));
    }
  });

  it('keeps only the sections that were given, and wants a goal that says something', async () => {
    assert.deepEqual(enteringSections({ goal: 'go\r\n', notes: '' }), { goal: 'go', notes: '' });
    const error = await refusal('VALIDATION_ERROR', () => enteringSections({ goal: ' ' }, 'plans[2].'));
    assert.match(error.message, /plans\[2\]\.goal/);
    const nul = await refusal('VALIDATION_ERROR', () => enteringSections({ successCriteria: '\0' }));
    assert.match(nul.message, /success_criteria/);
  });

  it('is shown in one short line', () => {
    assert.equal(excerpt('  a\n\n b '), 'a b');
    assert.equal(excerpt('🐱'.repeat(200), 10), `${'🐱'.repeat(9)}…`);
    assert.equal(excerpt('x'.repeat(10), 10), 'x'.repeat(10));
  });
});
