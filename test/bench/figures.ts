export interface Row {
  figure: string;
  value: number;
  unit: string;
  /** What the value is held against: a bound in the same unit, or a reference measured in the same run. */
  reference: number;
  referenceName: string;
  /** The largest allowed value / reference; the smallest if `isFloor`. */
  bound: number;
  /** More is better. */
  isFloor?: boolean;
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

const BUDGET = 'budget';

/** A figure with a fixed bound; on a slow or busy machine it says little. */
export function budgeted(figure: string, value: number, unit: string, budget: number): Row {
  return { figure, value, unit, reference: budget, referenceName: BUDGET, bound: 1 };
}

/** Whether the figure is held against another one of the same run, so that it means the same on every machine. */
export const isRatio = (row: Row): boolean => row.referenceName !== BUDGET;

/** `tolerance` widens the bound. */
export function within({ value, reference, bound, isFloor }: Row, tolerance = 1): boolean {
  const ratio = value / reference;
  return isFloor ? ratio >= bound / tolerance : ratio <= bound * tolerance;
}

/** Milliseconds that `action` takes. */
export async function time(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Milliseconds that this thread has computed; NaN where Node doesn't tell. */
export function threadTime(): number {
  const usage: { user: number; system: number } | undefined = Reflect.get(process, 'threadCpuUsage')?.call(process);
  return usage ? (usage.user + usage.system) / 1000 : Number.NaN;
}

export function table(rows: Row[]): string {
  const lines = cells(rows);
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  return lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n');
}

export function markdown(rows: Row[]): string {
  const [head = [], ...body] = cells(rows).map((line) => `| ${line.join(' | ')} |`);
  return [head, `| ${HEAD.map(() => '---').join(' | ')} |`, ...body].join('\n');
}

const HEAD = ['figure', 'measured', 'reference', 'ratio', 'bound', ''];

function cells(rows: Row[]): string[][] {
  const body = rows.map((row) => [
    row.figure,
    `${row.value.toFixed(2)} ${row.unit}`.trim(),
    `${row.reference.toFixed(2)} ${row.unit} (${row.referenceName})`.replace('  ', ' '),
    (row.value / row.reference).toFixed(2),
    `${row.isFloor ? '≥' : '≤'} ${row.bound.toFixed(2)}`,
    within(row) ? 'pass' : 'OVER',
  ]);
  return [HEAD, ...body];
}
