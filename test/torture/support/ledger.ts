import { writeFileSync } from 'node:fs';

/** The long form, as `npm run torture` runs it; else a short one that goes with the other tests. */
export const LONG = process.env.TORTURE === 'long';
/**
 * Chooses the cases of the short form and what is left to chance. The short form is the same every time, so that a change
 * is judged by what it changes; the long form explores.
 */
export const SEED = Number(process.env.TORTURE_SEED ?? (LONG ? Math.floor(Date.now() / 1000) : 9));

export interface Entry {
  part: string;
  fault: string;
  cases: number;
  /** Acknowledged work that was gone, doubled, halved or hidden. */
  losses: number;
  /** What was measured beside. */
  figures?: string;
}

const entries: Entry[] = [];

/** Counts what was tried and what it cost; the whole run prints it as one table. */
export function record(entry: Entry): void {
  const same = entries.find(({ part, fault }) => part === entry.part && fault === entry.fault);
  if (!same) entries.push({ ...entry });
  else {
    same.cases += entry.cases;
    same.losses += entry.losses;
  }
}

export const mochaHooks = {
  afterAll(): void {
    if (entries.length === 0) return;
    const table = tableOf(entries);
    process.stdout.write(`\nseed ${SEED}\n\n${table}\n`);
    if (process.env.TORTURE_TABLE) writeFileSync(process.env.TORTURE_TABLE, JSON.stringify({ seed: SEED, table }));
  },
};

function tableOf(rows: readonly Entry[]): string {
  const sum = (of: 'cases' | 'losses') => thousands(rows.reduce((total, row) => total + row[of], 0));
  const lines = [
    ['part', 'fault', 'cases', 'losses', 'measured'],
    ['---', '---', '---:', '---:', '---'],
    ...rows.map((row) => [row.part, row.fault, thousands(row.cases), thousands(row.losses), row.figures ?? '']),
    ['**all**', '', sum('cases'), sum('losses'), ''],
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function thousands(count: number): string {
  return count.toLocaleString('en-US');
}
