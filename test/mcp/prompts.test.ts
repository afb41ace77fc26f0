import assert from 'node:assert/strict';
import { Bench } from './support/agent';

describe('the prompts', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  const listed = async (env: Record<string, string> = {}) => {
    const { prompts } = await (await bench.agent({ env })).client.listPrompts();
    return prompts.map(({ name }) => name);
  };

  it('are one for the queue and one for plan mode, each with a title and the task as an argument', async () => {
    const { prompts } = await (await bench.agent()).client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name, arguments: args }) => [name, args?.map((one) => [one.name, one.required])]),
      [
        ['bootstrap', [['task', false]]],
        ['plan_first', [['task', false]]],
      ],
    );
    for (const { title, description } of prompts) assert.ok(title && description);
  });

  for (const name of ['bootstrap', 'plan_first']) {
    it(`${name} ends with the task as it was given, else with a question for it`, async () => {
      const { client } = await bench.agent({ env: { NINEPLAN_TOOL_PREFIX: 'nineplan_' } });
      const text = async (args?: Record<string, string>) => {
        const { messages } = await client.getPrompt({ name, arguments: args });
        assert.equal(messages.length, 1);
        assert.equal(messages[0]?.role, 'user');
        const { content } = messages[0] ?? {};
        assert.equal(content?.type, 'text');
        return content.text;
      };
      const task = 'Say why 9plan_queue_pull costs $1 & `$&`';
      const asked = await text({ task: `\n${task}\n` });
      assert.ok(asked.endsWith(`\n\nThe task:\n\n${task}`), asked);
      // What we say names the tools as they are listed; what the person says stays.
      assert.equal(asked.match(/\b9plan_/g)?.length, 1);
      for (const none of [undefined, {}, { task: ' \n' }] as (Record<string, string> | undefined)[])
        assert.match(await text(none), /First ask me what .+\.$/);
    });
  }

  it('tell only of tools that are on offer', async () => {
    assert.deepEqual(await listed({ NINEPLAN_TOOLSETS: 'queue,history' }), ['bootstrap']);
    assert.deepEqual(await listed({ NINEPLAN_TOOLSETS: 'planmode' }), ['plan_first']);
    const agent = await bench.agent({ env: { NINEPLAN_TOOLSETS: 'history' } });
    await assert.rejects(agent.client.getPrompt({ name: 'plan_first' }), /-32602.*Unknown prompt: plan_first/);
  });
});
