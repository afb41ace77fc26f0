import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { budgeted, median, type Row, time } from './figures';
import type { Opening } from './openStore';
import { ours, residentMegabytes, type Scale } from './servers';

/** What stands for a large history, in a store that has a snapshot. */
export interface LargeStore {
  path: string;
  session: string;
  size: number;
}

export async function searches({ path, session, size }: LargeStore): Promise<Row[]> {
  const rows: Row[] = [];
  const client = await ours(path);
  await client.call('9plan_session_resume', { session_name: session });
  rows.push(budgeted(`memory just opened on ${size} plans`, residentMegabytes(client), 'MB', 170));
  for (const [name, query, budget] of [
    ['rare word', (n: number) => `rare${n * 37}`, 5],
    ['word in every plan', () => 'everywhere', 20],
  ] as const) {
    const times: number[] = [];
    for (let n = 1; n <= 60; n++) {
      times.push(await time(() => client.call('9plan_history_search', { query: query(n) })));
    }
    rows.push(budgeted(`search over ${size} plans, ${name}, p50`, median(times.slice(10)), 'ms', budget));
  }
  await client.close();
  return rows;
}

/** A process opens the store, from its snapshot and from the journal alone. */
export async function openings({ runs, folder }: Scale, { path, size }: LargeStore): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, budget] of [
    ['with store.db', 500],
    ['from the journal', 5000],
  ] as const) {
    const copy = folder();
    cpSync(path, copy, { recursive: true });
    if (name === 'from the journal') rmSync(join(copy, 'store.db'));
    const opened: Opening[] = [];
    for (let run = 0; run < Math.min(runs, 3); run++) opened.push(await openElsewhere(copy));
    rows.push(
      budgeted(`opening ${size} plans, ${name}`, median(opened.map(({ took }) => took)), 'ms', budget),
      budgeted(`longest stall in it, ${name}`, median(opened.map(({ stall }) => stall)), 'ms', 50),
    );
  }
  return rows;
}

async function openElsewhere(path: string): Promise<Opening> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    join(__dirname, 'openStore.ts'),
    path,
  ]);
  return JSON.parse(stdout);
}
