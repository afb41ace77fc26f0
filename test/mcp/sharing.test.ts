import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { Bench, plan } from './support/agent';

describe('agents and people on one session', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  /** A session whose plan one agent has pulled, and an agent of another client in it. */
  async function pulled() {
    const store = bench.store();
    const first = await bench.agent({ store, client: 'first' });
    const { session_name } = await first.ok('9plan_session_create');
    const { plan_id, plan_path } = await first.ok('9plan_queue_add', plan('Move'));
    await first.ok('9plan_queue_pull');
    const other = await bench.agent({ store, client: 'other' });
    await other.ok('9plan_session_resume', { session_name });
    return { first, other, id: String(plan_id), path: String(plan_path) };
  }

  it('are told whose plan it was that they completed or put back', async () => {
    const { first, other } = await pulled();
    assert.match(String((await other.ok('9plan_plan_defer', { reason: 'Later.' })).message), /first.* had pulled it/);
    await first.ok('9plan_queue_pull', {});
    assert.match(
      String((await other.ok('9plan_plan_complete', { outcome: 'Moved.' })).message),
      /first.* had pulled it/,
    );
  });

  it('see the goals that people have just written into the files', async () => {
    const { other, path } = await pulled();
    await writeFile(path, (await readFile(path, 'utf8')).replace('Move', 'Move by hand'));
    const { active_plan } = (await other.ok('9plan_admin_state')) as { active_plan: { goal: string } };
    assert.equal(active_plan.goal, 'Move by hand');
  });

  it('are told what of a person they wrote over, unread', async () => {
    const { first, id, path } = await pulled();
    await writeFile(path, (await readFile(path, 'utf8')).replace('1. Do it.', 'A person’s way.'));
    const approach = 'The agent’s way.';
    const { message } = await first.ok('9plan_plan_update', { plan_id: id, approach });
    assert.match(String(message), /your text replaced it[\s\S]*A person’s way\./);
    const again = await first.ok('9plan_plan_update', { plan_id: id, approach: 'Another way.' });
    assert.equal(again.message, undefined);
  });

  it('learn whose proposal is open where they have none', async () => {
    const { first, other } = await pulled();
    await first.ok('exit_plan_mode', { plan: '# Move' });
    const { status, message } = await other.ok('plan_mode_status');
    assert.equal(status, 'none');
    assert.match(String(message), /proposals of first/);
  });

  it('are told by which tools a plan is made to wait', async () => {
    const { first } = await pulled();
    const { text } = await first.call('9plan_queue_add', plan('Pack', { depends_on: ['aaaaa'] }));
    assert.match(text, /task_dep.*reasoning_plan/);
  });
});
