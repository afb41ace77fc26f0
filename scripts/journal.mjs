// Prints a journal, one line a record: `npm run journal -- [store folder or file] [--events] [--last N]`
// What doesn't count is marked: `void` lost a race, `torn` is no whole record. Nothing is changed.

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { legible, legibleJson } from '../src/planner/text.ts';
import { decodeRecord } from '../src/store/journalRecord.ts';

const { values, positionals } = parseArgs({
  options: { events: { type: 'boolean' }, last: { type: 'string' } },
  allowPositionals: true,
});

const given = path.resolve(positionals[0] ?? '.9plan');
const file = (await stat(given)).isDirectory() ? await newestJournal(given) : given;
const lines = recordLines(await readFile(file));
console.log(file);
for (const line of lines.slice(-Number(values.last ?? lines.length))) console.log(line);

/** @param {string} folder */
async function newestJournal(folder) {
  const numbers = (await readdir(folder)).flatMap((name) => /^journal-(\d+)\.ndjson$/.exec(name)?.[1] ?? []);
  if (numbers.length === 0) throw new Error(`there is no journal in ${folder}`);
  return path.join(folder, `journal-${Math.max(...numbers.map(Number))}.ndjson`);
}

/** @param {Buffer} bytes */
function recordLines(bytes) {
  const shown = [];
  let [seq, sum] = [0, ''];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end + 1);
    const record = end < 0 ? undefined : decodeRecord(line.subarray(0, -1));
    if (!record) shown.push(`${String(start).padStart(9)}  torn  ${line.length} bytes`);
    else {
      const follows = seq === 0 || (record.seq === seq + 1 && record.prev === sum);
      shown.push(`${String(start).padStart(9)}  ${follows ? '' : 'void  '}${described(record)}`);
      if (follows) [seq, sum] = [record.seq, record.sum];
    }
    start += line.length;
  }
  return shown;
}

/** @param {NonNullable<ReturnType<typeof decodeRecord>>} record */
function described({ seq, at, by, events }) {
  const what = events.map((event) => (values.events ? legibleJson(event) : legible(summary({ ...event }))));
  return `#${seq}  ${legible(`${at}  ${by}`)}  ${what.join(values.events ? '\n           ' : ', ')}`;
}

/** @param {{ type: string, [field: string]: unknown }} event */
function summary({ type, plan, session, proposal, part, parts }) {
  if (type === 'genesis') return `genesis ${Number(part) + 1}/${parts}`;
  const about = [plan, session, proposal].find((id) => typeof id === 'string' && !id.includes('\n'));
  return about === undefined ? type : `${type} ${about}`;
}
