// Prints the figures of the build contract beside their bounds, and writes them to a file as JSON. `--short` measures
// less; then only figures that are held against others of the same run can fail, and only if they are far off.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json';
import { atOnce, mutations, type Stores } from './changes';
import { budgeted, isRatio, markdown, type Row, table, within } from './figures';
import { proposals, reasoning, waking } from './planning';
import { openings, searches } from './reading';
import { sampleText } from './sampleText';
import { searchQuality } from './searchQuality';
import { seedStore } from './seedStore';
import { plan, reference, type Scale } from './servers';
import { idle, startUp } from './start';

const root = join(__dirname, '../..');
const isShort = process.argv.includes('--short');
const runs = Number(process.env.BENCH_RUNS ?? (isShort ? 1 : 5));
const isKept = process.argv.includes('--keep');
const output = isKept
  ? join(__dirname, 'results', `${packageJson.version}.json`)
  : (process.env.BENCH_JSON ?? join(root, '.vscode-test/bench.json'));
/** Few rounds scatter, and code that has just been loaded runs slowly: only what is far off is a failure then. */
const SHORT_TOLERANCE = 3;
const SMALL = 100;
/** Plans of 3 kB, as the budgets have it. */
const PLAN_BYTES = 3000;
const folders: string[] = [];

const scale: Scale = {
  runs,
  rounds: isShort ? 100 : 400,
  large: isShort ? 2_000 : 10_000,
  folder: () => {
    const path = mkdtempSync(join(tmpdir(), '9plan-bench-'));
    folders.push(path);
    return path;
  },
};

async function stores(size: number): Promise<Stores> {
  const at = { size, ours: scale.folder(), theirs: scale.folder(), session: '' };
  // In transactions of few plans, as agents make them: what is opened in slices is cut between transactions.
  at.session = await seedStore(at.ours, size, PLAN_BYTES, 5);
  const client = await reference(at.theirs);
  const third = PLAN_BYTES / 3;
  await client.call('seed', {
    ...plan(0),
    count: size,
    context: sampleText(0, 2 * third),
    outcome: sampleText(1, third),
  });
  await client.close();
  return at;
}

async function measure(): Promise<Row[]> {
  const rows = [...(await startUp(scale)), ...(await idle(scale)), ...(await atOnce(scale))];
  const [small, large] = [await stores(SMALL), await stores(scale.large)];
  const history = { path: large.ours, session: large.session, size: large.size };
  rows.push(
    ...(await openings(scale, history)),
    ...(await searches(history)),
    ...(await mutations(scale, [small, large])),
    ...(await searchQuality()),
    ...(await proposals(scale)),
    ...(await reasoning(scale)),
    ...(await waking(scale)),
  );
  const vsix = statSync(join(root, '9plan.vsix'), { throwIfNoEntry: false })?.size;
  return vsix === undefined ? rows : [...rows, budgeted('VSIX', vsix / 1e6, 'MB', 1.5)];
}

async function main(): Promise<void> {
  const rows = await measure();
  const failed = rows.filter((row) => !within(row, isShort ? SHORT_TOLERANCE : 1) && (!isShort || isRatio(row)));
  mkdirSync(dirname(output), { recursive: true });
  const facts = { at: new Date().toISOString(), machine: machine(), runs, isShort };
  writeFileSync(output, `${JSON.stringify({ ...facts, rows }, null, 2)}\n`);
  console.log(`Node ${process.versions.node}, ${runs} runs, medians. As JSON: ${output}\n`);
  console.log(table(rows));
  if (isKept) keepTable(rows);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Puts the table where people read it. */
function keepTable(rows: Row[]): void {
  const page = join(root, 'docs/performance.md');
  const between = /(<!-- table: [^>]* -->\n)[\s\S]*?(<!-- \/table -->)/;
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(between, (_, open, close) => `${open}${markdown(rows)}\n${close}`),
  );
}

/** What the figures depend on. */
function machine(): object {
  const [processor] = cpus();
  return {
    node: process.versions.node,
    system: `${platform()} ${release()} ${arch()}`,
    processor: processor?.model,
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 1e9),
    /** Of the last minute before the end, on a machine that does nothing else about 1. */
    load: loadavg()[0],
  };
}

main().finally(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});
