import assert from 'node:assert/strict';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { Bench, plan } from './support/agent';
import { toolCall } from './support/serverProcess';

describe('the server over HTTP', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('serves many agents on one store, each with its own session', async () => {
    const server = await bench.http();
    const agents = await Promise.all(['a', 'b', 'c'].map((client) => bench.httpAgent(server, { client })));
    const sessions = await Promise.all(agents.map((agent) => agent.ok('9plan_session_create')));
    assert.equal(new Set(sessions.map(({ session_name }) => session_name)).size, 3);
    await Promise.all(
      agents.flatMap((agent, n) => [1, 2, 3].map((i) => agent.ok('9plan_queue_add', plan(`Goal ${n}.${i}`)))),
    );
    for (const [n, agent] of agents.entries()) {
      const pulled = await agent.ok('9plan_queue_pull');
      assert.deepEqual([pulled.session_name, pulled.goal], [sessions[n]?.session_name, `Goal ${n}.1`]);
    }
    const overStdio = await bench.agent({ store: server.store });
    const { sessions: all } = await overStdio.ok('9plan_admin_sessions');
    assert.equal((all as unknown[]).length, 3);
  });

  it('lets one agent wait for what another one adds', async () => {
    const server = await bench.http();
    const [one, two] = [await bench.httpAgent(server), await bench.httpAgent(server)];
    const { session_name } = await one.ok('9plan_session_create');
    const pulled = one.call('9plan_queue_pull', { wait_seconds: 30 });
    await two.ok('9plan_queue_add', plan('late', { session_name }));
    assert.equal((await pulled).structured?.goal, 'late');
  });

  it('asks for an approval through the stream of the call', async () => {
    const server = await bench.http();
    const agent = await bench.httpAgent(server, {
      answer: (): ElicitResult => ({ action: 'accept', content: { decision: 'Approve the plan', feedback: 'Go.' } }),
    });
    const progress: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string }) => progress.push(message);
    const { structured } = await agent.call('exit_plan_mode', { plan: '# Move' }, { onprogress });
    assert.deepEqual(
      [structured?.status, structured?.decided_by, structured?.feedback],
      ['approved', 'test-agent', 'Go.'],
    );
    assert.equal(progress[0], 'Waiting for a decision on the plan');
  });

  it('takes the form back when the plan is decided in the editor', async () => {
    const server = await bench.http();
    let shown: (signal: AbortSignal) => void;
    const form = new Promise<AbortSignal>((resolve) => (shown = resolve));
    const agent = await bench.httpAgent(server, {
      answer: (_form, signal) => {
        shown(signal);
        return new Promise<ElicitResult>(() => undefined);
      },
    });
    const call = agent.ok('exit_plan_mode', { plan: '# Move' });
    const signal = await form;
    await bench.window(server.store).decide({ feedback: 'As it is.' });
    assert.equal((await call).decided_by, 'editor');
    assert.ok(signal.aborted, 'the client was told to take its form away');
  });

  it('pulls nothing for a client whose connection is lost', async () => {
    const server = await bench.http();
    const [one, two] = [await bench.httpAgent(server), await bench.httpAgent(server)];
    const { session_name } = await one.ok('9plan_session_create');
    const { sessionId } = one.transport as StreamableHTTPClientTransport;
    const lost = new AbortController();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': String(sessionId),
    };
    const body = JSON.stringify(toolCall('lost', '9plan_queue_pull', { wait_seconds: 60 }));
    const waiting = await fetch(server.url, { method: 'POST', headers, body, signal: lost.signal });
    assert.equal(waiting.status, 200);
    lost.abort();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await two.ok('9plan_queue_add', plan('for one who is there', { session_name }));
    assert.equal((await two.ok('9plan_admin_state', { session_name })).active_plan, null);
    assert.equal((await two.ok('9plan_queue_pull', { session_name })).goal, 'for one who is there');
  });

  it('ends a session that its client ends, and what it was waiting for', async () => {
    const server = await bench.http();
    const [one, two] = [await bench.httpAgent(server), await bench.httpAgent(server)];
    const { session_name } = await one.ok('9plan_session_create');
    const waiting = one.call('9plan_queue_pull', { wait_seconds: 600 }).catch((error) => error);
    await one.client.ping();
    const transport = one.transport as StreamableHTTPClientTransport;
    const { sessionId } = transport;
    await transport.terminateSession();
    await two.ok('9plan_queue_add', plan('for somebody else', { session_name }));
    const pulled = await two.ok('9plan_queue_pull', { session_name });
    assert.equal(pulled.goal, 'for somebody else');
    await one.close();
    assert.ok((await waiting) instanceof Error);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': String(sessionId) };
    assert.equal((await fetch(server.url, { headers })).status, 404);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends on ${signal}: calls get their answers, changes are kept`, async function () {
      if (process.platform === 'win32') this.skip();
      const server = await bench.http();
      const agent = await bench.httpAgent(server);
      await agent.ok('9plan_session_create');
      const waiting = agent.call('9plan_queue_pull', { wait_seconds: 600 });
      await agent.client.ping();
      server.process.child.kill(signal);
      assert.equal((await waiting).structured?.queue_empty, true);
      assert.deepEqual(await server.process.exited, { code: 0, signal: null });
      const next = await bench.agent({ store: server.store });
      assert.equal(((await next.ok('9plan_admin_sessions')).sessions as unknown[]).length, 1);
    });
  }

  it('goes on when its stdin ends, and writes nothing to stdout', async () => {
    const server = await bench.http();
    server.process.child.stdin?.end();
    const agent = await bench.httpAgent(server);
    await agent.ok('9plan_session_create');
    assert.deepEqual(server.process.lines, []);
  });

  it('refuses a configuration that can not work with a line and code 2', async () => {
    const { url } = await bench.http();
    const configurations = [
      [{ NINEPLAN_HTTP_HOST: '0.0.0.0' }, /^9plan: NINEPLAN_HTTP_TOKEN must be set, because other machines/],
      [{ NINEPLAN_HTTP_TOKEN: 'not one word' }, /^9plan: NINEPLAN_HTTP_TOKEN must be of printable/],
      [{ NINEPLAN_HTTP_PORT: new URL(url).port }, /^9plan: NINEPLAN_HTTP_PORT: port \d+ of 127\.0\.0\.1 is in use/],
      [{ NINEPLAN_HTTP_HOST: '203.0.113.1', NINEPLAN_HTTP_TOKEN: 't' }, /^9plan: NINEPLAN_HTTP_HOST: 203\.0\.113\.1/],
    ] as const;
    for (const [env, line] of configurations) {
      const server = bench.server({ NINEPLAN_TRANSPORT: 'http', NINEPLAN_HTTP_PORT: '0', ...env });
      assert.equal((await server.exited).code, 2, server.stderr);
      assert.match(server.stderr, line);
      assert.equal(server.stderr.trimEnd().split('\n').length, 1, server.stderr);
    }
  });
});
