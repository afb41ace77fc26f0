import assert from 'node:assert/strict';
import { readConfig } from '../../../src/mcp/config';

function read(environment: Record<string, string>) {
  const result = readConfig(environment);
  assert.ok(result.ok, result.ok ? '' : result.problems.join());
  return result.config;
}

function problems(environment: Record<string, string>): string[] {
  const result = readConfig(environment);
  assert.ok(!result.ok, 'should be refused');
  return result.problems;
}

describe('the configuration', () => {
  it('has defaults for everything', () => {
    assert.deepEqual(read({}), {
      sessionsPath: undefined,
      logLevel: 'info',
      transport: 'stdio',
      http: { port: 8080, host: '127.0.0.1', token: undefined, allowedHosts: [] },
      toolsets: ['queue', 'history', 'admin', 'planmode', 'reasoning', 'tasks'],
      toolPrefix: '9plan_',
      taskBackend: undefined,
      client: undefined,
      agent: '',
      elicitTimeout: undefined,
    });
  });

  it('reads every variable', () => {
    const config = read({
      NINEPLAN_SESSIONS_PATH: '/plans',
      NINEPLAN_LOG_LEVEL: 'debug',
      NINEPLAN_TRANSPORT: 'http',
      NINEPLAN_HTTP_PORT: '0',
      NINEPLAN_HTTP_HOST: '0.0.0.0',
      NINEPLAN_HTTP_TOKEN: 'secret',
      NINEPLAN_HTTP_ALLOWED_HOSTS: 'a.example, b.example:8080',
      NINEPLAN_TOOLSETS: 'queue, tasks',
      NINEPLAN_TOOL_PREFIX: 'nineplan_',
      NINEPLAN_TASK_BACKEND: '{"command":"beads","args":["-x"],"env":{"A":"b"},"cwd":"/w"}',
      PLAN_MODE_CLIENT: 'zed',
      PLAN_MODE_AGENT_ID: 'a1',
      PLAN_MODE_ELICIT_TIMEOUT: '30',
    });
    assert.deepEqual(config, {
      sessionsPath: '/plans',
      logLevel: 'debug',
      transport: 'http',
      http: { port: 0, host: '0.0.0.0', token: 'secret', allowedHosts: ['a.example', 'b.example:8080'] },
      toolsets: ['queue', 'tasks'],
      toolPrefix: 'nineplan_',
      taskBackend: { command: 'beads', args: ['-x'], env: { A: 'b' }, cwd: '/w' },
      client: 'zed',
      agent: 'a1',
      elicitTimeout: 30,
    });
    assert.deepEqual(
      read({ NINEPLAN_TASK_BACKEND: '{"url":"http://localhost:1/mcp","headers":{"x":"y"}}' }).taskBackend,
      {
        url: 'http://localhost:1/mcp',
        headers: { x: 'y' },
      },
    );
  });

  it('takes a variable that is set to nothing as unset', () => {
    assert.equal(read({ NINEPLAN_HTTP_PORT: '', NINEPLAN_TOOLSETS: ' ' }).http.port, 8080);
  });

  it('names every wrong variable once, with what it should be', () => {
    assert.deepEqual(
      problems({
        NINEPLAN_LOG_LEVEL: 'loud',
        NINEPLAN_TRANSPORT: 'pigeon',
        NINEPLAN_HTTP_PORT: '70000',
        NINEPLAN_TOOLSETS: 'queue,nonsense,rubbish',
        NINEPLAN_TOOL_PREFIX: 'plan9_',
        PLAN_MODE_ELICIT_TIMEOUT: '-1',
      }),
      [
        'NINEPLAN_LOG_LEVEL must be debug or info or warn or error',
        'NINEPLAN_TRANSPORT must be stdio or http',
        'NINEPLAN_HTTP_PORT must be a whole number from 0 to 65535',
        'NINEPLAN_TOOLSETS must be a comma-separated list of queue, history, admin, planmode, reasoning, tasks',
        'NINEPLAN_TOOL_PREFIX must be 9plan_ or nineplan_',
        'PLAN_MODE_ELICIT_TIMEOUT must be a whole number from 1 to 604800',
      ],
    );
  });

  it('refuses a task backend that is not one, without repeating its secrets', () => {
    for (const value of [
      'no json',
      '[]',
      '{}',
      '{"command":""}',
      '{"url":"ftp://x"}',
      '{"command":"a","token":"hush"}',
      '{"url":"http://me:hush@127.0.0.1/mcp"}',
    ]) {
      const [line, ...more] = problems({ NINEPLAN_TASK_BACKEND: value });
      assert.match(line ?? '', /^NINEPLAN_TASK_BACKEND must be JSON/);
      assert.doesNotMatch(line ?? '', /hush/);
      assert.equal(more.length, 0);
    }
  });

  it('wants a token for a port that other machines reach, and only then', () => {
    const http = { NINEPLAN_TRANSPORT: 'http' };
    for (const host of ['0.0.0.0', '::', '192.168.1.5', '127.0.0.1.example', 'build.example', '128.0.0.1']) {
      assert.deepEqual(problems({ ...http, NINEPLAN_HTTP_HOST: host }), [
        `NINEPLAN_HTTP_TOKEN must be set, because other machines can reach NINEPLAN_HTTP_HOST=${host}`,
      ]);
      assert.ok(readConfig({ ...http, NINEPLAN_HTTP_HOST: host, NINEPLAN_HTTP_TOKEN: 'k9' }).ok);
      assert.ok(readConfig({ NINEPLAN_HTTP_HOST: host }).ok, 'over stdio no port is opened');
    }
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'LocalHost', '']) {
      assert.ok(readConfig({ ...http, NINEPLAN_HTTP_HOST: host }).ok);
    }
  });

  it("warns that plan mode's database path is of no use here", () => {
    const { warnings } = readConfig({ PLAN_MODE_DB_PATH: '/x.sqlite3' });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /PLAN_MODE_DB_PATH is ignored.*NINEPLAN_SESSIONS_PATH/);
    assert.deepEqual(readConfig({}).warnings, []);
  });
});
