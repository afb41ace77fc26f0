import assert from 'node:assert/strict';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Agent, Bench, plan } from './support/agent';

describe('sessions and plans as resources', () => {
  const bench = new Bench();
  let agent: Agent;
  let session: string;
  let id: string;
  beforeEach(async () => {
    agent = await bench.agent();
    session = String((await agent.ok('9plan_session_create', { task_description: 'Sail\naway' })).session_name);
    id = String((await agent.ok('9plan_queue_add', plan('Caulk the hull'))).plan_id);
  });
  afterEach(() => bench.clear());

  const read = async (uri: string) => {
    const { contents } = await agent.client.readResource({ uri });
    return String((contents[0] as { text: string }).text);
  };

  it('are listed and read', async () => {
    const { resources } = await agent.client.listResources();
    assert.deepEqual(
      resources.map(({ uri, title }) => [uri, title]),
      [
        ['nineplan://sessions', 'All sessions'],
        [`nineplan://session/${session}`, 'Sail'],
      ],
    );
    const { sessions } = JSON.parse(await read('nineplan://sessions'));
    assert.deepEqual(sessions, (await agent.ok('9plan_admin_sessions')).sessions);
    const state = JSON.parse(await read(`nineplan://session/${session}`));
    const { plan_files, file_db_match, ...expected } = await agent.ok('9plan_admin_state');
    assert.deepEqual(state, expected);
    assert.match(await read(`nineplan://plan/${id}`), /# Goal\nCaulk the hull\n/);
    await agent.ok('9plan_queue_pull');
    await agent.ok('9plan_plan_complete', { outcome: 'Dry' });
    assert.match(await read(`nineplan://plan/${id}`), /# Outcome\nDry\n/);
  });

  it('are announced, with subscriptions and completion', () => {
    const { resources, completions } = agent.client.getServerCapabilities() ?? {};
    assert.deepEqual([resources, completions], [{ subscribe: true, listChanged: true }, {}]);
  });

  it('that are none are refused', async () => {
    const none = [
      'nineplan://plan/zzzzz',
      'nineplan://session/a-b-c',
      'nineplan://plan/../../x',
      'file:///etc/passwd',
      '',
    ];
    for (const uri of none) await assert.rejects(read(uri), /-32602/);
    await assert.rejects(agent.client.subscribeResource({ uri: 'file:///etc/passwd' }), /-32602/);
  });

  it('complete their names', async () => {
    const complete = async (uri: string, name: string, value: string) => {
      const { completion } = await agent.client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
      });
      return completion.values;
    };
    assert.deepEqual(await complete('nineplan://session/{name}', 'name', session.slice(0, 3)), [session]);
    assert.deepEqual(await complete('nineplan://plan/{id}', 'id', ''), [id]);
    assert.deepEqual(await complete('nineplan://plan/{id}', 'id', '-'), []);
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['nineplan://session/{name}', 'nineplan://plan/{id}'],
    );
  });

  it('tell subscribers of a change that another process makes, and only of those', async () => {
    const updated: string[] = [];
    let notice: () => void = () => undefined;
    agent.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updated.push(params.uri);
      notice();
    });
    for (const uri of ['nineplan://sessions', `nineplan://plan/${id}`]) await agent.client.subscribeResource({ uri });
    const other = await bench.agent({ store: agent.store });
    const both = new Promise<void>((resolve) => {
      notice = () => updated.length >= 2 && resolve();
    });
    await other.ok('9plan_plan_update', { plan_id: id, goal: 'Caulk and paint the hull' });
    await both;
    assert.deepEqual(new Set(updated), new Set(['nineplan://sessions', `nineplan://plan/${id}`]));
    assert.match(await read(`nineplan://plan/${id}`), /Caulk and paint/);

    updated.length = 0;
    await agent.client.unsubscribeResource({ uri: `nineplan://plan/${id}` });
    const one = new Promise<void>((resolve) => {
      notice = resolve;
    });
    await other.ok('9plan_plan_update', { plan_id: id, goal: 'Caulk' });
    await one;
    await agent.client.ping();
    assert.deepEqual(updated, ['nineplan://sessions']);
  });
});
