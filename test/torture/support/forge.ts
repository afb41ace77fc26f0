import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainEvent } from '../../../src/planner/events';
import { encodeRecord, newId } from '../../../src/store/journalRecord';

/** Appends what no planner would emit, as somebody may who knows the format: the records are whole and chained. */
export function forge(folder: string, transactions: Iterable<readonly object[]>): void {
  const journal = readdirSync(folder)
    .filter((name) => name.startsWith('journal-'))
    .sort()
    .at(-1);
  const path = join(folder, String(journal));
  let { seq, sum: prev } = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '');
  let lines: Buffer[] = [];
  for (const events of transactions) {
    const at = new Date().toISOString();
    const { line, sum } = encodeRecord({
      seq: ++seq,
      prev,
      id: newId(),
      at,
      by: 'evil',
      events: events as DomainEvent[],
    });
    prev = sum;
    lines.push(line);
    if (lines.length === 500) {
      appendFileSync(path, Buffer.concat(lines));
      lines = [];
    }
  }
  appendFileSync(path, Buffer.concat(lines));
}
