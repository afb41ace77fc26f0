import assert from 'node:assert/strict';
import type { DependencyGraph, GraphState } from '../../../src/planner/dependencyGraph';
import { mermaid } from '../../../src/vscode/dependencies/mermaid';
import { type PictureWords, picture } from '../../../src/vscode/dependencies/picture';

const words: PictureWords = {
  title: (task) => `Dependencies: ${task}`,
  legend: 'Legend',
  list: 'The plans',
  empty: 'Nothing here',
  waitsFor: (plans) => `waits for ${plans}`,
  leftOut: (plans, edges) => `${plans} and ${edges} more`,
  position: (number) => `no. ${number}`,
  noGoal: '(no goal)',
  state: { active: 'active', ready: 'ready', waiting: 'waits', completed: 'completed', discarded: 'discarded' },
};

const session = (name: string, taskDescription: string | null) => ({
  name,
  taskDescription,
  createdAt: '2026-01-02T03:04:05.678Z',
  archivedAt: null,
});

const plan = (id: string, state: GraphState, goal: string, where = 'own-own-own') => ({
  id,
  goal,
  session: where,
  state,
  queuePosition: state === 'ready' || state === 'waiting' ? 3 : null,
});

const graph = (part: Partial<DependencyGraph>): DependencyGraph => ({
  sessions: [session('own-own-own', 'Move *house*'), session('far-far-far', null)],
  plans: [],
  edges: [],
  leftOut: { plans: 0, edges: 0 },
  ...part,
});

const sample = graph({
  plans: [
    plan('class', 'active', 'Pack'),
    plan('1b2c3', 'ready', 'Sweep\nall rooms'),
    plan('graph', 'waiting', ''),
    plan('style', 'completed', 'Book a van'),
    plan('xxxxx', 'discarded', 'Sell', 'far-far-far'),
  ],
  edges: [
    { from: 'style', to: 'class', holds: false },
    { from: 'class', to: 'graph', holds: true },
    { from: '1b2c3', to: 'graph', holds: true },
  ],
});

describe('the picture of dependencies', () => {
  it('is a flowchart with a shape a state', () => {
    assert.equal(
      mermaid(sample, words),
      [
        'flowchart TD',
        '  pclass(["Pack<br>active · class"])',
        '  p1b2c3("Sweep<br>ready · no. 3 · 1b2c3")',
        '  pgraph{{"#40;no goal#41;<br>waits · no. 3 · graph"}}',
        '  pstyle[["Book a van<br>completed · style"]]',
        '  subgraph s1["far-far-far"]',
        '    pxxxxx[/"Sell<br>discarded · xxxxx"/]',
        '  end',
        '  pstyle -.-> pclass',
        '  pclass --> pgraph',
        '  p1b2c3 --> pgraph',
      ].join('\n'),
    );
  });

  it('lists the plans in words too', () => {
    const text = picture(graph({ ...sample, leftOut: { plans: 4, edges: 2 } }), words);
    assert.ok(text.startsWith('# Dependencies: Move \\*house\\*\n\nLegend\n\n```mermaid\nflowchart TD\n'));
    assert.match(text, /\n```\n\n4 and 2 more\n\n## The plans\n\n- /);
    assert.match(
      text,
      /\n- \*\*\\\(no goal\\\)\*\* · `graph` · waits · no\. 3 · waits for Pack `class`, Sweep `1b2c3`\n/,
    );
    assert.match(text, /\n- \*\*Sell\*\* · `xxxxx` · discarded · far\\-far\\-far\n$/);
    assert.equal(picture(graph({}), words), '# Dependencies: Move \\*house\\*\n\nNothing here\n');
  });

  it('lets no goal end its label, its line or the fence', () => {
    const goals = ['"] --> x', '%%{init: {}}%%', '`a` #quot; <b>', '- a', '+ a', '12. a', '~~~', 'a\\"]', '```'];
    const source = mermaid(
      graph({ sessions: [session('own-own-own', null)], plans: goals.map((goal) => plan('abcde', 'ready', goal)) }),
      words,
    );
    for (const line of source.split('\n').slice(1)) {
      assert.match(
        line,
        /^ {2}pabcde\("(?![-+]|\d+\.)(?:[^"#<>&`;:\\*_~|[\](){}!$%@]|#\d+;)+<br>ready · no\. 3 · abcde"\)$/,
      );
    }
    assert.equal(source.split('\n').length, goals.length + 1);
  });

  it('leaves plain words as people wrote them', () => {
    const goal = 'Read src/store.ts, then write 1.5 pages – 修复 (a test)';
    const [, line] = mermaid(graph({ plans: [plan('abcde', 'active', goal)] }), words).split('\n');
    assert.match(line ?? '', /"Read src\/store\.ts, then write 1\.5 pages – 修复 #40;a test#41;<br>/);
  });
});
