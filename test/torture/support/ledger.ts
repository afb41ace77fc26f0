import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type Entry, tableOf } from '../../../scripts/lib/tortureTable.mjs';

/** The long form, as `npm run torture` runs it; else a short one that goes with the other tests. */
export const LONG = process.env.TORTURE === 'long';
/**
 * Chooses the cases of the short form and what is left to chance. The short form is the same every time, so that a change
 * is judged by what it changes; the long form explores.
 */
export const SEED = Number(process.env.TORTURE_SEED ?? (LONG ? Math.floor(Date.now() / 1000) : 9));

let last = performance.now();
const entries: Entry[] = [];

/** Counts what was tried and what it cost; `npm run torture` makes one table of all. */
export function record(entry: Entry): void {
  const now = performance.now();
  const seconds = (now - last) / 1000;
  last = now;
  const same = entries.find(({ part, fault }) => part === entry.part && fault === entry.fault);
  if (!same) entries.push({ ...entry, seconds });
  else {
    same.cases += entry.cases;
    same.losses += entry.losses;
    same.seconds = (same.seconds ?? 0) + seconds;
  }
}

/** Runs all cases and counts each; fails in the end if one failed. */
export async function recordEach<T>(
  cases: T[],
  fault: string,
  part: string,
  run: (one: T) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const one of cases) {
    let isLoss = 0;
    try {
      await run(one);
    } catch (error) {
      isLoss = 1;
      failures.push(`${JSON.stringify(one)}: ${error instanceof Error ? (error.stack ?? '').slice(0, 700) : error}`);
    }
    record({ part, fault, cases: 1, losses: isLoss });
  }
  if (failures.length > 0)
    assert.fail(`${failures.length} failures, seed ${SEED}:\n${failures.slice(0, 5).join('\n')}`);
}

export const mochaHooks = {
  afterAll(): void {
    if (entries.length === 0) return;
    process.stdout.write(`\nseed ${SEED}\n\n${tableOf(entries)}\n`);
    if (process.env.TORTURE_TABLE) writeFileSync(process.env.TORTURE_TABLE, JSON.stringify(entries));
  },
};
