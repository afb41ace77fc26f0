import { constants } from 'node:buffer';
import { hash } from 'node:crypto';
import { nanoid } from 'nanoid';
import { type DomainEvent, EVENT_VERSION } from '../planner/events';
import { noNextRecord, recordTooLarge } from './fileErrors';
import type { StateRow } from './projectionPort';

/** Ends a journal: nothing after it counts, the history goes on in the next one. */
export interface SealedEvent {
  type: 'sealed';
  /** The journal is damaged: the next one begins with what could still be read. */
  damage?: true;
}

/** One part of the whole state that a journal begins with. Part 0 follows the record the state ends with, each other part its predecessor. */
export interface GenesisEvent {
  type: 'genesis';
  /** Tells the attempts of several processes apart; the first complete one is the journal's id. */
  batch: string;
  part: number;
  parts: number;
  rows: StateRow[];
}

export type JournalEvent = DomainEvent | SealedEvent | GenesisEvent;

/** One transaction: one line of a journal. */
export interface JournalRecord {
  v: number;
  seq: number;
  /** `sum` of the record before; '' if there is none. */
  prev: string;
  /** The command's, the same in every attempt to write it. */
  id: string;
  at: string;
  by: string;
  events: JournalEvent[];
  sum: string;
}

const SUM_LENGTH = 32;
const CLOSING = '"}';
const SUM_FIELD = ',"sum":"';
/** Bytes of `,"sum":"<32 hex>"}`. */
const SEAL_LENGTH = SUM_FIELD.length + SUM_LENGTH + CLOSING.length;
/** Bytes that end an accepted record: `<32 hex>"}` and the newline. */
export const TAIL_LENGTH = SUM_LENGTH + CLOSING.length + 1;

/** Bytes of a line. A longer one can't be made a string again, so it must never be written. */
export const LONGEST_LINE = constants.MAX_STRING_LENGTH;

/** Ends somebody's torn line so that it can never become a valid record, not even if only its newline was missing. */
export const BREAK_TORN_LINE = Buffer.from([0x18, 0x0a]);

export function newId(): string {
  return nanoid(16);
}

function sumOf(bytes: Uint8Array): string {
  return hash('sha256', bytes).slice(0, SUM_LENGTH);
}

/**
 * Makes a record's line, newline included. The framing is frozen: every version must be able to read it.
 * VALIDATION_ERROR if it would be longer than a line can be, DATABASE_ERROR if its number can't be counted to.
 */
export function encodeRecord(
  record: Omit<JournalRecord, 'v' | 'sum'>,
  longest = LONGEST_LINE,
): { line: Buffer; sum: string } {
  // Such a record would be none, and whoever waits for it to count would write it again and again.
  if (record.seq > Number.MAX_SAFE_INTEGER) throw noNextRecord();
  const body = Buffer.from(jsonOf(record).slice(0, -1));
  if (body.length + SEAL_LENGTH > longest) throw recordTooLarge();
  const sum = sumOf(body);
  return { line: Buffer.concat([body, Buffer.from(`${SUM_FIELD}${sum}${CLOSING}\n`)]), sum };
}

function jsonOf({ seq, prev, id, at, by, events }: Omit<JournalRecord, 'v' | 'sum'>): string {
  try {
    return JSON.stringify({ v: EVENT_VERSION, seq, prev, id, at, by, events });
  } catch (error) {
    throw error instanceof RangeError ? recordTooLarge(error) : error;
  }
}

/** Reads a line without its newline. Undefined if it is anything but a whole record: never an exception. */
export function decodeRecord(line: Buffer): JournalRecord | undefined {
  const bodyLength = line.length - SEAL_LENGTH;
  if (bodyLength < 2) return undefined;
  const seal = line.toString('latin1', bodyLength);
  if (!seal.startsWith(SUM_FIELD) || !seal.endsWith(CLOSING)) return undefined;
  const sum = seal.slice(SUM_FIELD.length, -CLOSING.length);
  const body = line.subarray(0, bodyLength);
  if (sumOf(body) !== sum) return undefined;
  try {
    const record: unknown = { ...JSON.parse(`${body.toString('utf8')}}`), sum };
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is JournalRecord {
  const record = value as JournalRecord;
  return (
    Number.isSafeInteger(record.v) &&
    Number.isSafeInteger(record.seq) &&
    record.seq > 0 &&
    [record.prev, record.id, record.at, record.by].every((field) => typeof field === 'string') &&
    Array.isArray(record.events) &&
    record.events.every((event) => typeof event === 'object' && event !== null && typeof event.type === 'string')
  );
}

/** The genesis part that a record carries, if it carries one. */
export function genesisPart(record: { events: readonly JournalEvent[] }): GenesisEvent | undefined {
  const event = record.events[0];
  return event?.type === 'genesis' ? event : undefined;
}

export function sealOf(events: readonly JournalEvent[]): SealedEvent | undefined {
  const event = events[0];
  return event?.type === 'sealed' ? event : undefined;
}
