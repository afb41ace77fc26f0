import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import packageJson from '../../package.json';
import { CAPABILITIES, PROTOCOL_VERSIONS } from '../../src/mcp/greeting';
import { Bench, plan } from './support/agent';
import { SERVER } from './support/build';
import { INITIALIZE, INITIALIZED, toolCall } from './support/serverProcess';

describe('the server process', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('greets as the SDK would', async () => {
    assert.deepEqual(PROTOCOL_VERSIONS, [
      LATEST_PROTOCOL_VERSION,
      ...SUPPORTED_PROTOCOL_VERSIONS.filter((v) => v !== LATEST_PROTOCOL_VERSION),
    ]);
    for (const version of [...SUPPORTED_PROTOCOL_VERSIONS, '1999-01-01']) {
      const params = { ...INITIALIZE.params, protocolVersion: version };
      const server = bench.server();
      server.send({ ...INITIALIZE, params });
      const { result } = await server.answer(1);
      const sdk = new Server({ name: '9plan', version: packageJson.version }, { capabilities: CAPABILITIES });
      // biome-ignore lint/complexity/useLiteralKeys: the SDK's own negotiation is private
      const expected = await sdk['_oninitialize']({ method: 'initialize', params });
      const { instructions, ...rest } = result ?? {};
      assert.deepEqual(rest, expected);
      assert.match(String(instructions), /9plan_queue_pull/);
      await server.end();
    }
  });

  it('knows its client although it greeted it before the SDK was there', async () => {
    const store = bench.store();
    const server = bench.server({ NINEPLAN_SESSIONS_PATH: store });
    server.send(INITIALIZE, INITIALIZED, toolCall(2, '9plan_session_create'));
    await server.answer(2);
    await server.end();
    assert.match(readFileSync(join(store, 'journal-1.ndjson'), 'utf8'), /"by":"raw"/);
    assert.equal(server.messages().filter(({ id }) => id === 1).length, 1, 'greeted once');
  });

  it('shows its tools before they are loaded, as it does later', async () => {
    const environments: Record<string, string>[] = [
      {},
      { NINEPLAN_TOOLSETS: 'history,tasks' },
      { NINEPLAN_TOOL_PREFIX: 'nineplan_' },
    ];
    for (const env of environments) {
      const server = bench.server(env);
      const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
      server.send(INITIALIZE, INITIALIZED, list(2), { ...list(3), params: { _meta: { progressToken: 3 } } });
      const first = (await server.answer(2)).result;
      const later = (await server.answer(3)).result;
      assert.match(JSON.stringify(first), /"name":"task_create"/);
      assert.deepEqual(first, later);
      await server.end();
      assert.deepEqual(
        server.messages().map(({ id }) => id),
        [1, 2, 3],
        'each is answered once',
      );
    }
  });

  it('answers a client that takes its time between the first lines, and one that ends right after them', async () => {
    const slow = bench.server();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    for (const message of [INITIALIZE, INITIALIZED, list, toolCall(3, '9plan_session_create')]) {
      slow.send(message);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert.ok((await slow.answer(3)).result);
    await slow.end();
    assert.deepEqual(
      slow.messages().map(({ id }) => id),
      [1, 2, 3],
    );
    const hasty = bench.server();
    hasty.send(INITIALIZE, INITIALIZED, list);
    await hasty.end();
    assert.deepEqual(
      hasty.messages().map(({ id }) => id),
      [1, 2],
    );
  });

  it('takes a first line that comes in pieces, with others in one', async () => {
    const server = bench.server();
    const text = `${JSON.stringify(INITIALIZE)}\n${JSON.stringify({ jsonrpc: '2.0', id: 'é', method: 'ping' })}\n`;
    const bytes = Buffer.from(text);
    for (const part of [bytes.subarray(0, 10), bytes.subarray(10, 60), bytes.subarray(60)]) {
      server.child.stdin?.write(part);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.deepEqual((await server.answer('é')).result, {});
    await server.end();
  });

  it('says that it does not know server/discover, and stays', async () => {
    const server = bench.server();
    server.send({ jsonrpc: '2.0', id: 0, method: 'server/discover' }, INITIALIZE);
    assert.equal((await server.answer(0)).error?.code, -32601);
    assert.ok((await server.answer(1)).result);
    await server.end();
  });

  it('answers what is no message with an error, blank lines and odd answers with nothing, and stays', async () => {
    const server = bench.server();
    server.write(
      'this is no JSON\n\n \r\n[1,2]\n{"id":7}\n{"jsonrpc":"2.0","id":"x","method":5}\n{"id":9,"result":null}\n',
    );
    server.send(INITIALIZE, { jsonrpc: '2.0', id: 2, method: 'ping' });
    assert.ok((await server.answer(2)).result);
    await server.end();
    const errors = server.messages().filter(({ error }) => error !== undefined);
    assert.deepEqual(
      errors.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32600],
        [7, -32600],
        ['x', -32600],
      ],
    );
  });

  it('refuses a call that is none in one readable line, and suggests names for an unknown tool', async () => {
    const server = bench.server();
    const call = (id: number, params?: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });
    server.send(INITIALIZE, INITIALIZED, call(2), call(3, { arguments: {} }), call(4, { name: 7 }));
    server.send(call(5, { name: '9plan_admin_sessions', arguments: null }));
    server.send(call(6, { name: '9plan_admin_sessions', arguments: [] }), call(7, { name: 'queuePull' }));
    server.send(call(8, { name: 'frobnicate' }), call(9, { name: '9plan_admin_sessions' }));
    const expected: [number, RegExp][] = [
      [2, /^params must be an object/],
      [3, /^params\.name must be a string/],
      [4, /^params\.name must be a string/],
      [5, /^params\.arguments must be an object/],
      [6, /^params\.arguments must be an object/],
      [7, /^Unknown tool: queuePull\. Did you mean 9plan_queue_pull/],
      [8, /^Unknown tool: frobnicate$/],
    ];
    for (const [id, message] of expected) {
      const { error } = await server.answer(id);
      assert.equal(error?.code, -32602);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /MCP error|\n/);
    }
    assert.ok((await server.answer(9)).result);
    await server.end();
  });

  it('takes a message of several megabytes that comes in pieces', async () => {
    const server = bench.server();
    server.send(
      INITIALIZE,
      INITIALIZED,
      toolCall(2, '9plan_session_create', { task_description: 'é'.repeat(3_000_000) }),
    );
    assert.ok((await server.answer(2)).result);
    await server.end();
  });

  it('writes nothing but messages to stdout, at any log level', async () => {
    const server = bench.server({ NINEPLAN_LOG_LEVEL: 'debug' });
    server.send(INITIALIZE, INITIALIZED, toolCall(2, '9plan_session_create'), toolCall(3, '9plan_queue_pull'));
    await server.answer(3);
    await server.end();
    for (const message of server.messages()) assert.ok('id' in message || 'method' in message);
    for (const line of server.stderr.split('\n').filter(Boolean)) assert.equal(typeof JSON.parse(line).level, 'number');
  });

  it('records the client and the agent it is told of rather than the name in the greeting', async () => {
    const store = bench.store();
    const env = { NINEPLAN_SESSIONS_PATH: store, PLAN_MODE_CLIENT: 'told', PLAN_MODE_AGENT_ID: 'a1' };
    const server = bench.server(env);
    server.send(INITIALIZE, INITIALIZED, toolCall(2, '9plan_session_create'));
    await server.answer(2);
    server.send(toolCall(3, 'todo_write', { todos: [] }), toolCall(4, 'enter_plan_mode'));
    await server.answer(4);
    await server.end();
    const journal = readFileSync(join(store, 'journal-1.ndjson'), 'utf8');
    assert.match(journal, /"by":"told"/);
    assert.match(journal, /"client":"told","agent":"a1"/);
    assert.doesNotMatch(journal, /"raw"/);
  });

  it('goes on when nobody reads its stderr', async () => {
    const server = bench.server({ NINEPLAN_LOG_LEVEL: 'debug' }, { readStderr: false });
    server.send(INITIALIZE, INITIALIZED);
    for (let id = 2; id < 3_000; id++) server.send(toolCall(id, '9plan_history_get', { plan_id: 'x'.repeat(100) }));
    await server.answer(2_999);
    for (const { id, result } of server.messages())
      assert.ok(id === 1 || result?.isError, `call ${id} was refused as usual`);
    assert.equal((await server.end()).code, 0);
  });

  it('makes nothing on disk before the first change', async () => {
    const cwd = bench.folder();
    mkdirSync(join(cwd, '.git'));
    const server = bench.server({ NINEPLAN_SESSIONS_PATH: '' }, { cwd });
    server.send(INITIALIZE, INITIALIZED, toolCall(2, '9plan_admin_sessions'), toolCall(3, '9plan_queue_pull'));
    await server.answer(2);
    await server.answer(3);
    assert.deepEqual(readdirSync(cwd), ['.git']);
    server.send(toolCall(4, '9plan_session_create'));
    const { structuredContent } = (await server.answer(4)).result as { structuredContent: { session_path: string } };
    assert.ok(structuredContent.session_path.includes(join(cwd, '.9plan')));
    assert.ok(existsSync(join(cwd, '.9plan')));
    await server.end();
  });

  it('ends when stdin ends, after it has answered what it was asked', async () => {
    const server = bench.server();
    const adds = Array.from({ length: 20 }, (_, n) => toolCall(10 + n, '9plan_queue_add', plan(`Goal ${n}`)));
    server.send(INITIALIZE, INITIALIZED, toolCall(2, '9plan_session_create'));
    await server.answer(2);
    server.send(...adds);
    const waiting = toolCall(99, '9plan_queue_pull', { wait_seconds: 600, session_name: 'no-such-session' });
    server.send(waiting);
    assert.deepEqual(await server.end(), { code: 0, signal: null });
    const answered = server.messages().filter(({ id }) => typeof id === 'number' && id >= 10);
    assert.equal(answered.length, 21);
  });

  it('does not let a waiting call hold it back', async () => {
    const server = bench.server();
    server.send(INITIALIZE, INITIALIZED, toolCall(2, '9plan_session_create'));
    await server.answer(2);
    server.send(toolCall(3, '9plan_queue_pull', { wait_seconds: 600 }), { jsonrpc: '2.0', id: 4, method: 'ping' });
    await server.answer(4);
    const begun = performance.now();
    assert.equal((await server.end()).code, 0);
    assert.ok(performance.now() - begun < 4_000);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends on ${signal}`, async function () {
      if (process.platform === 'win32') this.skip();
      const server = bench.server();
      server.send(INITIALIZE, INITIALIZED, toolCall(2, '9plan_session_create'));
      await server.answer(2);
      server.child.kill(signal);
      assert.deepEqual(await server.exited, { code: 0, signal: null });
    });
  }

  it('refuses a wrong configuration with a line for each variable and code 2', async () => {
    const server = bench.server({
      NINEPLAN_LOG_LEVEL: 'loud',
      NINEPLAN_HTTP_PORT: 'x',
      PLAN_MODE_DB_PATH: '/old.sqlite3',
    });
    assert.equal((await server.exited).code, 2);
    assert.deepEqual(
      server.stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['9plan: PLAN_MODE_DB_PATH', '9plan: NINEPLAN_LOG_LEVEL', '9plan: NINEPLAN_HTTP_PORT'],
    );
    assert.deepEqual(server.lines, []);
  });

  it('says how it is used when it is asked, or called in a way it does not know', () => {
    for (const [argument, code] of [
      ['--help', 0],
      ['evnts', 2],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER, argument], { encoding: 'utf8' });
      assert.deepEqual([status, stdout], [code, '']);
      assert.match(stderr, /^usage: 9plan-mcp/);
    }
  });
});
