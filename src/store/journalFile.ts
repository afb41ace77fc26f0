import type { Disk } from './disk';
import { notOrdinary } from './fileErrors';
import { BREAK_TORN_LINE, LONGEST_LINE } from './journalRecord';

const BUFFER_SIZE = 256 * 1024;
const NEWLINE = 0x0a;

export interface JournalLine {
  /** Without the newline; valid until the next line is taken. */
  bytes: Buffer;
  /** File offset of its first byte and after its newline. */
  start: number;
  end: number;
}

/** One open journal: lines in, one write a record out, and a sync that all who wait for one share. */
export class JournalFile {
  private buffer = Buffer.allocUnsafe(BUFFER_SIZE);
  private endsInTornLine = false;
  /** Where the last walk along the lines ended. */
  readTo = 0;
  private syncedTo = 0;
  private syncing: Promise<void> | undefined;
  private syncError: unknown;
  private closed = false;

  private constructor(
    private readonly disk: Disk,
    readonly path: string,
    private readonly fd: number,
    private readonly identity: { dev: bigint; ino: bigint },
  ) {}

  /**
   * Undefined if there is no such file and `create` isn't set. FILE_SYSTEM_ERROR for what is no ordinary file: somebody
   * else's would be written to.
   */
  static open(disk: Disk, path: string, create: boolean): JournalFile | undefined {
    const there = disk.facts(path);
    if (!create && !there) return undefined;
    if (there?.isFile === false) throw notOrdinary(path, 'no ordinary file');
    const fd = disk.openAppend(path, create);
    return new JournalFile(disk, path, fd, disk.factsOf(fd));
  }

  /** Bytes. */
  get size(): number {
    return this.disk.factsOf(this.fd).size;
  }

  /** Whether its path still leads to this very file. */
  isInPlace(): boolean {
    const there = this.disk.facts(this.path);
    return there !== undefined && there.ino === this.identity.ino && there.dev === this.identity.dev;
  }

  isDeleted(): boolean {
    return this.disk.factsOf(this.fd).links === 0;
  }

  /**
   * Lines from a byte offset on, as far as they end in a newline; what comes after the last newline is somebody's torn
   * or unfinished write. Only one walk at a time: they share a buffer. FILE_SYSTEM_ERROR if a line is longer than any record.
   */
  *lines(from: number): Generator<JournalLine, void> {
    let base = from;
    let filled = 0;
    let searched = 0;
    for (;;) {
      const read = this.disk.read(this.fd, this.buffer, filled, this.buffer.length - filled, base + filled);
      if (read === 0) break;
      filled += read;
      let start = 0;
      for (;;) {
        const newline = this.buffer.subarray(0, filled).indexOf(NEWLINE, Math.max(start, searched));
        if (newline < 0) break;
        yield { bytes: this.buffer.subarray(start, newline), start: base + start, end: base + newline + 1 };
        start = newline + 1;
      }
      this.buffer.copyWithin(0, start, filled);
      base += start;
      filled -= start;
      searched = filled;
      if (filled === this.buffer.length) this.grow();
    }
    this.endsInTornLine = filled > 0;
    this.readTo = base + filled;
    if (this.buffer.length > 8 * BUFFER_SIZE) this.buffer = Buffer.allocUnsafe(BUFFER_SIZE);
  }

  private grow(): void {
    if (this.buffer.length > LONGEST_LINE) {
      this.buffer = Buffer.allocUnsafe(BUFFER_SIZE);
      throw notOrdinary(this.path, 'no journal');
    }
    const larger = Buffer.allocUnsafe(this.buffer.length * 2);
    this.buffer.copy(larger);
    this.buffer = larger;
  }

  /** Whether exactly these bytes stand before the offset. */
  hasBefore(offset: number, expected: Buffer): boolean {
    if (offset <= expected.length) return false;
    const found = Buffer.alloc(expected.length);
    return (
      this.disk.read(this.fd, found, 0, found.length, offset - found.length) === found.length && found.equals(expected)
    );
  }

  /**
   * Appends a line in one write. Whether it counts is known only from reading on: a short write is void, and nothing
   * ever completes or removes it.
   */
  append(line: Buffer): void {
    this.disk.write(this.fd, this.endsInTornLine ? Buffer.concat([BREAK_TORN_LINE, line]) : line);
  }

  /** Resolves when everything up to the offset is on the medium. After one failure it never tries again. */
  async sync(offset: number): Promise<void> {
    while (this.syncedTo < offset) {
      if (this.syncError !== undefined) throw this.syncError;
      this.beginSync();
      await this.syncing;
    }
  }

  /** Begins to sync what has been appended, for a `sync` that will follow; nothing if a sync is running or one has failed. */
  beginSync(): void {
    if (this.syncing || this.syncError !== undefined) return;
    const covers = this.size;
    this.syncing = this.disk.syncData(this.fd).then(
      () => {
        this.syncedTo = covers;
        this.syncing = undefined;
      },
      (error) => {
        this.syncError = error;
        this.syncing = undefined;
      },
    );
  }

  get syncFailed(): boolean {
    return this.syncError !== undefined;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.syncing;
    try {
      this.disk.close(this.fd);
    } catch {
      // What was acknowledged is on the medium, and there is nothing else to be done.
    }
  }
}
