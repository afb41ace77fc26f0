import assert from 'node:assert/strict';
import type { PlanSections } from '../../../src/planner/model';
import { formatPlan, parsePlan } from '../../../src/planner/planDocument';
import { mergePlanFiles } from '../../../src/planner/planMerge';

const base: PlanSections = {
  context: 'Part two of three.',
  goal: 'Move the parser.',
  inputs: '',
  outputs: '- parser.ts',
  approach: '1. Read\n2. Write\n3. Test',
  successCriteria: 'All tests pass.',
  notes: '- began',
};

function merge(mine: Partial<PlanSections>, theirs: Partial<PlanSections>) {
  const result = mergePlanFiles(formatPlan(base), formatPlan({ ...base, ...mine }), formatPlan({ ...base, ...theirs }));
  return { sections: parsePlan(result.text).sections, conflicts: result.conflicts };
}

describe('merging two versions of a plan file', () => {
  it('takes each section from whoever changed it', () => {
    assert.deepEqual(merge({ goal: 'Move it.', inputs: '- x: y' }, { context: 'Part 2.', inputs: '' }), {
      sections: { ...base, goal: 'Move it.', inputs: '- x: y', context: 'Part 2.' },
      conflicts: [],
    });
  });

  it('merges lines where both changed one section', () => {
    assert.deepEqual(
      merge({ approach: '1. Look\n2. Write\n3. Test' }, { approach: '1. Read\n2. Write\n3. Test twice' }),
      {
        sections: { ...base, approach: '1. Look\n2. Write\n3. Test twice' },
        conflicts: [],
      },
    );
  });

  it('keeps what both noted', () => {
    const { sections, conflicts } = merge({ notes: '- began\n- I saw x' }, { notes: '- began\n- agent saw y' });
    assert.equal(sections.notes, '- began\n- agent saw y\n- I saw x');
    assert.deepEqual(conflicts, []);
  });

  it('shows a conflict with both versions, keeps mine, and still merges the other sections', () => {
    assert.deepEqual(merge({ goal: 'Mine.', context: 'C.' }, { goal: 'Theirs.', outputs: '' }), {
      sections: { ...base, goal: 'Mine.', context: 'C.', outputs: '' },
      conflicts: [{ field: 'goal', mine: 'Mine.', theirs: 'Theirs.' }],
    });
  });

  it('falls back to lines when one of them has no headings', () => {
    assert.deepEqual(mergePlanFiles('a\nb', 'a\nb\nmine', 'A\nb'), { text: 'A\nb\nmine', conflicts: [] });
    assert.deepEqual(mergePlanFiles('a', 'mine', '# Goal\ng'), {
      text: 'mine',
      conflicts: [{ field: 'whole', mine: 'mine', theirs: '# Goal\ng' }],
    });
  });

  it('calls every difference a conflict when nobody knows what the two came from', () => {
    const mine = formatPlan({ ...base, notes: 'mine', goal: 'Mine.', inputs: '- mine: here' });
    const { text, conflicts } = mergePlanFiles(undefined, mine, formatPlan({ ...base, outputs: '', goal: 'Theirs.' }));
    assert.deepEqual(parsePlan(text).sections, { ...base, notes: 'mine', goal: 'Mine.', inputs: '- mine: here' });
    assert.deepEqual(conflicts, [
      { field: 'goal', mine: 'Mine.', theirs: 'Theirs.' },
      { field: 'notes', mine: 'mine', theirs: '- began' },
    ]);
    assert.deepEqual(mergePlanFiles(undefined, mine, mine), { text: mine, conflicts: [] });
  });

  it('does not mind line ends', () => {
    const crlf = formatPlan({ ...base, goal: 'Theirs.' }).replaceAll('\n', '\r\n');
    const { text } = mergePlanFiles(formatPlan(base), formatPlan({ ...base, context: 'Mine.' }), crlf);
    assert.equal(text, formatPlan({ ...base, goal: 'Theirs.', context: 'Mine.' }));
  });
});
