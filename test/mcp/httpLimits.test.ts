import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { LazyPlanner } from '../../src/lazyPlanner';
import { readConfig } from '../../src/mcp/config';
import { JsonLog, LineSink } from '../../src/mcp/log';
import { type HttpLimits, type HttpService, serveHttp } from '../../src/mcp/transports/http';
import { Bench } from './support/agent';
import { INITIALIZE } from './support/serverProcess';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const GENEROUS: HttpLimits = {
  bodyBytes: 1_000_000,
  headersMs: 10_000,
  requestMs: 10_000,
  connections: 100,
  sessions: 100,
  idleMs: 60_000,
};

/** The limits of the server, which are too long to be waited for, made short. */
describe('the limits of the HTTP server', () => {
  const bench = new Bench();
  const toClose: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of toClose.splice(0)) await close();
    await bench.clear();
  });

  async function serve(limits: Partial<HttpLimits>): Promise<HttpService> {
    const result = readConfig({ NINEPLAN_SESSIONS_PATH: bench.store(), NINEPLAN_HTTP_PORT: '0' });
    assert.ok(result.ok);
    const log = new JsonLog(new LineSink(process.stderr.fd), 'error');
    const opening = new LazyPlanner(result.config, '0', log);
    const door = {
      config: result.config,
      log,
      version: '0',
      planner: () => opening.planner(),
      warmUp: () => opening.warmUp(),
      windows: () => opening.windows(),
    };
    const service = await serveHttp(door, { ...GENEROUS, ...limits });
    toClose.push(
      () => service.close(1_000),
      () => opening.close(),
    );
    return service;
  }

  const begin = (url: string) => fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(INITIALIZE) });
  const idOf = (response: Response) => String(response.headers.get('mcp-session-id'));
  const ping = async (url: string, id: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const { status } = await fetch(url, { method: 'POST', headers: { ...HEADERS, 'mcp-session-id': id }, body });
    return status;
  };
  const listen = (url: string, id: string, signal?: AbortSignal) =>
    fetch(url, { headers: { ...HEADERS, 'mcp-session-id': id }, signal });

  it('cut off a body that drips', async () => {
    const { url } = await serve({ headersMs: 500, requestMs: 500 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let said = '';
    socket.on('data', (chunk) => (said += chunk));
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n';
    socket.write(head);
    const drip = setInterval(() => socket.write(' '), 50);
    socket.on('error', () => undefined);
    await once(socket, 'close');
    clearInterval(drip);
    assert.match(said, /^HTTP\/1\.1 408 /);
  });

  it('leave a quiet connection open for the next request', async function () {
    this.timeout(20_000);
    const { url } = await serve({ headersMs: 500, requestMs: 500 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const ask = async () => {
      socket.write('PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const [said] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return String(said).slice(0, 12);
    };
    try {
      assert.equal(await ask(), 'HTTP/1.1 405');
      // Longer than Node's own limit of 5 s, and than the limits of a request.
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      assert.equal(await ask(), 'HTTP/1.1 405');
    } finally {
      socket.destroy();
    }
  });

  it('end a session that is idle, but none with an open stream', async () => {
    const { url } = await serve({ idleMs: 400 });
    const [idle, listening] = [idOf(await begin(url)), idOf(await begin(url))];
    const gone = new AbortController();
    const stream = await listen(url, listening, gone.signal);
    assert.equal(stream.status, 200);
    const deadline = performance.now() + 5_000;
    // Asking would keep it alive.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(await ping(url, idle), 404);
    assert.equal(await ping(url, listening), 200);
    gone.abort();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(await ping(url, listening), 404);
    assert.ok(performance.now() < deadline);
  });

  it('refuse one session too many while all are in use', async () => {
    const { url } = await serve({ sessions: 2 });
    const [one, two] = [idOf(await begin(url)), idOf(await begin(url))];
    const gone = new AbortController();
    await Promise.all([listen(url, one, gone.signal), listen(url, two)]);
    const refused = await begin(url);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '60']);
    assert.match(((await refused.json()) as { error: { message: string } }).error.message, /^Too many sessions: 2/);
    gone.abort();
    let third = await begin(url);
    while (third.status === 503) third = await begin(url);
    assert.equal(third.status, 200);
    assert.equal(await ping(url, one), 404);
    assert.equal(await ping(url, two), 200);
  });

  it('close a server at once although streams are open, and take nothing new meanwhile', async () => {
    const { url, close } = await serve({});
    const id = idOf(await begin(url));
    const stream = await listen(url, id);
    const begun = performance.now();
    await close(5_000);
    assert.ok(performance.now() - begun < 2_000);
    assert.equal(await stream.text(), '');
    await assert.rejects(begin(url));
    toClose.shift();
  });
});
