import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Agent, Bench, type HttpBench, plan } from './support/agent';
import { INITIALIZE, INITIALIZED, toolCall } from './support/serverProcess';

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** As no browser and no library would send it: any header, Host included. */
function send(url: string, method: string, headers: Record<string, string>, body?: string | Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: text,
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return send(url, 'POST', { ...JSON_BODY, ...headers }, body);
}

function assertRefused(reply: Reply, status: number, message: RegExp): void {
  assert.equal(reply.status, status, reply.body);
  assert.match(String(reply.headers['content-type']), /^application\/json/);
  const { jsonrpc, error, id } = JSON.parse(reply.body);
  assert.deepEqual([jsonrpc, id, typeof error.code], ['2.0', null, 'number']);
  assert.match(error.message, message);
}

describe('the HTTP server under attack', () => {
  const bench = new Bench();
  let server: HttpBench;
  let url: string;
  const begin = async (headers: Record<string, string> = {}) => {
    const reply = await post(url, INITIALIZE, headers);
    assert.equal(reply.status, 200, reply.body);
    return String(reply.headers['mcp-session-id']);
  };
  const stillServes = async () => {
    const agent = await Agent.overHttp(url, server.store);
    await agent.client.ping();
    await agent.close();
  };

  describe('without a token', () => {
    before(async () => {
      server = await bench.http({ NINEPLAN_HTTP_ALLOWED_HOSTS: 'Plans.Example, proxy.example:8443' });
      url = server.url;
    });
    after(() => bench.clear());
    afterEach(() => stillServes());

    it('answers only to names that are its own (DNS rebinding)', async () => {
      const { port } = new URL(url);
      for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', 'localhost@evil.example']) {
        assertRefused(await post(url, INITIALIZE, { host }), 403, /^Host not allowed/);
      }
      for (const host of [
        'localhost',
        `LOCALHOST:${port}`,
        `127.0.0.1:${port}`,
        '[::1]:1',
        'plans.example',
        'proxy.example',
      ]) {
        await begin({ host });
      }
    });

    it('does not answer to no name', async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.end('GET /mcp HTTP/1.0\r\n\r\n');
      let said = '';
      for await (const chunk of socket) said += chunk;
      assert.match(said, /^HTTP\/1\.1 403 .*"Host not allowed: none was sent/s);
    });

    it('answers only to pages of its own (Origin)', async () => {
      for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://localhost', 'x']) {
        assertRefused(await post(url, INITIALIZE, { origin }), 403, /^Origin not allowed/);
      }
      for (const origin of ['http://localhost:6274', 'http://127.0.0.1', 'https://plans.example'])
        await begin({ origin });
    });

    it('lets no other site in by asking first (CORS)', async () => {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const reply = await send(url, 'OPTIONS', headers);
      assert.equal(reply.status, 403);
      assert.equal(reply.headers['access-control-allow-origin'], undefined);
      assertRefused(await send(url, 'OPTIONS', {}), 405, /^Method not allowed/);
    });

    it('has one path and three methods', async () => {
      const base = new URL(url).origin;
      for (const path of ['/', '/mcp/', '/mcp2', '/.well-known/oauth-protected-resource', '//mcp', '/%6dcp']) {
        assertRefused(await post(`${base}${path}`, INITIALIZE), 404, /^Not found: the endpoint is \/mcp/);
      }
      for (const method of ['PUT', 'PATCH', 'HEAD']) assert.equal((await send(url, method, {})).status, 405);
      await post(`${url}?x=1`, INITIALIZE);
    });

    it('knows only sessions that it has given and that have not ended', async () => {
      const id = await begin();
      const unknown = { 'mcp-session-id': 'e3b0c442-98fc-4c14-9afb-f4c8996fb924' };
      assertRefused(await post(url, toolCall(2, '9plan_admin_sessions'), unknown), 404, /^Session not found/);
      assertRefused(await send(url, 'GET', { accept: 'text/event-stream', ...unknown }), 404, /^Session not found/);
      assertRefused(await send(url, 'DELETE', unknown), 404, /^Session not found/);
      assert.equal((await send(url, 'DELETE', { 'mcp-session-id': id })).status, 200);
      const ended = { 'mcp-session-id': id };
      assertRefused(await post(url, toolCall(2, '9plan_admin_sessions'), ended), 404, /^Session not found/);
      assertRefused(await send(url, 'DELETE', ended), 404, /^Session not found/);
    });

    it('asks for a session where there must be one', async () => {
      assertRefused(await post(url, toolCall(2, '9plan_session_create')), 400, /Mcp-Session-Id/);
      assertRefused(await send(url, 'GET', { accept: 'text/event-stream' }), 400, /Mcp-Session-Id/);
      assertRefused(await send(url, 'DELETE', {}), 400, /Mcp-Session-Id/);
    });

    it('gives a session one stream of notifications, and another once that is gone', async () => {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': await begin() };
      const first = new AbortController();
      const stream = await fetch(url, { headers, signal: first.signal });
      assert.equal(stream.status, 200);
      assertRefused(await send(url, 'GET', headers), 409, /^Conflict/);
      first.abort();
      const again = new AbortController();
      for (;;) {
        const { status } = await fetch(url, { headers, signal: again.signal });
        if (status === 200) break;
        assert.equal(status, 409);
      }
      again.abort();
    });

    it('refuses what is no JSON-RPC, as JSON-RPC', async () => {
      const headers = { 'mcp-session-id': await begin() };
      for (const body of ['{', '', 'null', '{"jsonrpc":"2.0"}', '[]', '"x"', '[[[[', `${'['.repeat(4_000_000)}`]) {
        assertRefused(await post(url, body), 400, /.+/);
        const reply = await post(url, body, headers);
        if (body !== '[]') assertRefused(reply, 400, /^Parse error/);
      }
      const notUtf8 = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
      assertRefused(await send(url, 'POST', { ...JSON_BODY, ...headers }, notUtf8), 400, /^Parse error/);
      const plain = { ...headers, 'content-type': 'text/plain' };
      assertRefused(await post(url, toolCall(2, '9plan_admin_sessions'), plain), 415, /application\/json/);
      assertRefused(await post(url, INITIALIZE, { accept: 'text/html' }), 406, /text\/event-stream/);
      const old = { ...headers, 'mcp-protocol-version': '1999-01-01' };
      assertRefused(await post(url, toolCall(2, '9plan_admin_sessions'), old), 400, /Unsupported protocol version/);
    });

    it('takes a body of 8 MB and refuses a larger one, announced or not', async () => {
      const headers = { ...JSON_BODY, 'mcp-session-id': await begin() };
      await post(url, toolCall(2, '9plan_session_create'), headers);
      const call = (bytes: number) => {
        const empty = JSON.stringify(toolCall(3, '9plan_queue_add', plan('Large', { context: '' })));
        return JSON.stringify(
          toolCall(3, '9plan_queue_add', plan('Large', { context: 'x'.repeat(bytes - empty.length) })),
        );
      };
      const limit = 8 * 1024 * 1024;
      const taken = await send(url, 'POST', headers, call(limit));
      assert.match(taken.body, /"isError":true|"plan_id"/, 'read and handed to the tool');
      assertRefused(await send(url, 'POST', headers, call(limit + 1)), 413, /8388608 bytes/);
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      assertRefused(await send(url, 'POST', chunked, call(2 * limit)), 413, /8388608 bytes/);
    });

    it('goes on with a connection over which too much came', async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const size = (16 * 1024 * 1024).toString(16);
      socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write(`${size}\r\n${'x'.repeat(Number.parseInt(size, 16))}\r\n0\r\n\r\n`);
      socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      let said = '';
      for await (const chunk of socket) said += chunk;
      assert.deepEqual(said.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 413', 'HTTP/1.1 400']);
    });

    it('refuses headers without end', async () => {
      const sent = post(url, INITIALIZE, { 'x-long': 'x'.repeat(100_000) });
      // The connection may be gone before the client has read why.
      const outcome = await sent.then(
        ({ status }) => status,
        ({ code }) => code,
      );
      assert.ok([431, 'ECONNRESET', 'EPIPE'].includes(outcome), String(outcome));
    });

    it('does not wait for headers that never come', async function () {
      this.timeout(30_000);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let said = '';
      socket.on('data', (chunk) => (said += chunk));
      socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
      const begun = performance.now();
      await once(socket, 'close');
      assert.match(said, /^HTTP\/1\.1 408 /);
      assert.ok(performance.now() - begun < 20_000);
    });
  });

  describe('with a token', () => {
    before(async () => {
      server = await bench.http({ NINEPLAN_HTTP_TOKEN: 'k9-Sesame/+=', NINEPLAN_HTTP_HOST: '0.0.0.0' });
      url = server.url.replace('0.0.0.0', '127.0.0.1');
    });
    after(() => bench.clear());

    it('serves who has it and nobody else', async () => {
      const wrong = [
        '',
        'k9-Sesame/+=',
        'Bearer',
        'Bearer k9',
        'Bearer k9-Sesame/+= x',
        'Basic k9-Sesame/+=',
        'Bearer K9-SESAME/+=',
      ];
      for (const authorization of wrong) {
        const reply = await post(url, INITIALIZE, { authorization });
        assertRefused(reply, 401, /^Unauthorized/);
        assert.match(String(reply.headers['www-authenticate']), /^Bearer realm="9plan"/);
        assert.doesNotMatch(reply.body, /Sesame/);
      }
      assertRefused(await post(url, INITIALIZE), 401, /^Unauthorized/);
      const id = await begin({ authorization: 'bearer k9-Sesame/+=' });
      for (const method of ['POST', 'GET', 'DELETE']) {
        const headers = { ...JSON_BODY, 'mcp-session-id': id };
        assertRefused(await send(url, method, headers, ''), 401, /^Unauthorized/);
      }
      const agent = await Agent.overHttp(url, server.store, { token: 'k9-Sesame/+=' });
      await agent.ok('9plan_session_create');
      await agent.close();
      assert.doesNotMatch(server.process.stderr, /Sesame/);
    });

    it('checks the names all the same, though it can be reached under any address', async () => {
      const authorization = 'Bearer k9-Sesame/+=';
      assertRefused(await post(url, INITIALIZE, { authorization, host: 'evil.example' }), 403, /^Host/);
      assertRefused(await post(url, INITIALIZE, { authorization, origin: 'http://evil.example' }), 403, /^Origin/);
      await begin({ authorization, host: '127.0.0.1' });
    });
  });

  describe('by a crowd', () => {
    before(async () => {
      server = await bench.http();
      url = server.url;
    });
    after(() => bench.clear());

    it('serves a thousand sessions; beyond, the longest idle one goes, and never one that listens', async function () {
      this.timeout(120_000);
      const listening = await bench.httpAgent(server);
      await listening.ok('9plan_session_create');
      const ids: string[] = [];
      for (let n = 0; n < 1_000; n++) {
        const id = await begin();
        await post(url, INITIALIZED, { 'mcp-session-id': id });
        ids.push(id);
      }
      const ping = (id?: string) =>
        post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': String(id) });
      assertRefused(await ping(ids[0]), 404, /^Session not found/);
      assert.equal((await ping(ids[1])).status, 200);
      assert.equal((await ping(ids[999])).status, 200);
      await listening.ok('9plan_queue_add', plan('In the crowd'));
    });
  });
});
