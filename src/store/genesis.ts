import { EVENT_VERSION } from '../planner/events';
import { newerVersion } from './fileErrors';
import type { JournalFile } from './journalFile';
import { decodeRecord, encodeRecord, type GenesisEvent, genesisPart, newId } from './journalRecord';
import { TimeSlice } from './pause';
import type { JournalPosition, Projection, StateRow } from './projectionPort';

/** Characters of JSON; a larger row makes a part of its own. */
const PART_SIZE = 256 * 1024;
const ATTEMPTS = 50;

/** The state that a journal begins with, found complete. */
export interface Genesis {
  /** The journal's id. */
  batch: string;
  seq: number;
  /** `sum` of the record whose state this is; '' for none. */
  prev: string;
  sum: string;
  /** Byte offset after its last part. */
  end: number;
  /** Byte offsets of its parts. */
  parts: number[];
}

/** Where the journal's ordinary records begin. */
export function startOf(journal: number, { seq, sum, end }: Genesis): JournalPosition {
  return { journal, seq, sum, offset: end };
}

export interface GenesisSearch {
  genesis: Genesis | undefined;
  /** Whether there are ordinary records: without a genesis they prove that it was damaged. */
  hasRecords: boolean;
  /** Whether a newer version of 9plan wrote here, so that a genesis may be there that this one can't read. */
  isNewer: boolean;
}

/** Finds the first complete batch of genesis parts. */
export async function findGenesis(file: JournalFile): Promise<GenesisSearch> {
  const batches = new Map<string, Genesis & { of: number }>();
  const slice = new TimeSlice();
  let hasRecords = false;
  let isNewer = false;
  for (const line of file.lines(0)) {
    const record = decodeRecord(line.bytes);
    if (record) {
      if (record.v > EVENT_VERSION) isNewer = true;
      const part = genesisPart(record);
      if (!part) hasRecords = true;
      else {
        const batch = continued(batches.get(part.batch), part, record, line);
        if (batch) {
          batches.set(part.batch, batch);
          if (batch.parts.length === batch.of) return { genesis: batch, hasRecords, isNewer };
        }
      }
    }
    if (slice.isOver) await slice.pause();
  }
  return { genesis: undefined, hasRecords, isNewer };
}

function continued(
  before: (Genesis & { of: number }) | undefined,
  part: GenesisEvent,
  record: { seq: number; prev: string; sum: string },
  line: { start: number; end: number },
): (Genesis & { of: number }) | undefined {
  const { seq, prev, sum } = record;
  if (!before) {
    if (part.part !== 0) return undefined;
    return { batch: part.batch, of: part.parts, seq, prev, sum, end: line.end, parts: [line.start] };
  }
  if (part.part !== before.parts.length || prev !== before.sum || part.parts !== before.of) return undefined;
  return { ...before, sum, end: line.end, parts: [...before.parts, line.start] };
}

/** Brings an empty projection to the genesis' state. DATABASE_ERROR if a newer version wrote it. */
export async function loadGenesis(file: JournalFile, genesis: Genesis, projection: Projection): Promise<void> {
  const slice = new TimeSlice();
  projection.begin();
  for (const start of genesis.parts) {
    for (const row of rowsAt(file, start)) {
      loadRow(file, projection, row);
      if (slice.isOver) await slice.pause();
    }
  }
  projection.commit();
}

function loadRow(file: JournalFile, projection: Projection, row: StateRow): void {
  try {
    projection.load([row]);
  } catch (error) {
    throw newerVersion(file.path, error);
  }
}

function rowsAt(file: JournalFile, start: number): StateRow[] {
  for (const line of file.lines(start)) {
    const record = decodeRecord(line.bytes);
    const part = record && genesisPart(record);
    if (!part) break;
    if (record.v > EVENT_VERSION || !Array.isArray(part.rows)) throw newerVersion(file.path);
    return part.rows;
  }
  throw new Error(`The genesis of ${file.path} changed while it was read.`);
}

/**
 * Writes the projection's state as the beginning of a journal, unless another process does so first: any number may
 * try at once, and the first complete batch counts for all. The state must not change meanwhile. Undefined if the
 * journal has records already: then its beginning was damaged, and a new one would hide them.
 */
export async function writeGenesis(
  file: JournalFile,
  projection: Projection,
  after: { seq: number; sum: string },
): Promise<{ genesis: Genesis; isOwn: boolean } | undefined> {
  const own = new Set<string>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { genesis, hasRecords } = await findGenesis(file);
    if (genesis) return { genesis, isOwn: own.has(genesis.batch) };
    if (hasRecords) return undefined;
    own.add(await appendBatch(file, projection, after));
  }
  throw new Error(`The beginning of ${file.path} could not be written in ${ATTEMPTS} attempts.`);
}

async function appendBatch(
  file: JournalFile,
  projection: Projection,
  after: { seq: number; sum: string },
): Promise<string> {
  const { parts } = await measureState(projection);
  const slice = new TimeSlice();
  const batch = newId();
  let prev = after.sum;
  let part = 0;
  for (const rows of inParts(projection.rows())) {
    const { line, sum } = encodeRecord({
      seq: after.seq + 1,
      prev,
      id: batch,
      at: new Date().toISOString(),
      by: '9plan',
      events: [{ type: 'genesis', batch, part, parts, rows: rows.list }],
    });
    file.append(line);
    prev = sum;
    part++;
    if (slice.isOver) await slice.pause();
  }
  return batch;
}

/** How large the whole state is when written, in characters, and in how many parts it goes. */
export async function measureState(projection: Projection): Promise<{ size: number; parts: number }> {
  const slice = new TimeSlice();
  let size = 0;
  let parts = 0;
  for (const rows of inParts(projection.rows())) {
    size += rows.size;
    parts++;
    if (slice.isOver) await slice.pause();
  }
  return { size, parts };
}

/** At least one part, so that an empty state has a genesis too. */
function* inParts(rows: Iterable<StateRow>): Generator<{ list: StateRow[]; size: number }> {
  let list: StateRow[] = [];
  let size = 0;
  for (const row of rows) {
    const length = JSON.stringify(row).length;
    if (size + length > PART_SIZE && list.length > 0) {
      yield { list, size };
      list = [];
      size = 0;
    }
    list.push(row);
    size += length;
  }
  yield { list, size };
}
