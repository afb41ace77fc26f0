import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { seededRandom } from '../../support/crashDisk';
import { StoreBench, sessionsOf } from '../../support/openStore';

/** Seconds of killing; more in a long run: `KILLING=120`. */
const SECONDS = Number(process.env.KILLING ?? 6);
const WORKERS = 4;
const MANY = 100;

describe('Processes that share a store', () => {
  const bench = new StoreBench();
  const program = join(bench.parent, 'worker.js');
  const begun = new Set<string>();
  const acknowledged = new Set<string>();
  const failures: string[] = [];
  let count = 0;

  before(() => {
    buildSync({
      entryPoints: [join(__dirname, '../../support/storeWorker.ts')],
      bundle: true,
      platform: 'node',
      outfile: program,
      logLevel: 'error',
    });
    copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), join(bench.parent, 'sql-wasm.wasm'));
  });
  after(() => bench.end());

  function start(): ChildProcess {
    count++;
    const orders = { folder: bench.folder, prefix: `w${count}`, snapshots: count % 2 === 0, rolloverSize: 300_000 };
    const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['pipe', 'pipe', 'pipe'] });
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) (line[0] === '!' ? acknowledged : begun).add(line.slice(1));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => failures.push(text));
    return child;
  }

  it(`lose and double nothing while they are killed for ${SECONDS} s`, async function () {
    this.timeout((SECONDS * 5 + 60) * 1000);
    const random = seededRandom(Date.now());
    const began = Date.now();
    // On a busy machine it takes longer until there is something to lose.
    const isOver = () => Date.now() - began > SECONDS * 1000 * (acknowledged.size > MANY ? 1 : 5);
    let kills = 0;
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (!isOver()) {
          const child = start();
          const exit = once(child, 'close');
          await new Promise((resolve) => setTimeout(resolve, 150 + random() * 1200));
          if (!isOver()) {
            kills++;
            child.kill('SIGKILL');
          } else child.stdin?.end();
          await exit;
        }
      }),
    );
    assert.deepEqual(failures, []);
    assert.ok(kills > WORKERS, `${kills} kills`);
    assert.ok(acknowledged.size > WORKERS, `${acknowledged.size} changes`);
    const store = bench.open();
    const found = await sessionsOf(store);
    const there = new Set(found);
    assert.equal(there.size, found.length);
    assert.deepEqual(
      [...acknowledged].filter((name) => !there.has(name)),
      [],
      'acknowledged, but lost',
    );
    assert.deepEqual(
      found.filter((name) => !begun.has(name)),
      [],
      'never asked for',
    );
    assert.deepEqual(await store.read((view) => view.inconsistencies('')), []);
    // Those who were killed did not come to delete old ones. Whoever begins the next does.
    await store.compact();
    assert.equal(bench.files(/^journal/).length, 2);
    assert.deepEqual(bench.files(/^(rescue|damaged)/), []);
  });
});
