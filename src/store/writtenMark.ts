import { hash } from 'node:crypto';

const MICROSECONDS = 1_000_000;
/** Aims at the middle of a microsecond, since times are floating-point seconds and are cut, not rounded. */
const MIDDLE = 0.5;

/** What the mark is made from: SHA-256 of a file's content, in hexadecimal digits. */
export function digestOf(content: Uint8Array): string {
  return hash('sha256', content);
}

/** The microseconds part of the modification time that the store gives to a file whose content has this digest. */
function microsecondsFor(digest: string): number {
  return Number.parseInt(digest.slice(0, 12), 16) % MICROSECONDS;
}

/**
 * The modification time (seconds, for `utimes`) that marks a file as written by the store: the present second, with
 * microseconds that come from the content. Whoever changes the file by hand gives it another time, even if the text
 * becomes one that the store had before, so that an edit which takes something back isn't mistaken for a file that is
 * merely behind. It needs no record beside the file and survives copies that keep times.
 */
export function writtenMark(content: Uint8Array, now = Date.now()): number {
  return Math.floor(now / 1000) + (microsecondsFor(digestOf(content)) + MIDDLE) / MICROSECONDS;
}

/**
 * Whether a file of this digest and modification time (nanoseconds) is as the store wrote it. A file system that
 * keeps times coarsely never says yes; its files then count as edited by hand.
 */
export function bearsWrittenMark(digest: string, modifiedNs: bigint): boolean {
  const microseconds = Number((modifiedNs / 1000n) % BigInt(MICROSECONDS));
  return microseconds === microsecondsFor(digest);
}
