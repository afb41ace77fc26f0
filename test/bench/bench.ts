import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineClient } from '../support/lineClient';
import { median, percentile, type Row, table, time, within } from './figures';
import { sampleText } from './sampleText';
import { seedStore } from './seedStore';

const root = join(__dirname, '../..');
const server = join(root, 'dist/mcp-server.js');
const runs = Number(process.env.BENCH_RUNS ?? 3);
const node = process.env.BENCH_NODE ?? process.execPath;
const folders: string[] = [];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), '9plan-bench-'));
  folders.push(path);
  return path;
}

const plan = (n: number) => ({
  goal: `Measure ${n}`,
  context: sampleText(n, 1000),
  approach: sampleText(n, 1000),
  success_criteria: 'Measured.',
});

async function ours(path: string): Promise<LineClient> {
  const client = new LineClient(node, [server], { NINEPLAN_SESSIONS_PATH: path, NINEPLAN_LOG_LEVEL: 'error' });
  await client.initialize();
  return client;
}

async function reference(path: string): Promise<LineClient> {
  const client = new LineClient(node, ['--no-warnings', join(__dirname, 'referenceServer.mjs'), path]);
  await client.initialize();
  return client;
}

interface Names {
  add: string;
  pull: string;
  complete: string;
}

/** Latencies of `count` rounds of add, pull, complete; the first tenth is warm-up. */
async function rounds(client: LineClient, names: Names, count: number): Promise<{ add: number[]; complete: number[] }> {
  const add: number[] = [];
  const complete: number[] = [];
  for (let n = 0; n < count; n++) {
    const added = await time(() => client.call(names.add, plan(n)));
    await client.call(names.pull);
    const completed = await time(() => client.call(names.complete, { outcome: sampleText(n, 500) }));
    if (n < count / 10) continue;
    add.push(added);
    complete.push(completed);
  }
  return { add, complete };
}

const OURS: Names = { add: '9plan_queue_add', pull: '9plan_queue_pull', complete: '9plan_plan_complete' };
const THEIRS: Names = { add: 'add', pull: 'pull', complete: 'complete' };

async function mutations(rows: Row[]): Promise<void> {
  const measured: Record<string, { add: number[]; complete: number[] }> = {};
  const stores = new Map<number, { ours: string; theirs: string; session: string }>();
  for (const size of [100, 10_000]) {
    const at = { ours: folder(), theirs: folder(), session: '' };
    at.session = await seedStore(at.ours, size);
    const client = await reference(at.theirs);
    await client.call('seed', { count: size, ...plan(0), context: sampleText(0, 2000), outcome: sampleText(1, 1000) });
    await client.close();
    stores.set(size, at);
  }
  // In turn, so that the machine's drift meets all alike.
  for (let run = 0; run < runs; run++) {
    for (const [size, at] of stores) {
      for (const [who, open, names] of [
        ['ours', () => ours(at.ours), OURS],
        ['reference', () => reference(at.theirs), THEIRS],
      ] as const) {
        const client = await open();
        if (who === 'ours') await client.call('9plan_session_resume', { session_name: at.session });
        const { add, complete } = await rounds(client, names, 200);
        await client.close();
        const key = `${who} ${size}`;
        measured[key] ??= { add: [], complete: [] };
        measured[key].add.push(median(add));
        measured[key].complete.push(median(complete));
      }
    }
  }
  const figure = (key: string, kind: 'add' | 'complete') => median(measured[key]?.[kind] ?? []);
  for (const kind of ['add', 'complete'] as const) {
    for (const size of [100, 10_000]) {
      rows.push({
        figure: `${kind}, p50, ${size} completed plans`,
        value: figure(`ours ${size}`, kind),
        unit: 'ms',
        reference: figure(`reference ${size}`, kind),
        referenceName: 'node:sqlite',
        bound: 1,
      });
    }
    rows.push({
      figure: `${kind}, 10,000 beside 100 completed plans`,
      value: figure('ours 10000', kind),
      unit: 'ms',
      reference: figure('ours 100', kind),
      referenceName: '100 plans',
      bound: 1.2,
    });
  }
  await searches(rows, stores.get(10_000)?.ours ?? '', stores.get(10_000)?.session ?? '');
}

async function searches(rows: Row[], path: string, session: string): Promise<void> {
  const opened = await ours(path);
  await opened.call('9plan_session_resume', { session_name: session });
  rows.push(bounded('memory just opened on 10,000 plans', residentMegabytes(opened), 'MB', 170));
  for (const [name, query, bound] of [
    ['rare word', (n: number) => `rare${n * 37}`, 5],
    ['word in every plan', () => 'everywhere', 20],
  ] as const) {
    const times: number[] = [];
    for (let n = 1; n <= 60; n++) {
      times.push(await time(() => opened.call('9plan_history_search', { query: query(n) })));
    }
    rows.push(bounded(`search over 10,000 plans, ${name}, p50`, median(times.slice(10)), 'ms', bound));
  }
  await opened.close();
}

function bounded(figure: string, value: number, unit: string, budget: number): Row {
  return { figure, value, unit, reference: budget, referenceName: 'budget', bound: 1 };
}

/** Resident set of the child, as the kernel counts it; NaN where there is no /proc. */
function residentMegabytes(client: LineClient): number {
  try {
    const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

async function coldStart(rows: Row[]): Promise<void> {
  const times = { ours: [] as number[], bare: [] as number[] };
  const path = folder();
  for (let run = 0; run < runs * 7; run++) {
    for (const [who, args] of [
      ['ours', [server]],
      ['bare', [join(__dirname, 'bareServer.mjs')]],
    ] as const) {
      let client: LineClient | undefined;
      const took = await time(async () => {
        client = new LineClient(node, [...args], { NINEPLAN_SESSIONS_PATH: path, NINEPLAN_LOG_LEVEL: 'error' });
        await client.initialize();
      });
      await client?.close();
      if (run > 0) times[who].push(took);
    }
  }
  rows.push({
    figure: 'spawn to initialize, p50',
    value: median(times.ours),
    unit: 'ms',
    reference: median(times.bare),
    referenceName: 'bare process',
    bound: 2.2,
  });
}

async function idle(rows: Row[]): Promise<void> {
  const client = await ours(folder());
  const { result } = await client.request('tools/list');
  const tools = (result as { tools?: { name: string; description: string; inputSchema: object }[] }).tools ?? [];
  const named = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  rows.push(bounded('tools/list: names, descriptions, inputs', JSON.stringify(named).length / 1000, 'kB', 14));
  rows.push(bounded('tools/list, whole answer', JSON.stringify(result).length / 1000, 'kB', 32));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  rows.push(bounded('memory idle', residentMegabytes(client), 'MB', 75));
  await client.close();
}

async function parallel(rows: Row[]): Promise<void> {
  const client = await ours(folder());
  await client.call('9plan_session_create', {});
  const single = [];
  for (let n = 0; n < 50; n++) single.push(await time(() => client.call(OURS.add, plan(n))));
  const start = performance.now();
  const done = await Promise.all(
    Array.from({ length: 200 }, (_, n) => client.call(OURS.add, plan(n)).then(() => performance.now() - start)),
  );
  rows.push({
    figure: '200 adds at once, a call',
    value: percentile(done, 1) / 200,
    unit: 'ms',
    reference: median(single),
    referenceName: 'one at a time',
    bound: 3,
  });
  await client.close();
}

async function main(): Promise<void> {
  const rows: Row[] = [];
  await coldStart(rows);
  await idle(rows);
  await parallel(rows);
  await mutations(rows);
  const vsix = join(root, '9plan.vsix');
  const size = statSync(vsix, { throwIfNoEntry: false })?.size;
  if (size !== undefined) rows.push(bounded('VSIX', size / 1e6, 'MB', 1.5));
  console.log(`Node ${process.versions.node} runs this; the servers run on ${node}. ${runs} runs, medians.\n`);
  console.log(table(rows));
  process.exitCode = rows.every(within) ? 0 : 1;
}

main().finally(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});
