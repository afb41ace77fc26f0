import { strict as assert } from 'node:assert';
import MarkdownIt from 'markdown-it';
import type { Plan } from '../../../src/planner/model';
import { escapeMarkdown, firstLine, withoutIcons, withoutLinks } from '../../../src/vscode/plainText';
import { type PlanWords, planMarkdown } from '../../../src/vscode/planMarkdown';

const words: PlanWords = {
  heading: {
    context: 'Context',
    goal: 'Goal',
    inputs: 'Inputs',
    outputs: 'Outputs',
    approach: 'Approach',
    successCriteria: 'Success criteria',
    notes: 'Notes',
    outcome: 'Outcome',
    discardReason: 'Why it was discarded',
  },
  status: { queued: 'queued', active: 'active', completed: 'completed', discarded: 'discarded' },
};

const plan: Plan = {
  id: 'ab12c',
  sessionName: 'calm-blue-otter',
  status: 'completed',
  queuePosition: null,
  context: 'Between *one* and two',
  goal: '# Save $15,000 [now](command:x) <b>',
  inputs: '',
  outputs: '',
  approach: '1. Look\n2. Leap',
  successCriteria: 'It is done',
  notes: '',
  outcome: 'Saved',
  createdAt: '2026-01-02T03:04:05.678Z',
  createdBy: 'agent',
  completedAt: '2026-02-03T04:05:06.789Z',
  pulledBy: null,
  pulledAt: null,
  discardReason: null,
  discardedAt: null,
  parentId: null,
  metadata: null,
  fileVersion: null,
};

describe('text from plans', () => {
  it('is cut to its first line, never inside a character', () => {
    assert.equal(firstLine('  one \ntwo'), 'one');
    assert.equal(Array.from(firstLine('𝒳'.repeat(200), 10)).length, 10);
    assert.equal(firstLine('short', 5), 'short');
    assert.equal(firstLine('offline: notes and photos', 10), 'offline…');
    assert.equal(firstLine(''), '');
  });

  it('makes no icon and no link', () => {
    assert.equal(withoutIcons('$(trash) and $(x)'), '\\$(trash) and \\$(x)');
    assert.ok(!/\]\(/.test(withoutLinks('[a](command:b) ](')));
  });

  it('comes out of rendered Markdown as it went in', () => {
    const hostile = '*a* _b_ `c` [d](e) <f> # g\\ ~h~ | i & j ![k](l) 1. m - n';
    const html = new MarkdownIt().renderInline(escapeMarkdown(hostile));
    const shown = html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    assert.equal(shown, hostile);
  });
});

describe('a plan for reading', () => {
  it('has its title, state and filled sections, the outcome first', () => {
    const text = planMarkdown(plan, words);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    assert.deepEqual(headings, ['Outcome', 'Context', 'Goal', 'Approach', 'Success criteria']);
    assert.match(text, /`ab12c` · completed · 2026-02-03 04:05 UTC · calm-blue-otter/);
  });

  it('shows the title as text and keeps the sections to the byte', () => {
    const text = planMarkdown(plan, words);
    const title = new MarkdownIt().render(text.split('\n', 1)[0] as string);
    assert.match(title, /^<h1># Save \$15,000 \[now\]\(command:x\) &lt;b&gt;<\/h1>/);
    assert.ok(text.includes('\n1. Look\n2. Leap\n'));
    assert.ok(text.includes('Between *one* and two'));
  });
});
