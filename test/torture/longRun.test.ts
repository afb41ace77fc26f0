import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SERVER } from '../mcp/support/build';
import { LineClient } from '../support/lineClient';
import { account } from './support/account';
import { Crew } from './support/crew';
import { record, SEED } from './support/ledger';
import { liveMemoryIn, Trend } from './support/processUse';
import { steadyLoad } from './support/steadyLoad';

/** Seconds. The long form is `npm run torture -- long`, with the editor itself. */
const SECONDS = Number(process.env.LONG_RUN_SECONDS ?? 45);

describe('A long run', () => {
  let crew: Crew;
  before(() => {
    crew = new Crew(SEED);
  });
  after(() => crew.end());

  it(`of a server and a window (${SECONDS} s) makes neither grow`, async function () {
    this.timeout((SECONDS + 300) * 1000);
    const liveOf = (name: string) => ({ LIVE_MEMORY: join(crew.parent, `${name}.live`) });
    const telling = ['--require', join(__dirname, 'support/liveMemory.cjs')];
    const window = spawn(process.execPath, [...telling, crew.build('window'), crew.folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...liveOf('window') },
    });
    const env = { NINEPLAN_SESSIONS_PATH: crew.folder, NINEPLAN_LOG_LEVEL: 'error', ...liveOf('server') };
    const client = new LineClient(process.execPath, [...telling, SERVER], env);
    await client.initialize();
    const answers = createInterface(window.stdout)[Symbol.asyncIterator]();
    const trends = Object.entries({ server: client.child, window }).map(
      ([name, { pid }]) => new Trend(name, Number(pid), liveMemoryIn(liveOf(name).LIVE_MEMORY)),
    );
    const { calls } = await steadyLoad(
      client,
      async (session) => {
        window.stdin.write(`${session}\n`);
        assert.equal((await answers.next()).value, session);
      },
      trends,
      SECONDS * 1000,
    );
    window.stdin.end();
    await Promise.all([once(window, 'close'), client.close()]);
    record({
      part: 'long run',
      fault: `a server and a window for ${SECONDS} s`,
      cases: calls,
      losses: (await account(crew.folder, [])).length,
      figures: trends.map(({ figures }) => figures).join('; '),
    });
    assert.deepEqual(
      trends.flatMap((trend) => trend.growth()),
      [],
    );
  });
});
