import { strict as assert } from 'node:assert';
import { isBacklogTask, readBacklog } from '../../../../src/planner/exchange/backlog';
import { Exchange } from '../../../../src/planner/exchange/exchange';
import { type Outline, type PlanOutline, UnreadableImport } from '../../../../src/planner/exchange/outline';
import { recognize } from '../../../../src/planner/exchange/recognition';
import { PlannerOverMemory } from '../../../support/plannerOverMemory';

function outlineOf(text: string, name = 'notes.md'): Outline {
  const found = recognize(text, name);
  assert.equal(found.kind, 'outline');
  return (found as Extract<typeof found, { kind: 'outline' }>).outline;
}

const plansOf = (text: string, name?: string): PlanOutline[] => outlineOf(text, name).sessions[0]?.plans ?? [];
const goals = (plans: PlanOutline[]) => plans.map(({ goal }) => goal);

describe("Task Master's tasks", () => {
  const tasks = [
    {
      id: 1,
      title: 'Set up',
      description: 'The project',
      status: 'done',
      dependencies: [],
      priority: 'high',
      details: 'Make folders',
      testStrategy: 'Look',
    },
    {
      id: 2,
      title: 'Core',
      description: 'Main features',
      status: 'in-progress',
      dependencies: [1, 4],
      details: 'Do $15,000 of work\n---\n\\n',
      subtasks: [
        { id: 1, title: 'Login', description: 'Who', status: 'pending', dependencies: [] },
        { id: 2, title: 'Data', description: 'What', status: 'pending', dependencies: [1, '3'] },
      ],
    },
    { id: 3, title: 'Later', status: 'cancelled', dependencies: [] },
    { id: 4, title: 'First after all', status: 'pending' },
  ];

  it('become plans, what is waited for first, with parts before the whole', () => {
    const plans = plansOf(JSON.stringify({ tasks }), 'tasks.json');
    assert.deepEqual(
      plans.map(({ key, waitsFor, parent }) => [key, waitsFor, parent]),
      [
        ['1', [], undefined],
        ['3', [], undefined],
        ['4', [], undefined],
        ['2.1', ['1', '4'], '2'],
        ['2.2', ['1', '4', '2.1', '3'], '2'],
        ['2', ['1', '4', '2.1', '2.2'], undefined],
      ],
    );
  });

  it('keep their texts, what became of them, and what has no section', () => {
    const [done, cancelled, , part, , whole] = plansOf(JSON.stringify({ tasks }), 'tasks.json');
    assert.deepEqual(
      [done?.goal, done?.context, done?.approach, done?.successCriteria, done?.end?.kind],
      ['Set up', 'The project', 'Make folders', 'Look', 'completed'],
    );
    assert.deepEqual(done?.metadata, { taskMaster: { tag: 'master', id: '1', status: 'done', priority: 'high' } });
    assert.equal(cancelled?.end?.kind, 'discarded');
    assert.equal(part?.context, 'Part of: Core\n\nWho');
    assert.equal(whole?.approach, 'Do $15,000 of work\n---\n\\n');
    assert.equal(whole?.end, undefined);
  });

  it('become a session for each tag', () => {
    const tagged = {
      master: { tasks: [tasks[0]], metadata: { description: 'The main line' } },
      'feature-x': { tasks: [{ ...tasks[3], dependencies: [99] }] },
    };
    const { sessions, remarks } = outlineOf(JSON.stringify(tagged), 'tasks.json');
    assert.deepEqual(
      sessions.map(({ title, taskDescription, plans }) => [title, taskDescription, plans.length]),
      [
        ['master', 'The main line', 1],
        ['feature-x', null, 1],
      ],
    );
    assert.deepEqual(remarks, [{ kind: 'missing', list: 'feature-x', key: '4', blockers: ['99'] }]);
    assert.deepEqual(sessions[1]?.plans[0]?.waitsFor, []);
  });

  it('lose a dependency that closes a circle, and it is said', () => {
    const circle = [
      { id: 1, title: 'A', status: 'pending', dependencies: [2] },
      { id: 2, title: 'B', status: 'pending', dependencies: [1, 2] },
    ];
    const { sessions, remarks } = outlineOf(JSON.stringify({ tasks: circle }), 'tasks.json');
    assert.equal(sessions[0]?.plans.length, 2);
    assert.equal(remarks.length, 2);
  });

  it('that share a number are both there', () => {
    const tasks = [
      { id: 1, title: 'Pack' },
      { id: 1, title: 'Label', status: 'done' },
      { id: 2, title: 'Carry', dependencies: [1] },
    ];
    const { sessions, remarks } = outlineOf(JSON.stringify({ tasks }), 'tasks.json');
    const plans = sessions[0]?.plans ?? [];
    assert.deepEqual(goals(plans), ['Pack', 'Label', 'Carry']);
    assert.equal(new Set(plans.map(({ key }) => key)).size, 3);
    assert.deepEqual(plans[2]?.waitsFor, [plans[0]?.key]);
    assert.match(JSON.stringify(remarks), /"repeated".*"key":"1"/);
  });

  it('are refused with the place if they are something else', () => {
    const wrong = JSON.stringify({ master: { tasks: [{ title: 'no id' }] } });
    assert.throws(() => recognize(wrong, 'tasks.json'), /"tag":"master".*tasks\[0\]\.id/);
  });
});

describe('issues of beads', () => {
  const lines = [
    { id: 'mv-1', title: 'Move', description: 'All of it', issue_type: 'epic', dependencies: [blocks('mv-9')] },
    { id: 'mv-1.2', title: 'Carry', issue_type: 'task', dependencies: [part('mv-1'), blocks('mv-1.1')] },
    {
      id: 'mv-1.1',
      title: 'Pack',
      design: 'Boxes',
      acceptance_criteria: '- closed',
      issue_type: 'task',
      dependencies: [part('mv-1')],
    },
    { id: 'mv-9', title: 'Find a flat', status: 'closed', close_reason: 'Found one', issue_type: 'task' },
    { id: 'mv-7', title: 'Gone', status: 'tombstone', issue_type: 'task' },
    {
      id: 'mv-8',
      title: 'Sell',
      status: 'deferred',
      issue_type: 'task',
      dependencies: [blocks('mv-7'), { depends_on_id: 'mv-9', type: 'related' }],
    },
  ];
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

  it('become plans with what blocks them, the parts of an epic before it', () => {
    const { sessions, remarks } = outlineOf(text, 'issues.jsonl');
    const plans = sessions[0]?.plans ?? [];
    assert.deepEqual(goals(plans), ['Find a flat', 'Pack', 'Carry', 'Move', 'Sell']);
    const [flat, pack, carry, move, sell] = plans as [PlanOutline, PlanOutline, PlanOutline, PlanOutline, PlanOutline];
    assert.deepEqual(flat.end, { kind: 'completed', text: 'Found one' });
    assert.deepEqual([pack.approach, pack.successCriteria, pack.parent], ['Boxes', '- closed', 'mv-1']);
    assert.deepEqual(carry.waitsFor, ['mv-1.1', 'mv-9']);
    assert.deepEqual(move.waitsFor, ['mv-9', 'mv-1.2', 'mv-1.1']);
    assert.deepEqual(sell.waitsFor, []);
    assert.match(JSON.stringify(remarks), /"missing".*"mv-8".*"mv-7"/);
  });

  it('are refused with the line if one of them is something else', () => {
    assert.throws(() => recognize(`${text}{"title": "no id"}\n`, 'issues.jsonl'), /"line":7/);
    assert.throws(() => recognize(`${text}half a line`, 'issues.jsonl'), /"line":7/);
  });

  it('may be a single one', () => {
    assert.deepEqual(goals(outlineOf(JSON.stringify(lines[3]), 'issues.jsonl').sessions[0]?.plans ?? []), [
      'Find a flat',
    ]);
  });

  function blocks(id: string) {
    return { depends_on_id: id, type: 'blocks' };
  }
  function part(id: string) {
    return { depends_on_id: id, type: 'parent-child' };
  }
});

describe('tasks of Backlog.md', () => {
  const task = (facts: string, body = '') => `---\n${facts}\n---\n\n${body}`;
  const carry = task(
    `id: task-10\ntitle: 'Carry: don''t drop'\nstatus: To Do\ndependencies:\n  - task-2\n  - TASK-3\npriority: high`,
    `## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
Down the stairs.
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria
<!-- AC:BEGIN -->
- [ ] #1 Nothing broke
- [x] #2 All is down
<!-- AC:END -->

## Implementation Plan

1. Lift
2. Walk

## Found

A box.
`,
  );
  const others = [
    task('id: task-2\ntitle: "Pack \\"all\\""\nstatus: Done\ndependencies: []'),
    task('id: task-3\ntitle: Rent a van\nstatus: In Progress\ndependencies: [task-99]'),
    task('id: task-3.1\ntitle: Compare prices\nstatus: To Do\nparent_task_id: task-3'),
    '# Just a document\n',
  ];

  it('are told from other documents', () => {
    assert.ok(isBacklogTask(carry));
    assert.ok(isBacklogTask(carry.replaceAll('\n', '\r\n')));
    assert.ok(!isBacklogTask(others[3] as string));
    assert.ok(!isBacklogTask('---\ntitle: a page\n---\n- [ ] a'));
  });

  it('become plans by their numbers, each after what it depends on and after its parts', () => {
    const { sessions, remarks } = readBacklog([carry, ...others], 'moving');
    const plans = sessions[0]?.plans ?? [];
    assert.deepEqual(goals(plans), ['Pack "all"', 'Compare prices', 'Rent a van', "Carry: don't drop"]);
    const [pack, compare, rent, last] = plans as [PlanOutline, PlanOutline, PlanOutline, PlanOutline];
    assert.deepEqual([pack.end?.kind, compare.parent, rent.waitsFor], ['completed', 'task-3', ['task-3.1']]);
    assert.deepEqual(last.waitsFor, ['task-2', 'task-3']);
    assert.equal(last.context, 'Down the stairs.');
    assert.equal(last.successCriteria, '- Nothing broke\n- All is down');
    assert.equal(last.approach, '1. Lift\n2. Walk');
    assert.equal(last.notes, '## Found\n\nA box.');
    assert.match(JSON.stringify(remarks), /"missing".*"task-3".*"task-99"/);
  });
});

describe('checklists', () => {
  it('become plans in their order, with their headings and what is indented below them', () => {
    const plans = plansOf(`# Move house

Some words.

## Before

- [x] Give notice
- [ ] Pack
  carefully

  \`\`\`
  - [ ] not an item
  \`\`\`
* [ ] Label

## After

1. [ ] Unpack
`);
    assert.deepEqual(
      plans.map(({ goal, context, end }) => [goal, context, end?.kind]),
      [
        ['Give notice', 'Before', 'completed'],
        ['Pack', 'Before', undefined],
        ['Label', 'Before', undefined],
        ['Unpack', 'After', undefined],
      ],
    );
    assert.equal(plans[1]?.approach, 'carefully\n\n```\n- [ ] not an item\n```');
    assert.equal(outlineOf('# Move house\n- [ ] a').sessions[0]?.taskDescription, 'Move house');
  });

  it('have items that wait for the items below them', () => {
    const plans = plansOf('- [ ] House\n\t- [ ] Roof\n\t\t- [x] Tiles\n\t- [ ] Door\n- [ ] Garden\n');
    assert.deepEqual(goals(plans), ['Tiles', 'Roof', 'Door', 'House', 'Garden']);
    const keyOf = (goal: string) => plans.find((plan) => plan.goal === goal)?.key as string;
    assert.deepEqual(plans.find(({ goal }) => goal === 'House')?.waitsFor, [keyOf('Roof'), keyOf('Door')]);
    assert.equal(plans.find(({ goal }) => goal === 'Tiles')?.parent, keyOf('Roof'));
  });

  it('say when something between the items was left out', () => {
    const { remarks } = outlineOf('- [ ] a\n\nA remark.\n\n- [ ] b\n');
    assert.deepEqual(remarks, [{ kind: 'leftOut', lines: 1 }]);
  });

  it('may have marks for what is under way or optional, as Kiro writes them', () => {
    const plans = plansOf(
      '- [-] 1. Paint\n  - [~] 1.1 Walls\n  - [ ]* 1.2 Ceiling\n    - _Requirements: 1_\n- [x]* 2. Sweep\n',
    );
    assert.deepEqual(
      plans.map(({ goal, notes, end }) => [goal, notes, end?.kind]),
      [
        ['1.1 Walls', undefined, undefined],
        ['1.2 Ceiling', 'Optional.', undefined],
        ['1. Paint', undefined, undefined],
        ['2. Sweep', 'Optional.', 'completed'],
      ],
    );
    assert.equal(plans[1]?.approach, '- _Requirements: 1_');
  });

  it('wait for the items that they name, as Spec Kit writes them, and come after them', () => {
    const { sessions, remarks } = outlineOf(`# Tasks
- [ ] T003 [US1] Carry boxes (depends on T001,
      T002; see the list)
- [x] T001 [P] Rent a van
- [ ] T002 Buy tape
- [ ] T004 Unpack (depends on T009)
`);
    const plans = sessions[0]?.plans ?? [];
    assert.deepEqual(
      plans.map(({ goal }) => goal.slice(0, 4)),
      ['T001', 'T002', 'T003', 'T004'],
    );
    assert.deepEqual(plans[2]?.waitsFor, [plans[0]?.key, plans[1]?.key]);
    assert.deepEqual(plans[3]?.waitsFor, []);
    assert.deepEqual(remarks, []);
  });

  it('are read with CRLF line ends', () => {
    assert.deepEqual(goals(plansOf('- [ ] a\r\n- [X] b\r\n')), ['a', 'b']);
  });
});

describe('plan files of an agent', () => {
  it('become a plan for each numbered heading, with what all of them need to know', () => {
    const plans = plansOf(`# Plan: Move the API

## Context

It is old.

## Step 1: Write the adapter

Do this.

### Details

And that.

## Step 2 — Switch over

Flip it.

\`\`\`
## Step 3: not a heading
\`\`\`

## Verification

Run the tests.
`);
    assert.deepEqual(goals(plans), ['Write the adapter', 'Switch over']);
    assert.equal(plans[0]?.approach, 'Do this.\n\n## Details\n\nAnd that.');
    assert.match(plans[1]?.approach ?? '', /Step 3: not a heading/);
    for (const { context, successCriteria } of plans) {
      assert.equal(context, 'Move the API\n\n## Context\n\nIt is old.');
      assert.equal(successCriteria, '## Verification\n\nRun the tests.');
    }
  });

  it('become a plan for each entry of their numbered list, if the headings have no numbers', () => {
    const plans = plansOf('# Fix it\n\n## Implementation\n\n1. **Find** it\n   - look\n2. Mend it\n');
    assert.deepEqual(
      plans.map(({ goal, approach }) => [goal, approach]),
      [
        ['Find it', '- look'],
        ['Mend it', ''],
      ],
    );
  });

  it('are one plan otherwise, and lose nothing', () => {
    const text = 'Just do it.\n\n## How\n\nWell.';
    assert.deepEqual(
      plansOf(text, 'brave-idea.md').map(({ goal, approach }) => [goal, approach]),
      [['brave-idea', text]],
    );
  });
});

describe('what is neither', () => {
  for (const [text, name] of [
    ['', 'a.md'],
    ['{"a": 1}', 'a.json'],
    ['{"a": ', 'a.json'],
  ] as const) {
    it(`is refused: ${text || 'nothing'}`, () => assert.throws(() => recognize(text, name), UnreadableImport));
  }
});

describe('importing', () => {
  it('queues the plans with blockers and parents, and puts finished ones into the history', async () => {
    const { planner, store, agent, add, session } = await opened();
    await add('Here before');
    const outline = outlineOf('# T\n- [ ] House\n  - [x] Roof\n  - [ ] Door\n');
    const imported = await new Exchange(store).import(agent, { outline, sessionName: session });
    assert.deepEqual(imported, { sessions: [session], plans: 3 });
    const { plans } = await planner.queue.list(agent, {});
    assert.deepEqual(
      plans.map(({ goal, waitingFor }) => [goal, waitingFor.length]),
      [
        ['Here before', 0],
        ['Door', 0],
        ['House', 1],
      ],
    );
    const found = await store.read((view) => view.history(session, { status: 'completed', offset: 0, limit: 9 }));
    assert.deepEqual(
      found.map(({ goal, outcome }) => [goal, outcome]),
      [['Roof', 'It was ticked off before it was imported.']],
    );
    assert.equal(found[0]?.parentId, plans[2]?.id);
  });

  it('makes a session for each list if none is named, and none if there is nothing', async () => {
    const { store, agent } = await opened();
    const lists = { a: { tasks: [{ id: 1, title: 'A' }] }, b: { tasks: [{ id: 1, title: 'B' }] }, c: { tasks: [] } };
    const exchange = new Exchange(store);
    const { sessions } = await exchange.import(agent, { outline: outlineOf(JSON.stringify(lists), 't.json') });
    assert.equal(sessions.length, 2);
    const descriptions = await store.read((view) => sessions.map((name) => view.session(name)?.taskDescription));
    assert.deepEqual(descriptions, ['a', 'b']);
    const nothing = outlineOf('{"tasks": []}', 't.json');
    await assert.rejects(exchange.import(agent, { outline: nothing }), /no plan in it/);
  });

  it('makes no plan pass through the queue that is done', async () => {
    const text = Array.from({ length: 40 }, (_, i) => `- [${i % 2 ? 'x' : ' '}] ${i}`).join('\n');
    const { planner, store, agent } = await opened();
    const { sessions } = await new Exchange(store).import(agent, { outline: outlineOf(text) });
    const events = store.changes.at(-1)?.events ?? [];
    const positions = events.flatMap((event) => (event.type === 'plan_added' ? [event.position] : []));
    // Done ones stand at the front for a moment, with nothing behind them that would have to move up.
    assert.deepEqual(positions, [...Array(20).fill(1), ...Array.from({ length: 20 }, (_, i) => i + 1)]);
    const { plans } = await planner.queue.list(agent, { sessionName: sessions[0] });
    assert.deepEqual(
      plans.map(({ goal, queuePosition }) => [goal, queuePosition]),
      Array.from({ length: 20 }, (_, i) => [String(2 * i), i + 1]),
    );
  });

  it('takes all plans or none', async () => {
    const { planner, store, agent, session } = await opened();
    const outline = outlineOf('- [ ] good\n- [ ] bad\n  \0\n');
    await assert.rejects(new Exchange(store).import(agent, { outline, sessionName: session }), /2: approach.*NUL/);
    assert.deepEqual((await planner.queue.list(agent, {})).plans, []);
  });
});

describe('a session as a document', () => {
  it('has what is open and what was done, with everything that was said', async () => {
    const { planner, store, agent, add, link, session } = await opened();
    const [first, second] = await add('Pack *all*', 'Carry');
    await link(second as string, first as string);
    await planner.queue.pull(agent, {});
    await planner.queue.complete(agent, { outcome: 'In boxes' });
    const text = await new Exchange(store).exportMarkdown(agent, { sessionName: session });
    assert.match(text, /^# Move house\n/);
    assert.ok(text.indexOf('## Queued') < text.indexOf('## Completed'));
    assert.match(text, /### Carry\n\n`\w{5}`[^\n]*\n\n#### Waits for\n\n- `\w{5}` Pack \\\*all\\\*/);
    assert.match(text, /#### Outcome\n\nIn boxes/);
  });
});

async function opened() {
  const house = await PlannerOverMemory.open();
  const { planner, store, agent, session } = house;
  return { planner, store, agent, session, add: house.add.bind(house), link: house.link.bind(house) };
}
