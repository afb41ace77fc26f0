import assert from 'node:assert/strict';
import { lstatSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { WindowPresence } from '../../src/store/presence';
import { Bench, plan } from '../mcp/support/agent';
import { INITIALIZE, INITIALIZED } from '../mcp/support/serverProcess';
import { House } from './support/house';
import { LONG, record } from './support/ledger';
import { namesBelow } from './support/namesBelow';

const CROWD = 10_000;

/** Who is on the same machine, or gets to see what others write there. */
describe('An attacker', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('on the same machine can’t read what the store writes', async function () {
    if (process.platform === 'win32') this.skip();
    const mask = process.umask(0);
    try {
      const store = bench.store();
      const house = new House(store, { snapshots: true });
      const agent = await bench.agent({ store });
      await agent.ok('9plan_session_create');
      await agent.ok('9plan_queue_add', plan('private'));
      const presence = new WindowPresence(store, true);
      await house.store.compact();
      await house.repair();
      const exposed = namesBelow(store).filter((name) => (lstatSync(join(store, name)).mode & 0o077) !== 0);
      await agent.close();
      const later = namesBelow(store).filter((name) => (lstatSync(join(store, name)).mode & 0o077) !== 0);
      presence.dispose();
      await house.store.close();
      assert.deepEqual([...exposed, ...later], []);
      assert.equal(lstatSync(store).mode & 0o777, 0o700);
      assert.ok(namesBelow(store).includes('store.db'));
    } finally {
      process.umask(mask);
    }
    record({ part: 'attackers', fault: 'files that others may read', cases: 1, losses: 0 });
  });

  it('with the logs, the answers and the store has no secret of the configuration', async () => {
    const secrets = ['Sesame-of-HTTP', 'Sesame-of-env', 'Sesame-of-args', 'Sesame-of-header', 'Sesame-in-address'];
    const backends = [
      { command: process.execPath, args: ['-e', 'process.exit(3)', secrets[2]], env: { TOKEN: secrets[1] } },
      { url: `http://127.0.0.1:9/mcp?key=${secrets[4]}`, headers: { authorization: secrets[3] } },
    ];
    for (const backend of backends) {
      const server = await bench.http({
        NINEPLAN_HTTP_TOKEN: secrets[0] as string,
        NINEPLAN_LOG_LEVEL: 'debug',
        NINEPLAN_TASK_BACKEND: JSON.stringify(backend),
      });
      const agent = await bench.httpAgent(server, { token: secrets[0] });
      const answers = [
        await agent.call('9plan_session_create'),
        await agent.call('reasoning_plan', { goal: 'g', steps: [{ title: 'a' }] }),
        await agent.call('task_create', { title: 'a' }),
        await agent.call('9plan_admin_validate'),
      ];
      const files = namesBelow(server.store).filter((name) => lstatSync(join(server.store, name)).isFile());
      const all = [
        server.process.stderr,
        JSON.stringify(answers),
        ...files.map((name) => readFileSync(join(server.store, name), 'latin1')),
      ].join('\n');
      assert.match(JSON.stringify(answers[1]), /"warning"/, 'it was tried');
      for (const secret of secrets)
        assert.ok(
          !all.includes(secret),
          `${secret} in ${all.slice(all.indexOf(secret) - 200, all.indexOf(secret) + 50)}`,
        );
    }
    record({ part: 'attackers', fault: 'secrets in logs and answers', cases: secrets.length, losses: 0 });
  });

  it(`with ${CROWD} sessions over HTTP costs neither memory nor those who listen`, async function () {
    if (!LONG) this.skip();
    this.timeout(600_000);
    const LIVE_MEMORY = join(bench.folder(), 'live');
    const NODE_OPTIONS = `--require ${join(__dirname, 'support/liveMemory.cjs')}`;
    const server = await bench.http({ LIVE_MEMORY, NODE_OPTIONS });
    const listening = await bench.httpAgent(server);
    await listening.ok('9plan_session_create');
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const post = (message: object, more: object = {}) =>
      new Promise<string>((resolve, reject) => {
        const sending = request(server.url, { method: 'POST', headers: { ...headers, ...more } }, (response) => {
          response.resume().on('end', () => resolve(String(response.headers['mcp-session-id'])));
        });
        sending.on('error', reject).end(JSON.stringify(message));
      });
    const open = async () => post(INITIALIZED, { 'mcp-session-id': await post(INITIALIZE) });
    // What it still refers to, told every second.
    const memory = async () => {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      return Number(readFileSync(LIVE_MEMORY, 'utf8'));
    };
    for (let n = 0; n < 1500; n++) await open();
    const before = await memory();
    for (let n = 1500; n < CROWD; n++) await open();
    const after = await memory();
    await listening.ok('9plan_queue_add', plan('In the crowd'));
    assert.ok(after < before * 1.2, `${before} MB, then ${after} MB`);
    record({
      part: 'attackers',
      fault: 'sessions over HTTP',
      cases: CROWD,
      losses: 0,
      figures: `live memory ${before.toFixed(0)} MB after 1,500, ${after.toFixed(0)} MB after all`,
    });
  });
});
