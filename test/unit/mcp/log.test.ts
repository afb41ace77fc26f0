import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLog, LineSink } from '../../../src/mcp/log';

describe('the log', () => {
  let folder: string;
  let file: string;
  let descriptor: number;
  let sink: LineSink;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), '9plan-log-'));
    file = join(folder, 'log');
    descriptor = openSync(file, 'w');
    sink = new LineSink(descriptor);
  });
  afterEach(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });

  async function lines(): Promise<Record<string, unknown>[]> {
    await sink.flush(5_000);
    const text = readFileSync(file, 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  it('is one JSON object a line, from its level up, with the session of a child', async () => {
    const log = new JsonLog(sink, 'info');
    log.debug({}, 'hidden');
    log.child({ session: 'calm-red-fox' }).info({ plan: 'abc12' }, 'Plan\npulled');
    log.error({ error: new Error('broken', { cause: new Error('deep') }) }, 'Failed');
    const [info, error, ...more] = await lines();
    assert.deepEqual(more, []);
    assert.deepEqual(
      { level: info?.level, session: info?.session, plan: info?.plan, msg: info?.msg },
      { level: 30, session: 'calm-red-fox', plan: 'abc12', msg: 'Plan\npulled' },
    );
    const shown = error?.error as { message: string; stack: string; cause: { message: string } };
    assert.equal(shown.message, 'broken');
    assert.match(shown.stack, /log\.test/);
    assert.equal(shown.cause.message, 'deep');
  });

  it('writes what comes while a write is under way, in order', async () => {
    const log = new JsonLog(sink, 'info');
    for (let n = 0; n < 500; n++) log.info({ n }, 'x'.repeat(100));
    assert.deepEqual(
      (await lines()).map(({ n }) => n),
      Array.from({ length: 500 }, (_, n) => n),
    );
  });

  it('drops what does not fit and says how much', async () => {
    const log = new JsonLog(sink, 'info');
    for (let n = 0; n < 3_000; n++) log.info({}, 'x'.repeat(1_000));
    const written = await lines();
    const last = written.at(-1);
    assert.ok(written.length < 1_500, `${written.length} lines were kept`);
    assert.equal(written.length - 1 + Number(last?.dropped), 3_000);
  });
});
