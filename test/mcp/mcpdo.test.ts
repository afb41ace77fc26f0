import assert from 'node:assert/strict';
import { Bench } from './support/agent';
import { Mcpdo } from './support/mcpdo';

const plan = '# Move\n\nOn Friday, for $15,000.';
/** A person needs longer than this to read. */
const reading = () => new Promise((resolve) => setTimeout(resolve, 1_100));

describe('the form of a client that we did not write (mcpdo)', () => {
  const bench = new Bench();
  let store: string;
  beforeEach(() => {
    store = bench.store();
  });
  afterEach(() => bench.clear());

  const connect = async (options?: Parameters<typeof Mcpdo.connect>[2]) =>
    bench.keep(await Mcpdo.connect(bench.folder(), store, options));
  const ask = async (options?: Parameters<typeof Mcpdo.connect>[2]) => {
    const client = await connect(options);
    return { client, form: await client.form('exit_plan_mode', { plan }) };
  };

  for (const era of ['legacy', 'auto']) {
    it(`shows the plan, and a decision counts (protocol: ${era})`, async () => {
      const { client, form } = await ask({ flags: ['--elicit', 'form', '--era', era] });
      assert.ok(form.message.includes(plan));
      const answer = await client.respond(form, { decision: 'Approve the plan', feedback: 'Go.' });
      assert.deepEqual([answer.status, answer.feedback], ['approved', 'Go.']);
      assert.equal((await client.ok('plan_mode_status')).status, 'approved');
    });
  }

  it('that is accepted without a decision approves nothing, words alone ask for changes', async () => {
    const { client, form } = await ask();
    assert.equal((await client.respond(form, { feedback: '' })).status, 'submitted');
    const again = await client.form('exit_plan_mode', { plan });
    const { decision, feedback } = await client.respond(again, { feedback: 'Cheaper.' });
    assert.deepEqual([decision, feedback], ['changes_requested', 'Cheaper.']);
  });

  it('that is cancelled decides nothing, one that a person declines rejects the plan', async () => {
    const { client, form } = await ask();
    await reading();
    assert.equal((await client.respond(form, '--cancel')).status, 'submitted');
    const again = await client.form('exit_plan_mode', { plan });
    await reading();
    const { status, decision } = await client.respond(again, '--decline');
    assert.deepEqual([status, decision], ['rejected', 'rejected']);
  });

  it('that nobody answers, or that is not shown, leaves the proposal open', async () => {
    const { client, form } = await ask({ env: { PLAN_MODE_ELICIT_TIMEOUT: '1' } });
    await reading();
    await reading();
    // The form is gone: what comes back is how the call has ended.
    assert.equal((await client.respond(form, { decision: 'Approve the plan' })).status, 'submitted');
    assert.equal((await client.ok('plan_mode_status')).status, 'submitted');
    const without = await connect({ flags: ['--elicit', 'off'] });
    const answer = await without.ok('exit_plan_mode', { plan });
    assert.equal(answer.status, 'submitted');
    assert.match(String(answer.message), /Nobody could be asked/);
  });

  it('is taken away when the editor decides, the first one of the connection too', async () => {
    const window = bench.window(store);
    const { client, form } = await ask();
    await window.decide({ decision: 'changes_requested', feedback: 'Cheaper.' });
    await reading();
    const late = await client.respond(form, { decision: 'Approve the plan' });
    assert.deepEqual([late.decision, late.decided_by], ['changes_requested', 'editor']);
    const { decision, feedback } = await client.ok('plan_mode_status');
    assert.deepEqual([decision, feedback], ['changes_requested', 'Cheaper.']);
  });

  it('goes with a client that is killed; the plan is decided in the editor all the same', async () => {
    const { client } = await ask();
    await client.die();
    await bench.window(store).decide({ feedback: 'Go.' });
    const { status, feedback } = await (await connect()).ok('plan_mode_status');
    assert.deepEqual([status, feedback], ['approved', 'Go.']);
  });
});
