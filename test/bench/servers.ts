import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineClient } from '../support/lineClient';
import { sampleText } from './sampleText';

const server = join(__dirname, '../../dist/mcp-server.js');
const node = process.env.BENCH_NODE ?? process.execPath;

/** What is measured: how often, and on how much. */
export interface Scale {
  runs: number;
  /** Rounds of add, pull and complete in one run; the first fifth is warm-up. */
  rounds: number;
  /** Completed plans in the large store. */
  large: number;
  /** Makes a folder that is removed in the end. */
  folder(): string;
}

export function spawnOurs(folder: string): LineClient {
  return new LineClient(node, [server], { NINEPLAN_SESSIONS_PATH: folder, NINEPLAN_LOG_LEVEL: 'error' });
}

export async function ours(folder: string): Promise<LineClient> {
  const client = spawnOurs(folder);
  await client.initialize();
  return client;
}

/** The same on node:sqlite. */
export async function reference(folder: string): Promise<LineClient> {
  const client = new LineClient(node, ['--no-warnings', join(__dirname, 'referenceServer.mjs'), folder]);
  await client.initialize();
  return client;
}

/** A process that loads nothing and answers. */
export function spawnBare(): LineClient {
  return new LineClient(node, [join(__dirname, 'bareServer.mjs')]);
}

/** What an agent adds: a plan of about 2 kB. */
export const plan = (n: number) => ({
  goal: `Measure ${n}`,
  context: sampleText(n, 1000),
  approach: sampleText(n, 1000),
  success_criteria: 'Measured.',
});

/** Resident set of the child, as the kernel counts it; NaN where there is no /proc. */
export function residentMegabytes(client: LineClient): number {
  try {
    const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
