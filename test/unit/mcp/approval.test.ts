import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { rulingOf } from '../../../src/mcp/decisionForm';
import { newCaller } from '../../../src/planner/caller';
import { Conversation } from '../../support/conversation';

const PANEL = { reviewPanel: true };
const PLAN = '# Move\n\nOn Friday.';
const editor = newCaller('editor');
const never = () => new Promise<ElicitResult>(() => undefined);
const accept = (content: Record<string, unknown>): ElicitResult => ({ action: 'accept', content }) as ElicitResult;
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the answer to a form', () => {
  it('counts only if it is one of the choices that were offered', () => {
    for (const decision of ['constructor', 'toString', 'approved', 'approve the plan', '']) {
      assert.equal(rulingOf(accept({ decision }), 5_000), undefined);
    }
    assert.equal(rulingOf(accept({ decision: 'Request changes' }), 0)?.decision, 'changes_requested');
  });
});

describe('approval of a plan', () => {
  let talk: Conversation;
  afterEach(() => talk.close());

  const open = async (setting: Parameters<typeof Conversation.open>[0]) => {
    talk = await Conversation.open(setting);
    await talk.call('9plan_session_create');
  };
  const exit = (args: Record<string, unknown> = {}, options?: Parameters<Conversation['call']>[2]) =>
    talk.call('exit_plan_mode', { plan: PLAN, ...args }, options);
  const decide = async (ruling: Partial<Parameters<typeof talk.planner.planMode.decide>[1]> = {}) =>
    talk.planner.planMode.decide(editor, {
      ...(await talk.waitingProposal()),
      decision: 'approved',
      decidedBy: 'editor',
      ...ruling,
    });
  const assertNotApproved = ({ structured, text }: Awaited<ReturnType<typeof exit>>) => {
    assert.equal(structured.status, 'submitted');
    assert.equal(structured.decision, null);
    assert.match(String(structured.message), /Do not start/);
    assert.ok(text.includes(String(structured.message)));
  };

  describe('by a form', () => {
    it('shows the plan and one choice, and brings the answer back', async () => {
      await open({ answer: () => accept({ decision: 'Approve the plan', feedback: 'Mind the piano.' }) });
      const { structured } = await exit();
      assert.equal(structured.status, 'approved');
      assert.equal(structured.decision, 'approved');
      assert.equal(structured.decided_by, 'test-agent');
      assert.equal(structured.feedback, 'Mind the piano.');
      const [form] = talk.forms;
      assert.ok(form && 'requestedSchema' in form);
      assert.ok(form.message.includes(PLAN));
      const { properties, required } = form.requestedSchema;
      assert.deepEqual(Object.keys(properties), ['decision', 'feedback']);
      assert.deepEqual(required, ['decision']);
      const enums = Object.values(properties).filter((property) => 'enum' in property);
      assert.equal(enums.length, 1);
      const choices = (enums[0] as { enum: string[] }).enum;
      assert.equal(choices.filter((value) => value.startsWith('Approve')).length, 1);
      assert.notEqual(choices[0]?.startsWith('Approve'), true, 'what a client preselects is no approval');
    });

    const decisions: [string, ElicitResult, string, string][] = [
      ['changes', accept({ decision: 'Request changes', feedback: 'Saturday.' }), 'rejected', 'changes_requested'],
      ['a rejection', accept({ decision: 'Reject the plan' }), 'rejected', 'rejected'],
      ['words without a choice as changes', accept({ feedback: 'approve' }), 'rejected', 'changes_requested'],
    ];
    for (const [name, answer, status, decision] of decisions) {
      it(`takes ${name}`, async () => {
        await open({ answer: () => answer });
        const { structured } = await exit();
        assert.equal(structured.status, status);
        assert.equal(structured.decision, decision);
      });
    }

    const nothing: [string, () => ElicitResult][] = [
      ['an empty answer', () => accept({})],
      ['an answer without content', () => ({ action: 'accept' })],
      ['a choice that was not offered', () => accept({ decision: 'approved' })],
      ['a choice that every object has', () => accept({ decision: 'constructor' })],
      ['a choice that is no text', () => accept({ decision: true })],
      ['a cancellation', () => ({ action: 'cancel' })],
      ['an instant refusal', () => ({ action: 'decline' })],
      ['an instant refusal with content', () => ({ action: 'decline', content: { decision: 'Approve the plan' } })],
      [
        'an error',
        () => {
          throw new Error('approved');
        },
      ],
    ];
    for (const [name, answer] of nothing) {
      it(`takes ${name} for no decision`, async () => {
        await open({ answer });
        const answered = await exit();
        assertNotApproved(answered);
        assert.match(String(answered.structured.message), /closed or declined without a decision/);
        await decide();
        assert.equal((await talk.call('plan_mode_status')).structured.status, 'approved');
      });
    }

    it('takes a refusal that a person had time for as one', async () => {
      await open({ answer: () => delay(1_100).then(() => ({ action: 'decline' })) });
      const { structured } = await exit();
      assert.equal(structured.decision, 'rejected');
      assert.match(String(structured.message), /Stop/);
    });

    it('shows characters that one would not see', async () => {
      await open({ answer: () => accept({ decision: 'Approve the plan' }) });
      await exit({ plan: 'Pack\u202E the\u200B van.' });
      assert.match(talk.forms[0]?.message ?? '', /Pack⟨U\+202E⟩ the⟨U\+200B⟩ van\./);
    });

    it('is never recorded as the decision of a person in the editor, whatever the client calls itself', async () => {
      for (const setting of [{ client: 'editor' }, { client: ' Editor\n' }, { env: { PLAN_MODE_CLIENT: 'editor' } }]) {
        await open({ ...setting, answer: () => accept({ decision: 'Approve the plan' }) });
        const { structured, text } = await exit();
        assert.match(String(structured.decided_by), /^editor \(agent\)$/i);
        assert.doesNotMatch(text, /in the editor/);
        await talk.close();
      }
    });

    it('is withdrawn when the editor decides first', async () => {
      await open({ answer: never });
      const answer = exit();
      await decide({ decision: 'changes_requested', comments: [{ quote: 'Friday', comment: 'Saturday!' }] });
      const { structured, text } = await answer;
      assert.equal(structured.decision, 'changes_requested');
      assert.equal(structured.decided_by, 'editor');
      assert.deepEqual(structured.comments, [{ quote: 'Friday', comment: 'Saturday!' }]);
      assert.match(text, /On “Friday”: Saturday!/);
      assert.deepEqual(talk.withdrawn, [1]);
    });

    it('is preceded by a ping, once, so that it never has the id that clients fail to cancel', async () => {
      await open({ answer: () => ({ action: 'cancel' }) });
      await exit();
      await exit({ plan: 'Another.' });
      assert.equal(talk.forms.length, 2);
      assert.equal(talk.pings, 1);
    });

    it('is withdrawn when the time is over', async () => {
      await open({ answer: never, env: { PLAN_MODE_ELICIT_TIMEOUT: '1' } });
      const answered = await exit();
      assertNotApproved(answered);
      assert.match(String(answered.structured.message), /plan_mode_status/);
      assert.equal(talk.withdrawn.length, 1);
    });

    it('counts even if it is answered after it was withdrawn', async () => {
      let late: (answer: ElicitResult) => void = () => undefined;
      await open({ env: { PLAN_MODE_ELICIT_TIMEOUT: '1' }, answer: () => new Promise((resolve) => (late = resolve)) });
      // A client that can't take a form back answers it all the same.
      talk.client.removeNotificationHandler('notifications/cancelled');
      assertNotApproved(await exit());
      const settled = talk.call('plan_mode_status', { wait_seconds: 5 });
      late(accept({ decision: 'Approve the plan' }));
      assert.equal((await settled).structured.status, 'approved');
    });

    it('changes nothing if it is answered after the editor decided', async () => {
      let late: (answer: ElicitResult) => void = () => undefined;
      await open({ answer: () => new Promise((resolve) => (late = resolve)) });
      talk.client.removeNotificationHandler('notifications/cancelled');
      const answer = exit();
      await decide({ decision: 'rejected' });
      assert.equal((await answer).structured.decision, 'rejected');
      late(accept({ decision: 'Approve the plan' }));
      await delay(50);
      const { structured } = await talk.call('plan_mode_status');
      assert.equal(structured.decision, 'rejected');
      assert.equal(structured.decided_by, 'editor');
    });

    it('leaves the proposal open when the call is cancelled', async () => {
      await open({ answer: never });
      const controller = new AbortController();
      const call = exit({}, { signal: controller.signal });
      await talk.waitingProposal();
      controller.abort();
      await assert.rejects(call);
      await decide();
      assert.equal((await talk.call('plan_mode_status')).structured.status, 'approved');
    });

    it('shows the beginning of a long plan and where the whole of it lies', async () => {
      let path = '';
      let whole = '';
      await open({
        answer: ({ message }) => {
          path = /The whole of it: (.+)$/.exec(message)?.[1] ?? '';
          whole = readFileSync(path, 'utf8');
          return accept({ decision: 'Approve the plan' });
        },
      });
      const plan = '计划 $15,000 --- '.repeat(3_000);
      assert.equal((await exit({ plan })).structured.status, 'approved');
      assert.match(talk.forms[0]?.message ?? '', /^.*\n\nOnly its beginning is shown/);
      assert.equal(whole, plan);
      const [form] = talk.forms;
      assert.ok(Buffer.byteLength(form?.message ?? '') < 20_500);
      assert.ok(!form?.message.includes('\uFFFD'));
      assert.equal(existsSync(path), false);
    });
  });

  describe('in the editor', () => {
    it('waits while a window is open, and reports progress', async () => {
      await open({ windows: [PANEL] });
      const progress: number[] = [];
      const call = exit({}, { onprogress: ({ progress: done }) => progress.push(done) });
      await decide({ approvedPlan: 'On Saturday.', feedback: 'Better.', queueTodos: [] });
      const { structured, text } = await call;
      assert.equal(structured.status, 'approved');
      assert.equal(structured.approved_plan, 'On Saturday.');
      assert.match(text, /The plan as approved:\n\nOn Saturday\./);
      assert.match(text, /follow approved_plan/);
      assert.ok(progress.length > 0);
    });

    it('hands over the plans made of the to-dos', async () => {
      await open({ windows: [PANEL] });
      const call = exit({ todos: [{ content: 'Order the van', status: 'pending' }] });
      const { queuedPlans } = await decide({ queueTodos: [0] });
      const { structured } = await call;
      assert.deepEqual(structured.queued_plans, queuedPlans);
      assert.match(String(structured.message), new RegExp(`${queuedPlans[0]}.*9plan_queue_pull`));
    });

    it('asks no second question of an editor that shows the proposal itself', async () => {
      await open({ client: 'Visual Studio Code', answer: never, windows: [PANEL] });
      const call = exit();
      await decide();
      assert.equal((await call).structured.status, 'approved');
      assert.equal(talk.forms.length, 0);
    });

    it('asks by a form too if the panel is off, or if the client is another one', async () => {
      await open({
        client: 'Visual Studio Code',
        answer: () => accept({ decision: 'Approve the plan' }),
        windows: [{ reviewPanel: false }],
      });
      assert.equal((await exit()).structured.status, 'approved');
      await talk.close();
      await open({ client: 'codex', answer: () => accept({ decision: 'Approve the plan' }), windows: [PANEL] });
      assert.equal((await exit()).structured.status, 'approved');
    });

    it('goes on waiting for the editor when the form was closed', async () => {
      await open({ answer: () => ({ action: 'cancel' }), windows: [PANEL] });
      const call = exit();
      await talk.waitingProposal();
      await delay(100);
      await decide();
      assert.equal((await call).structured.decided_by, 'editor');
    });

    it('stops waiting when the time is over', async () => {
      await open({ windows: [PANEL], env: { PLAN_MODE_ELICIT_TIMEOUT: '1' } });
      const answered = await exit();
      assertNotApproved(answered);
      assert.match(String(answered.structured.message), /Wait on with plan_mode_status/);
    });

    it('says to ask again when an unanswered form was taken back, and to wait while it is open', async () => {
      await open({ answer: () => new Promise<never>(() => {}), env: { PLAN_MODE_ELICIT_TIMEOUT: '1' } });
      const call = exit();
      await talk.waitingProposal();
      await delay(300);
      const meanwhile = await talk.call('plan_mode_status');
      assert.match(String(meanwhile.structured.message), /Wait on with plan_mode_status/);
      const answered = await call;
      assertNotApproved(answered);
      assert.match(String(answered.structured.message), /call exit_plan_mode again/);
      await talk.call('plan_mode_status');
    });

    it('stops waiting when the last window is closed', async () => {
      await open({ windows: [PANEL] });
      const call = exit();
      await talk.waitingProposal();
      await delay(100);
      talk.windows.length = 0;
      assertNotApproved(await call);
    }).timeout(40_000);

    it('goes on waiting while a window is reloaded', async () => {
      await open({ windows: [PANEL] });
      const call = exit();
      await talk.waitingProposal();
      await delay(100);
      talk.windows.length = 0;
      // As long as that takes where the machine is busy, or far away.
      await delay(17_000);
      talk.windows.push(PANEL);
      await delay(500);
      await decide();
      assert.equal((await call).structured.status, 'approved');
    }).timeout(40_000);

    it('gives a window time to show itself when the plan is the first thing in the store', async () => {
      talk = await Conversation.open({});
      const call = exit();
      await talk.waitingProposal();
      await delay(200);
      talk.windows.push(PANEL);
      await delay(2_200);
      await decide();
      assert.equal((await call).structured.status, 'approved');
    });

    it('stops waiting for a proposal that the same agent replaced', async () => {
      await open({ windows: [PANEL] });
      const call = exit();
      await talk.waitingProposal();
      await talk.call('enter_plan_mode');
      assert.equal((await call).structured.status, 'superseded');
    });
  });

  it('comes back at once when nobody can be asked, and says to ask in the conversation', async () => {
    await open({});
    const start = performance.now();
    const answered = await exit();
    assert.ok(performance.now() - start < 1_000);
    assertNotApproved(answered);
    assert.match(String(answered.structured.message), /conversation/);
  });

  it('can be asked for later, and waited for', async () => {
    await open({});
    await exit();
    assert.equal((await talk.call('plan_mode_status', { wait_seconds: 1 })).structured.status, 'submitted');
    const status = talk.call('plan_mode_status', { wait_seconds: 60 });
    await decide({ feedback: 'Go.' });
    const { structured } = await status;
    assert.equal(structured.status, 'approved');
    assert.equal(structured.feedback, 'Go.');
    assert.match(String(structured.approved_plan), /^# Move\n/);
  });

  it('gives a very long approved plan whole, and of what the person changed the beginning', async () => {
    const approvedPlan = 'New line\n'.repeat(20_000).trim();
    await open({ windows: [PANEL] });
    const call = exit({ plan: 'Old line\n'.repeat(20_000) });
    await decide({ approvedPlan });
    const decided = await call;
    assert.equal(decided.structured.approved_plan, approvedPlan);
    assert.match(String(decided.structured.message), /The beginning of what was changed/);
    assert.ok(String(decided.structured.message).length < 25_000);
    assert.equal((await talk.call('plan_mode_status')).structured.approved_plan, approvedPlan);
  });

  it('says that there is nothing to approve before a plan was handed in', async () => {
    await open({});
    assert.equal((await talk.call('plan_mode_status')).structured.status, 'none');
    await talk.call('enter_plan_mode', { goal: 'Move' });
    assert.equal((await talk.call('plan_mode_status')).structured.status, 'planning');
  });

  it('is beyond the reach of every tool', async () => {
    await open({});
    const { structured } = await exit({ todos: [{ content: 'Order the van', status: 'pending' }] });
    const proposal = structured.proposal_id as string;
    const { tools } = await talk.client.listTools();
    assert.equal(tools.length, 28);
    for (const tool of tools) {
      const fields = Object.keys(tool.inputSchema.properties ?? {});
      assert.ok(!fields.some((field) => /decision|decided|approve|verdict|proposal/.test(field)), tool.name);
    }
    // Whatever an agent may put into whichever field, the proposal stays undecided.
    for (const value of [proposal, 'approved', 'Approve the plan', 'done']) {
      for (const { name, inputSchema } of tools) {
        if (name === 'exit_plan_mode' || name === 'enter_plan_mode') continue;
        const args = Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((field) => [field, value]));
        await talk.call(name, { ...args, wait_seconds: undefined });
        const required = Object.fromEntries((inputSchema.required ?? []).map((field) => [field, value]));
        await talk.call(name, required);
      }
    }
    const verdict = await talk.planner.planMode.verdict(proposal);
    assert.equal(verdict.status, 'submitted');
  });
});
