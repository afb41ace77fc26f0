import type { LineClient } from '../support/lineClient';
import { budgeted, median, type Row, time } from './figures';
import { ours, residentMegabytes, type Scale, spawnBare, spawnOurs } from './servers';

const IDLE_MS = 1500;

/** From the spawn to the first answers, beside a process that loads nothing. */
export async function startUp({ runs, folder }: Scale): Promise<Row[]> {
  const path = folder();
  const measured = {
    ours: { initialize: [] as number[], list: [] as number[] },
    bare: { initialize: [] as number[], list: [] as number[] },
  };
  for (let run = 0; run <= runs * 7; run++) {
    for (const who of ['ours', 'bare'] as const) {
      const { initialize, list } = await answerTimes(who === 'ours' ? spawnOurs(path) : spawnBare());
      // The first one warms the disk's cache.
      if (run === 0) continue;
      measured[who].initialize.push(initialize);
      measured[who].list.push(list);
    }
  }
  const row = (figure: string, answer: 'initialize' | 'list', bound: number): Row => ({
    figure,
    value: median(measured.ours[answer]),
    unit: 'ms',
    reference: median(measured.bare[answer]),
    referenceName: 'bare process',
    bound,
  });
  return [row('spawn to initialize, p50', 'initialize', 2.2), row('spawn to tools/list, p50', 'list', 2.2)];
}

async function answerTimes(client: LineClient): Promise<{ initialize: number; list: number }> {
  let initialize = 0;
  const list = await time(async () => {
    initialize = await time(() => client.initialize());
    await client.request('tools/list');
  });
  await client.close();
  return { initialize, list };
}

/** A server that nobody calls. */
export async function idle({ folder }: Scale): Promise<Row[]> {
  const client = await ours(folder());
  const { result } = await client.request('tools/list');
  const { tools = [] } = result as { tools?: { name: string; description: string; inputSchema: object }[] };
  const named = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const memory = residentMegabytes(client);
  await client.close();
  return [
    budgeted('tools/list: names, descriptions, inputs', JSON.stringify(named).length / 1000, 'kB', 14),
    budgeted('tools/list, whole answer', JSON.stringify(result).length / 1000, 'kB', 32),
    budgeted('memory idle', memory, 'MB', 75),
  ];
}
