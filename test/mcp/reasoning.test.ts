import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { Bench } from './support/agent';
import { SERVER } from './support/build';
import { taskServer } from './support/taskServer';

const STEPS = [
  { title: 'Serve', after: [1, 2] },
  { title: 'Cook', body: 'Slowly.', after: [2], acceptance_criteria: 'It is soft.' },
  { title: 'Shop' },
];
const QUICK_MS = 6_000;

type Step = { id: string; plan_id: string | null; title: string; after: string[] };

describe('reasoning_plan', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  const plan = async (backend: object | undefined, more: { store?: string; cwd?: string } = {}) => {
    const env: Record<string, string> = backend ? { NINEPLAN_TASK_BACKEND: JSON.stringify(backend) } : {};
    const agent = await bench.agent({ ...more, env });
    const start = performance.now();
    const answer = await agent.ok('reasoning_plan', { goal: 'Dinner', steps: STEPS });
    const steps = answer.steps as Step[];
    return { agent, answer, steps, ids: steps.map(({ plan_id }) => plan_id), ms: performance.now() - start };
  };

  it('queues the steps in order, each ready when those before it are done', async () => {
    const { agent, answer, steps } = await plan(undefined);
    assert.equal(answer.persisted, 'queue');
    assert.deepEqual(
      steps.map(({ id, title, after }) => [id, title, after]),
      [
        ['q1', 'Shop', []],
        ['q2', 'Cook', ['q1']],
        ['q3', 'Serve', ['q1', 'q2']],
      ],
    );
    for (const { plan_id } of steps) {
      const pulled = await agent.ok('9plan_queue_pull');
      assert.equal(pulled.plan_id, plan_id);
      await agent.ok('9plan_plan_complete', { outcome: 'Done.' });
    }
    assert.equal((await agent.ok('9plan_admin_validate')).valid, true);
  });

  it('refuses steps that make no plan, naming them', async () => {
    const agent = await bench.agent();
    const refusals: [unknown[], RegExp][] = [
      [[], /no steps/],
      [
        [
          { title: 'a', depends_on: [1] },
          { title: 'b', depends_on: [0] },
        ],
        /step 0 \("a"\) waits for step 1 \("b"\) waits for step 0/,
      ],
      [[{ title: 'a', blocked_by: [0] }], /unknown field "blocked_by"/],
      [[{ title: 'a', depends_on: ['q1'] }], /depends_on/],
      [[{ body: 'a' }], /title/],
    ];
    for (const [steps, message] of refusals) {
      const { text, isError } = await agent.call('reasoning_plan', { goal: 'x', steps });
      assert.equal(isError, true);
      assert.match(text, /VALIDATION_ERROR/);
      assert.match(text, message);
    }
    assert.deepEqual((await agent.ok('9plan_admin_sessions')).sessions, []);
  });

  describe('with a task backend', () => {
    it('stores the steps there, with their blockers', async () => {
      const other = bench.store();
      const backend = { command: process.execPath, args: [SERVER], env: { NINEPLAN_SESSIONS_PATH: other } };
      const { agent, answer, ids } = await plan(backend);
      assert.equal(answer.persisted, 'task_backend');
      assert.equal(answer.warning, undefined);
      const keeper = await bench.agent({ store: other });
      const serve = await keeper.ok('task_read', { id: ids[2] });
      assert.deepEqual((serve.depends_on as string[]).sort(), [ids[0], ids[1]].sort());
      assert.match(String(serve.body), /^after: q1 .*, q2 /);
      const cook = await keeper.ok('task_read', { id: ids[1] });
      assert.match(String(cook.body), /Slowly\..*It is soft\./s);
      const shop = await keeper.ok('task_read', { id: ids[0] });
      assert.match(String(shop.body), /^Goal of the whole plan: Dinner/);
      assert.deepEqual((await agent.ok('9plan_admin_sessions')).sessions, []);
    });

    it('knows the working folder in its configuration', async () => {
      const cwd = bench.folder();
      for (const name of ['one', 'two']) mkdirSync(join(cwd, name));
      const backend = {
        command: process.execPath,
        args: [SERVER],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a configuration says it.
        cwd: '${workspaceFolder}/one',
        env: { NINEPLAN_SESSIONS_PATH: '$PWD/two/store' },
      };
      const { ids } = await plan(backend, { cwd });
      const keeper = await bench.agent({ store: join(cwd, 'two', 'store') });
      assert.equal((await keeper.ok('task_read', { id: ids[0] })).title, 'Shop');
    });

    const script = join(__dirname, 'support', 'taskServer.ts');
    const otherMake = (refuseAt: number, ...more: string[]) => ({
      command: process.execPath,
      args: ['--require', require.resolve('tsx/cjs'), script, String(refuseAt), ...more],
    });

    it('leaves nothing there, and says so, when one step is refused', async () => {
      const { answer, ids } = await plan(otherMake(3));
      assert.equal(answer.persisted, 'none');
      assert.match(String(answer.warning), /quota exceeded/);
      assert.doesNotMatch(String(answer.warning), /could not be deleted/);
      assert.deepEqual(ids, [null, null, null]);
    });

    it('takes no chat for an id', async () => {
      const { answer, ids } = await plan(otherMake(9, 'chats'));
      assert.equal(answer.persisted, 'none');
      assert.match(String(answer.warning), /task_create answered "I have made T-1\..* instead of an id/);
      assert.deepEqual(ids, [null, null, null]);
    });

    const unreachable: [string, object][] = [
      ['does not exist', { command: join(__dirname, 'no-such-program') }],
      ['ends at once', { command: process.execPath, args: ['-e', '0'] }],
      ['never answers', { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }],
      ['speaks no MCP', { command: process.execPath, args: ['-e', 'setInterval(() => console.log("hello"), 100)'] }],
      ['refuses connections', { url: 'http://127.0.0.1:9/mcp' }],
    ];
    for (const [name, backend] of unreachable) {
      it(`keeps the plan in the conversation, within seconds, if the backend ${name}`, async () => {
        const { agent, answer, ms } = await plan(backend);
        assert.equal(answer.persisted, 'none');
        assert.ok(answer.warning);
        assert.ok(ms < QUICK_MS, `${ms} ms`);
        // The server itself is as well as ever.
        await agent.ok('9plan_session_create');
      });
    }

    it('queues the steps, with a warning, if the backend has no task_create', async () => {
      const env = { NINEPLAN_SESSIONS_PATH: bench.store(), NINEPLAN_TOOLSETS: 'history' };
      const { answer, ids } = await plan({ command: process.execPath, args: [SERVER], env });
      assert.equal(answer.persisted, 'queue');
      assert.match(String(answer.warning), /no task_create/);
      assert.equal(ids.filter(Boolean).length, 3);
    });

    describe('over HTTP', () => {
      let http: Server;
      afterEach(() => void http.close());

      const serve = async (refuseAt?: number) => {
        const { server, tasks } = taskServer(refuseAt);
        const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
        await server.connect(transport);
        http = createServer((request, response) => {
          if (request.headers.authorization === 'Bearer secret') void transport.handleRequest(request, response);
          else response.writeHead(401).end();
        });
        await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
        return { tasks, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` };
      };

      it('sends the headers, uses the fields and tools that the server has', async () => {
        const { tasks, url } = await serve();
        const { answer, ids } = await plan({ url, headers: { authorization: 'Bearer secret' } });
        assert.equal(answer.persisted, 'task_backend');
        assert.deepEqual(ids, ['T-1', 'T-2', 'T-3']);
        const cook = tasks.get('T-2') as { description: string; deps: string[] };
        assert.match(cook.description, /Slowly/);
        assert.deepEqual(cook.deps, ['T-1']);
        assert.deepEqual((tasks.get('T-3') as { deps: string[] }).deps, ['T-1', 'T-2']);
      });

      it('takes back the tasks of a plan that could not be stored whole', async () => {
        const { tasks, url } = await serve(3);
        const { answer } = await plan({ url, headers: { authorization: 'Bearer secret' } });
        assert.equal(answer.persisted, 'none');
        assert.equal(tasks.size, 0);
      });

      const rubbish: [string, string, string][] = [
        ['a page', 'text/html', '<h1>It works!</h1>'],
        ['other JSON', 'application/json', '{"hello": "world"}'],
        ['broken JSON', 'application/json', '{"jsonrpc": "2.0", "id":'],
        ['a stream of something else', 'text/event-stream', 'data: hello\n\n'],
      ];
      for (const [name, type, body] of rubbish) {
        it(`keeps the plan in the conversation, within seconds, if the answer is ${name}`, async () => {
          http = createServer((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
          await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
          const { answer, ms } = await plan({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` });
          assert.equal(answer.persisted, 'none');
          assert.match(String(answer.warning), /could not be stored/);
          assert.ok(ms < QUICK_MS, `${ms} ms`);
        });
      }

      it('keeps the plan in the conversation if it is turned away', async () => {
        const { url } = await serve();
        const { answer } = await plan({ url });
        assert.equal(answer.persisted, 'none');
        assert.match(String(answer.warning), /could not be stored/);
      });
    });
  });
});
