import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { newCaller } from '../../src/planner/caller';
import { type Agent, Bench, plan } from './support/agent';

const SESSIONS = 'nineplan://sessions';
const PATIENCE_MS = 5_000;

/** What a client is told, kept until it is asked for. */
class Notices {
  private readonly told: string[] = [];
  private wake: () => void = () => undefined;

  constructor(agent: Agent) {
    agent.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => this.take(params.uri));
    agent.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => this.take('list'));
  }

  forget(): void {
    this.told.length = 0;
  }

  all(): Set<string> {
    return new Set(this.told);
  }

  /** Waits until all of these were told of since `forget`. */
  async of(expected: Iterable<string>): Promise<void> {
    const wanted = [...expected];
    const deadline = performance.now() + PATIENCE_MS;
    while (!wanted.every((uri) => this.told.includes(uri))) {
      const left = deadline - performance.now();
      const missing = wanted.filter((uri) => !this.told.includes(uri));
      assert.ok(left > 0, `not told of ${missing.join(', ')}, but of ${this.told.join(', ')}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private take(what: string): void {
    this.told.push(what);
    this.wake();
  }
}

const textOf = async (agent: Agent, uri: string) => {
  try {
    const { contents } = await agent.client.readResource({ uri });
    return String((contents[0] as { text: string }).text);
  } catch {
    return undefined;
  }
};

describe('a subscription in one process to changes made by another', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  for (const transport of ['stdio', 'HTTP'] as const) {
    it(`brings a notification of each (${transport})`, async () => {
      const store = bench.store();
      const agent =
        transport === 'stdio'
          ? await bench.agent({ store })
          : await bench.httpAgent(await bench.http({ NINEPLAN_SESSIONS_PATH: store }));
      const notices = new Notices(agent);
      const other = await bench.agent({ store });
      await other.ok('9plan_session_create');
      const { plan_id } = await other.ok('9plan_queue_add', plan('Caulk the hull'));
      const uri = `nineplan://plan/${plan_id}`;
      await agent.client.subscribeResource({ uri });
      for (let n = 0; n < 5; n++) {
        notices.forget();
        await other.ok('9plan_plan_update', { plan_id, goal: `Caulk plank ${n}` });
        await notices.of([uri]);
      }
    });
  }

  it('begins before there is a store', async () => {
    const agent = await bench.agent();
    const notices = new Notices(agent);
    await agent.client.subscribeResource({ uri: SESSIONS });
    await agent.client.listResources();
    const other = await bench.agent({ store: agent.store });
    await other.ok('9plan_session_create');
    await notices.of([SESSIONS, 'list']);
  });

  it('tells of the list only who has asked for it, and only when it changes', async () => {
    const agent = await bench.agent();
    await agent.ok('9plan_session_create');
    const notices = new Notices(agent);
    const other = await bench.agent({ store: agent.store });
    await agent.client.subscribeResource({ uri: SESSIONS });
    await other.ok('9plan_session_create');
    await notices.of([SESSIONS]);
    await agent.client.ping();
    assert.deepEqual(notices.all(), new Set([SESSIONS]));

    await agent.client.listResources();
    notices.forget();
    await other.ok('9plan_queue_add', plan('No session comes or goes'));
    await notices.of([SESSIONS]);
    await agent.client.ping();
    assert.deepEqual(notices.all(), new Set([SESSIONS]));
    await other.ok('9plan_session_create');
    await notices.of(['list']);
  });

  it('tells of plans that go with their session', async () => {
    const agent = await bench.agent();
    const { session_name } = await agent.ok('9plan_session_create');
    const { plan_id } = await agent.ok('9plan_queue_add', plan('Caulk the hull'));
    const notices = new Notices(agent);
    const uri = `nineplan://plan/${plan_id}`;
    await agent.client.subscribeResource({ uri });
    const window = bench.window(agent.store);
    await window.planner.sessions.delete(newCaller('editor'), { sessionName: String(session_name) });
    await notices.of([uri]);
    assert.equal(await textOf(agent, uri), undefined);
  });

  it('tells of everything when the store is exchanged', async function () {
    if (process.platform === 'win32') this.skip();
    const agent = await bench.agent();
    const { session_name } = await agent.ok('9plan_session_create');
    const notices = new Notices(agent);
    const uris = [SESSIONS, `nineplan://session/${session_name}`];
    for (const uri of uris) await agent.client.subscribeResource({ uri });
    await agent.client.listResources();
    await rm(agent.store, { recursive: true, force: true, maxRetries: 10 });
    const other = await bench.agent({ store: agent.store });
    await other.ok('9plan_session_create');
    await notices.of([...uris, 'list']);
  });

  it('misses no change of what is read, whatever the other does', async function () {
    this.timeout(120_000);
    const agent = await bench.agent();
    const other = await bench.agent({ store: agent.store });
    const { session_name } = await other.ok('9plan_session_create');
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(String((await other.ok('9plan_queue_add', plan(`Goal ${n}`))).plan_id));
    const uris = [SESSIONS, `nineplan://session/${session_name}`, ...ids.map((id) => `nineplan://plan/${id}`)];
    const notices = new Notices(agent);
    for (const uri of uris) await agent.client.subscribeResource({ uri });
    const read = () => Promise.all(uris.map((uri) => textOf(other, uri)));

    const id = fc.nat(3).map((n) => ids[n] ?? '');
    const command = fc.oneof(
      fc.constant<[string, object]>(['9plan_queue_add', plan('One more')]),
      fc.constant<[string, object]>(['9plan_queue_pull', {}]),
      fc.string().map((text): [string, object] => ['9plan_plan_complete', { outcome: `Made: ${text}` }]),
      fc.string().map((text): [string, object] => ['9plan_plan_defer', { reason: `Later: ${text}` }]),
      id.map((plan_id): [string, object] => ['9plan_plan_discard', { plan_id, reason: 'Not needed' }]),
      fc.record({ plan_id: id, goal: fc.string() }).map((args): [string, object] => ['9plan_plan_update', args]),
      fc
        .record({ plan_id: id, position: fc.constantFrom('front', 'back') })
        .map((args): [string, object] => ['9plan_queue_move', args]),
      fc.tuple(id, id).map(([one, two]): [string, object] => ['task_dep', { id: one, add: [two] }]),
      fc
        .record({ id, status: fc.constantFrom('open', 'in_progress', 'done', 'cancelled') })
        .map((args): [string, object] => ['task_update', args]),
    );
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(command, async ([name, args]) => {
        const before = await read();
        notices.forget();
        await other.call(name, args as Record<string, unknown>);
        const after = await read();
        const changed = uris.filter((_uri, n) => before[n] !== after[n]);
        changes += changed.length;
        await notices.of(changed);
      }),
      { numRuns: 100 },
    );
    assert.ok(changes > 30, `only ${changes} changes were made`);
  });
});
