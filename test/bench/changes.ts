import type { LineClient } from '../support/lineClient';
import { median, percentile, type Row, time } from './figures';
import { sampleText } from './sampleText';
import { ours, plan, reference, type Scale } from './servers';

interface Names {
  add: string;
  pull: string;
  complete: string;
}

const OURS: Names = { add: '9plan_queue_add', pull: '9plan_queue_pull', complete: '9plan_plan_complete' };
const THEIRS: Names = { add: 'add', pull: 'pull', complete: 'complete' };

interface Times {
  add: number[];
  complete: number[];
}

/** Two stores of each kind with as many completed plans. */
export interface Stores {
  size: number;
  ours: string;
  session: string;
  theirs: string;
}

/** As many rounds are made on one server before it is the next one's turn. */
const BLOCK = 20;

interface Measured {
  who: string;
  client: LineClient;
  names: Names;
  times: Times;
}

/** A change over stdio, file and sync included, beside the same on node:sqlite. */
export async function mutations({ runs, rounds }: Scale, stores: [small: Stores, large: Stores]): Promise<Row[]> {
  const medians = new Map<string, Times>();
  for (let run = 0; run < runs; run++) {
    const all: Measured[] = [];
    for (const at of stores) {
      const own = await ours(at.ours);
      await own.call('9plan_session_resume', { session_name: at.session });
      all.push({ who: `ours ${at.size}`, client: own, names: OURS, times: { add: [], complete: [] } });
      const other = await reference(at.theirs);
      all.push({ who: `theirs ${at.size}`, client: other, names: THEIRS, times: { add: [], complete: [] } });
    }
    // In turn, so that the machine's drift meets all alike.
    for (let from = 0; from < rounds; from += BLOCK) {
      for (const each of all) await makeRounds(each, from, from >= rounds / 5);
    }
    for (const { who, client, times } of all) {
      await client.close();
      keep(medians, who, times);
    }
  }
  const p50 = (who: string, kind: keyof Times) => median(medians.get(who)?.[kind] ?? []);
  const [small, large] = stores;
  return (['add', 'complete'] as const).flatMap((kind) => [
    ...stores.map(({ size }) => ({
      figure: `${kind}, p50, ${size} completed plans`,
      value: p50(`ours ${size}`, kind),
      unit: 'ms',
      reference: p50(`theirs ${size}`, kind),
      referenceName: 'node:sqlite',
      bound: 1,
    })),
    {
      figure: `${kind}, ${large.size} beside ${small.size} completed plans`,
      value: p50(`ours ${large.size}`, kind),
      unit: 'ms',
      reference: p50(`ours ${small.size}`, kind),
      referenceName: `${small.size} plans`,
      bound: 1.2,
    },
  ]);
}

/** The median of each run is one measurement. */
function keep(medians: Map<string, Times>, who: string, { add, complete }: Times): void {
  const times = medians.get(who) ?? { add: [], complete: [] };
  times.add.push(median(add));
  times.complete.push(median(complete));
  medians.set(who, times);
}

async function makeRounds({ client, names, times }: Measured, from: number, isWarm: boolean): Promise<void> {
  for (let n = from; n < from + BLOCK; n++) {
    const add = await time(() => client.call(names.add, plan(n)));
    await client.call(names.pull);
    const complete = await time(() => client.call(names.complete, { outcome: sampleText(n, 500) }));
    if (!isWarm) continue;
    times.add.push(add);
    times.complete.push(complete);
  }
}

const WRITERS = 4;

/** Many calls of one agent at once, and several agents with servers of their own. */
export async function atOnce({ folder }: Scale): Promise<Row[]> {
  const path = folder();
  const client = await ours(path);
  const { session_name } = await client.call('9plan_session_create', {});
  await addOneByOne(client, 50);
  const single = await addOneByOne(client, 100);
  const start = performance.now();
  const done = await Promise.all(
    Array.from({ length: 200 }, (_, n) => client.call(OURS.add, plan(n)).then(() => performance.now() - start)),
  );
  const others = await Promise.all(Array.from({ length: WRITERS - 1 }, () => ours(path)));
  const writers = [client, ...others];
  for (const each of writers) await each.call('9plan_session_resume', { session_name });
  await Promise.all(writers.map((each) => addOneByOne(each, 50)));
  const times = await Promise.all(writers.map((each) => addOneByOne(each, 100)));
  for (const each of writers) await each.close();
  const reference = { unit: 'ms', reference: median(single), referenceName: 'one at a time', bound: 3 };
  return [
    { figure: '200 adds at once, a call', value: percentile(done, 1) / 200, ...reference },
    { figure: `${WRITERS} servers that add at once, p50`, value: median(times.flat()), ...reference },
  ];
}

async function addOneByOne(client: LineClient, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) times.push(await time(() => client.call(OURS.add, plan(n))));
  return times;
}
