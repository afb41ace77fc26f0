import assert from 'node:assert/strict';
import { Bench } from './support/agent';

describe('task tools', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('create a task and answer its id alone, in a session made for it', async () => {
    const agent = await bench.agent();
    const { text, structured, isError } = await agent.call('task_create', {
      title: 'Order the van',
      body: 'A big one.',
    });
    assert.equal(isError, false);
    assert.match(text, /^[0-9a-z]{5}$/);
    assert.equal(structured, undefined);
    const task = await agent.ok('task_read', { id: text });
    assert.equal(task.title, 'Order the van');
    assert.equal(task.body, 'A big one.');
    assert.equal(task.status, 'open');
  });

  it('work on the same queue as the queue tools', async () => {
    const agent = await bench.agent();
    const create = async (title: string, more = {}) => (await agent.call('task_create', { title, ...more })).text;
    const van = await create('Order the van');
    const pack = await create('Pack', { depends_on: [van] });
    const { tasks } = await agent.ok('task_list', {});
    assert.deepEqual(
      (tasks as { id: string; waiting_for: string[] }[]).map(({ id, waiting_for }) => [id, waiting_for]),
      [
        [van, []],
        [pack, [van]],
      ],
    );
    assert.equal((await agent.ok('9plan_queue_pull')).plan_id, van);
    assert.equal((await agent.ok('task_read', { id: van })).status, 'in_progress');
    const done = await agent.ok('task_update', {
      id: van,
      status: 'done',
      metadata: { outcome: 'For Friday.', price: 90 },
    });
    assert.equal(done.status, 'done');
    assert.equal((await agent.ok('9plan_history_get', { plan_id: van })).outcome, 'For Friday.');
    assert.deepEqual((await agent.ok('task_read', { id: van })).metadata, { price: 90 });
    assert.equal((await agent.ok('9plan_queue_pull')).plan_id, pack);
    assert.equal((await agent.ok('task_delete', { id: pack, reason: 'Done by others.' })).status, 'cancelled');
    assert.equal((await agent.ok('9plan_admin_validate')).valid, true);
  });

  it('take the outcome that was given before the task was done, and read whole as text, too', async () => {
    const agent = await bench.agent();
    const { text: parent } = await agent.call('task_create', { title: 'Move' });
    const { text: id } = await agent.call('task_create', { title: 'Order the van', parent });
    await agent.ok('task_update', { id, metadata: { outcome: 'For Friday.', price: 90 } });
    const { text } = await agent.call('task_read', { id: ` ${id.toUpperCase()}` });
    assert.match(text, new RegExp(`Parent: ${parent}\\nMetadata: .*"price":90.*\\nFile: /`));
    await agent.ok('task_update', { id, status: 'done' });
    const done = await agent.ok('task_read', { id });
    assert.deepEqual([done.outcome, done.metadata], ['For Friday.', { price: 90 }]);
  });

  it('say that a task that was done keeps its outcome, and how it gets another', async () => {
    const agent = await bench.agent();
    const { text: id } = await agent.call('task_create', { title: 'Order the van' });
    const done = (outcome: string) => agent.ok('task_update', { id, status: 'done', metadata: { outcome } });
    await done('For Friday.');
    assert.equal((await done('For Friday.')).message, undefined);
    assert.deepEqual((await agent.ok('task_read', { id })).metadata, {});
    assert.match(String((await done('For Monday.')).message), /keeps its outcome/);
    assert.equal((await agent.ok('task_read', { id })).outcome, 'For Friday.');
    await agent.ok('task_update', { id, status: 'open' });
    await agent.ok('task_update', { id, status: 'done' });
    const { outcome, metadata } = await agent.ok('task_read', { id });
    assert.deepEqual([outcome, metadata], ['For Monday.', {}]);
  });

  it('refuse what the queue does not know, in the same words as everywhere', async () => {
    const agent = await bench.agent();
    const { text: a } = await agent.call('task_create', { title: 'a' });
    const { text: b } = await agent.call('task_create', { title: 'b', depends_on: [a] });
    const refusals: [string, Record<string, unknown>, RegExp][] = [
      ['task_dep', { id: a, add: [b] }, /VALIDATION_ERROR.*wait for each other in a circle/s],
      ['task_update', { id: a, status: 'cancelled' }, /VALIDATION_ERROR.*task_delete/s],
      ['task_update', { id: b, status: 'in_progress' }, /VALIDATION_ERROR.*waits for/s],
      ['task_update', { id: a, status: 'finished' }, /VALIDATION_ERROR.*status/s],
      ['task_read', { id: 'zzzzz' }, /PLAN_NOT_FOUND/],
      ['task_read', { id: '../../etc/passwd' }, /VALIDATION_ERROR/],
      ['task_edit', { id: a, description: 'x' }, /VALIDATION_ERROR.*description/s],
      ['task_create', { title: '' }, /VALIDATION_ERROR/],
      ['task_create', {}, /VALIDATION_ERROR.*title/s],
    ];
    for (const [name, args, message] of refusals) {
      const { text, isError, structured } = await agent.call(name, args);
      assert.equal(isError, true, name);
      assert.equal(structured, undefined);
      assert.match(text, message);
      assert.match(text, /^\[Session: [a-z-]+\] Error: /);
    }
  });

  it('list no more than a hundred, in few words', async () => {
    const agent = await bench.agent();
    await agent.ok('9plan_session_create');
    const plans = Array.from({ length: 130 }, (_, index) => ({
      goal: `${index} ${'long title '.repeat(100)}`,
      context: 'c',
      approach: 'a',
      success_criteria: 's',
    }));
    await agent.ok('9plan_queue_add_batch', { plans });
    const { text, structured } = await agent.call('task_list');
    assert.equal((structured?.tasks as unknown[] | undefined)?.length, 100);
    assert.equal(structured?.more, true);
    assert.ok(text.length < 20_000);
  });
});
