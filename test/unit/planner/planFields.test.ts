import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatPlan } from '../../../src/planner/planDocument';
import { FIELD_ORDER, type FieldName, PlanFile } from '../../../src/planner/planFields';
import { normalizeText } from '../../../src/planner/text';

const line = fc.oneof(
  fc.constantFrom(
    '# Goal',
    '\\# Goal',
    '# Notes',
    '```',
    '~~~~',
    '\\```',
    '```js',
    '',
    '  ',
    '- a',
    '$15,000',
    '---',
    '😀',
  ),
  fc.string(),
);
const content = fc.array(line, { maxLength: 8 }).map((lines) => normalizeText(lines.join('\n')));
const plan = fc.record({
  context: content,
  goal: content,
  inputs: content,
  outputs: content,
  approach: content,
  successCriteria: content,
  notes: content,
});
const section = fc.constantFrom(...FIELD_ORDER.filter((field) => field !== 'preamble'));

describe('the fields of a plan file', () => {
  it('are its sections, each of which can be replaced without touching another', () => {
    fc.assert(
      fc.property(plan, section, content, (sections, field, text) => {
        const file = new PlanFile(formatPlan(sections));
        assert.equal(file.unreadable, undefined);
        const changed = file.with(field, text);
        assert.equal(changed, formatPlan({ ...sections, [field]: text }));
        assert.deepEqual(new PlanFile(changed).fields, { preamble: '', ...sections, [field]: text });
      }),
      { numRuns: 500 },
    );
  });

  it('are kept, each one, in a file that a person left untidy', () => {
    const untidy = ['above', '', '# Notes', '', '', 'n', '# Goal  ', 'g', '', '', '## sub', '# Approach', '', ''].join(
      '\n',
    );
    const fields: FieldName[] = ['preamble', 'goal', 'approach', 'notes', 'context', 'successCriteria'];
    for (const field of fields) {
      for (const text of ['new\ntext', '# Goal', '']) {
        const before = new PlanFile(untidy).fields;
        assert.deepEqual(
          new PlanFile(new PlanFile(untidy).with(field, text)).fields,
          { ...before, [field]: text },
          field,
        );
      }
    }
  });

  it('get their heading when it was missing, in its place', () => {
    const file = new PlanFile('# Context\nc\n\n# Notes\nn');
    assert.equal(file.with('goal', 'g'), '# Context\nc\n\n# Goal\ng\n\n# Notes\nn');
    assert.equal(new PlanFile('# Context').with('notes', 'n'), '# Context\n\n# Notes\nn\n');
    assert.equal(new PlanFile('').with('goal', 'g'), '# Goal\ng\n');
    assert.equal(new PlanFile('# Notes').with('notes', 'n'), '# Notes\nn\n');
  });

  it('leave the text alone when nothing changes but blank lines around', () => {
    const text = '# Goal\n\n\ng\n# Notes';
    assert.equal(new PlanFile(text).with('goal', '\ng\n\n'), text);
    assert.equal(new PlanFile(text.replaceAll('\n', '\r\n')).with('notes', ''), text);
  });

  it('are not swallowed by a fence that somebody left open in another', () => {
    const file = new PlanFile('# Goal\n```\ng\n\n# Notes\nn\n');
    const text = 'n\n```\ncode\n```';
    const changed = new PlanFile(file.with('notes', text));
    assert.deepEqual(changed.fields, { ...file.fields, notes: text });
  });

  it('do not exist in a file whose headings say nothing or too much', () => {
    assert.deepEqual(new PlanFile('only text').unreadable, { kind: 'noHeadings' });
    assert.deepEqual(new PlanFile('# Goal\na\n# Goal\nb').unreadable, { kind: 'repeatedHeading', heading: 'Goal' });
    assert.equal(new PlanFile(' \n').unreadable, undefined);
  });
});
