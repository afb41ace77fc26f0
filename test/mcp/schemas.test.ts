import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { Bench } from './support/agent';

const FOLDER = join(__dirname, 'schemas');
const FIRST_FIFTEEN = /^9plan_/;

const size = (value: unknown) => JSON.stringify(value).length;
/** What a model pays for. */
const shown = ({ name, description, inputSchema }: Tool) => ({ name, description, inputSchema });

describe('what tools/list shows', () => {
  const bench = new Bench();
  let tools: Tool[];
  before(async () => {
    tools = (await (await bench.agent()).client.listTools()).tools;
    await bench.clear();
  });

  it('is, tool for tool, what it was (UPDATE_SNAPSHOTS=1 rewrites the files)', () => {
    mkdirSync(FOLDER, { recursive: true });
    for (const tool of tools) {
      const file = join(FOLDER, `${tool.name}.snap.json`);
      if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, `${JSON.stringify(tool, null, 2)}\n`);
      assert.deepEqual(tool, JSON.parse(readFileSync(file, 'utf8')), `${tool.name} is advertised differently now`);
    }
    const files = readdirSync(FOLDER).map((name) => name.replace('.snap.json', ''));
    assert.deepEqual(files.sort(), tools.map(({ name }) => name).sort());
  });

  it('stays small', () => {
    const fifteen = tools.filter(({ name }) => FIRST_FIFTEEN.test(name));
    assert.equal(fifteen.length, 15);
    assert.ok(size(fifteen.map(shown)) < 8_000, `the fifteen take ${size(fifteen.map(shown))} bytes`);
    assert.ok(size(tools.map(shown)) < 14_000, `all take ${size(tools.map(shown))} bytes`);
    assert.ok(size(tools) < 32_000, `the whole list takes ${size(tools)} bytes`);
  });

  it('has a title, a description, annotations and a closed input schema without unions', () => {
    for (const { name, title, description, annotations, inputSchema } of tools) {
      assert.ok(title && description, name);
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
        assert.equal(typeof annotations?.[hint], 'boolean', `${name} ${hint}`);
      }
      assert.equal(annotations?.openWorldHint, false, name);
      assert.equal(inputSchema.type, 'object', name);
      assert.equal(inputSchema.additionalProperties, false, name);
      assert.doesNotMatch(JSON.stringify(inputSchema), /"(anyOf|oneOf|allOf|\$ref|\$schema)"/, name);
    }
  });

  it('has an output schema that names the session, but for the two plain tools', () => {
    for (const { name, outputSchema } of tools) {
      if (name === 'task_create' || name === 'get_plan_mode_standards') assert.equal(outputSchema, undefined);
      else assert.ok(outputSchema?.properties?.session_name, name);
    }
  });
});

describe('the choice of tools', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());
  const names = async (env: Record<string, string>) => {
    const { tools } = await (await bench.agent({ env })).client.listTools();
    return tools.map(({ name }) => name);
  };

  it('is narrowed by NINEPLAN_TOOLSETS, session tools stay', async () => {
    assert.deepEqual(await names({ NINEPLAN_TOOLSETS: 'history' }), [
      '9plan_session_create',
      '9plan_session_resume',
      '9plan_history_search',
      '9plan_history_get',
    ]);
    const queue = await names({ NINEPLAN_TOOLSETS: 'queue' });
    assert.ok(queue.includes('9plan_plan_complete') && !queue.includes('9plan_history_get'));
  });

  it('refuses a tool that was left out, as one it does not know', async () => {
    const agent = await bench.agent({ env: { NINEPLAN_TOOLSETS: 'history' } });
    await assert.rejects(agent.call('9plan_queue_pull'), /-32602.*Unknown tool: 9plan_queue_pull/);
  });

  it('has names without a leading digit if NINEPLAN_TOOL_PREFIX says so, in every word to the model', async () => {
    const agent = await bench.agent({ env: { NINEPLAN_TOOL_PREFIX: 'nineplan_' } });
    const { tools } = await agent.client.listTools();
    const { messages } = await agent.client.getPrompt({ name: 'bootstrap' });
    const created = await agent.call('nineplan_session_create');
    const refused = await agent.call('nineplan_queue_move', { plan_id: 'aaaaa' });
    const ours = JSON.stringify([tools, messages, agent.client.getInstructions(), created, refused]);
    assert.ok(ours.includes('nineplan_queue_pull') && refused.text.includes('nineplan_queue_move'));
    assert.doesNotMatch(ours, /9plan_/);
  });

  it('answers to both names whatever is advertised, and leaves the text of plans alone', async () => {
    for (const prefix of ['9plan_', 'nineplan_']) {
      const agent = await bench.agent({ env: { NINEPLAN_TOOL_PREFIX: prefix } });
      await agent.ok('9plan_session_create');
      const goal = 'Describe 9plan_queue_pull and nineplan_queue_pull';
      await agent.ok('nineplan_queue_add', { goal, context: 'c', approach: 'a', success_criteria: 's' });
      const pulled = await agent.call('9plan_queue_pull');
      assert.equal(pulled.structured?.goal, goal);
      assert.ok(pulled.text.includes(goal));
    }
  });
});
