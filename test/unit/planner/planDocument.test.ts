import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PlanSections } from '../../../src/planner/model';
import { formatPlan, HEADINGS, parsePlan } from '../../../src/planner/planDocument';
import { EMPTY_SECTIONS, normalizeText } from '../../../src/planner/text';

/** Lines that a plan file could be torn apart by, far more often than chance would make them. */
const heading = fc
  .tuple(
    fc.constantFrom('', '\\', '\\\\', ' ', '    ', '#'),
    fc.constantFrom('# ', '#', '#\t', '#  '),
    fc.constantFrom('Context', 'Goal', 'Inputs', 'Outputs', 'Approach', 'Success Criteria', 'Notes', 'goal', 'Other'),
    fc.constantFrom('', ' ', '\t', ' #', ':'),
  )
  .map((parts) => parts.join(''));
const fence = fc
  .tuple(
    fc.constantFrom('', '\\', '\\\\', ' ', '   ', '    ', '\t', '> '),
    fc.constantFrom('```', '````', '``````', '~~~', '~~~~', '``'),
    fc.constantFrom('', 'sh', ' ts title="a"', ' a`b', ' ', '~'),
  )
  .map((parts) => parts.join(''));
const oddity = fc.constantFrom(
  '',
  '---',
  '$15,000',
  '$&',
  '\\',
  '\\n',
  '\ttab\t',
  '  leading',
  'trailing  ',
  '\uFEFFmark',
  '计划 🐱‍👤',
  'שלום עולם',
  '\u2028',
  '- item',
  '<!-- -->',
);
const line = fc.oneof(heading, fence, oddity, fc.string({ unit: 'grapheme', maxLength: 20 }));
const content = fc.array(line, { maxLength: 12, size: 'max' }).map((lines) => normalizeText(lines.join('\n')));
const anySections: fc.Arbitrary<PlanSections> = fc.record(
  {
    context: content,
    goal: content,
    inputs: content,
    outputs: content,
    approach: content,
    successCriteria: content,
    notes: content,
  },
  { noNullPrototype: true },
);

describe('plan files', () => {
  it('have the seven headings, empty sections too', () => {
    assert.equal(
      formatPlan({ ...EMPTY_SECTIONS, context: 'Part of a move.', goal: 'Pack.', notes: '- tape' }),
      [
        '# Context\nPart of a move.\n',
        '# Goal\nPack.\n',
        '# Inputs\n',
        '# Outputs\n',
        '# Approach\n',
        '# Success Criteria\n',
        '# Notes\n- tape\n',
      ].join('\n'),
    );
  });

  it('come back as they were written, whatever the text', () => {
    fc.assert(
      fc.property(anySections, (sections) => {
        assert.deepEqual(parsePlan(formatPlan(sections)), { sections, preamble: '' });
      }),
      { numRuns: 1500 },
    );
  });

  it('come back with CRLF line ends and a byte order mark', () => {
    fc.assert(
      fc.property(anySections, fc.constantFrom('\r\n', '\r'), (sections, end) => {
        const text = `\uFEFF${formatPlan(sections).replaceAll('\n', end)}`;
        assert.deepEqual(parsePlan(text), { sections, preamble: '' });
      }),
      { numRuns: 300 },
    );
  });

  it('never lose a line that somebody wrote, in any text', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20, size: 'max' }), (lines) => {
        // Not above everything: a byte order mark there is the file's, not the text's.
        lines.unshift('first');
        const { sections, preamble } = parsePlan(lines.join('\n'));
        const found = [preamble, ...Object.values(sections)].join('\n').split('\n');
        for (const written of lines) {
          const isHeading = HEADINGS.some(([, name]) => written.replace(/^#[ \t]+/, '').trimEnd() === name);
          if (written.trim() === '' || isHeading) continue;
          const bare = written.replace(/^\\/, '');
          assert.ok(found.includes(written) || found.includes(bare), JSON.stringify(written));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('escape a heading in the text, and an escaped one once more', () => {
    const text = formatPlan({ ...EMPTY_SECTIONS, approach: '# Goal\n\\# Notes  \n# Goals' });
    assert.match(text, /^\\# Goal\n\\\\# Notes {2}\n# Goals$/m);
  });

  it('leave a heading inside a closed fence alone', () => {
    const approach = '```md\n# Goal\n```\n~~~\n# Notes\n```\n~~~~';
    assert.ok(formatPlan({ ...EMPTY_SECTIONS, approach }).includes(approach));
    assert.deepEqual(parsePlan(`# Approach\n${approach}\n# Notes\nafter`).sections, { approach, notes: 'after' });
  });

  it('know which lines open and close a fence', () => {
    const goal = 'g';
    const parsed = (approach: string) => parsePlan(`# Approach\n${approach}\n# Goal\ng`).sections;
    const closedByLongEnough = '````\n```\n# Notes\n`````';
    assert.deepEqual(parsed(closedByLongEnough), { approach: closedByLongEnough, goal });
    assert.deepEqual(parsed('```a`b\n# Notes\n```'), { approach: '```a`b', notes: '```', goal });
    const afterLongerUnclosed = '`````\n```\n# Notes\n```';
    assert.deepEqual(parsed(afterLongerUnclosed), { approach: afterLongerUnclosed, goal });
    assert.deepEqual(parsed('```\n# Notes\n~~~'), { approach: '```', notes: '~~~', goal });
  });

  it('escape a fence that nothing closes, so that it swallows no heading', () => {
    const sections = { ...EMPTY_SECTIONS, approach: '```sh\nls', notes: '```\nlater\n```' };
    const text = formatPlan(sections);
    assert.ok(text.includes('\n\\```sh\nls\n'));
    assert.deepEqual(parsePlan(text).sections, sections);
  });

  it('written by hand: a fence that nothing closes is an ordinary line', () => {
    assert.deepEqual(parsePlan('# Approach\n```sh\nls\n\n# Notes\nfine').sections, {
      approach: '```sh\nls',
      notes: 'fine',
    });
  });

  it('written by hand: missing, empty, repeated and reordered headings, and text above the first', () => {
    const text = 'Do not forget:\n\n# Notes \t\none\n\n# Goal\nfirst\n# Inputs\n\n# Notes\ntwo\n';
    assert.deepEqual(parsePlan(text), {
      preamble: 'Do not forget:',
      sections: { notes: 'one\n\ntwo', goal: 'first', inputs: '' },
    });
  });

  it('are read in linear time, also if every line opens a fence', () => {
    const approach = Array.from({ length: 60_000 }, (_, i) => `${'`'.repeat(3 + (i % 7))}x`).join('\n');
    const started = performance.now();
    assert.equal(parsePlan(formatPlan({ ...EMPTY_SECTIONS, approach })).sections.approach, approach);
    assert.ok(performance.now() - started < 3000);
  });
});
