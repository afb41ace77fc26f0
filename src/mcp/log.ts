import { write } from 'node:fs';
import type { Log } from '../planner/ports';

/** The numbers that log readers for JSON lines expect. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;
export type LogLevel = keyof typeof LEVELS;

const BACKLOG_BYTES = 1_000_000;
const RETRY_MS = 50;

/**
 * Lines to a file descriptor, never waited for: a client that doesn't read our stderr must not stop the server, as a
 * synchronous write to a full pipe would. What doesn't fit the backlog is dropped and counted.
 */
export class LineSink {
  private backlog: string[] = [];
  private size = 0;
  private dropped = 0;
  private writing = false;
  private idle: (() => void)[] = [];

  constructor(private readonly descriptor: number) {}

  write(line: string): void {
    if (this.size + line.length > BACKLOG_BYTES) {
      this.dropped++;
      return;
    }
    this.backlog.push(line);
    this.size += line.length;
    if (this.writing) return;
    this.writing = true;
    // After the answer that is being made: handing over a line wakes a thread, which would take the answer's processor.
    setImmediate(() => this.writeNext());
  }

  /** Resolves when all is written, or after `ms`. */
  flush(ms: number): Promise<void> {
    if (!this.writing) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.idle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private writeNext(): void {
    const lines = this.backlog.join('');
    this.backlog = [];
    this.size = 0;
    this.writeBytes(Buffer.from(lines));
  }

  private writeBytes(bytes: Buffer): void {
    write(this.descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.writeBytes(bytes), RETRY_MS).unref();
      } else if (error === null && written < bytes.length) {
        this.writeBytes(bytes.subarray(written));
      } else {
        this.finished();
      }
    });
  }

  private finished(): void {
    this.writing = false;
    if (this.dropped > 0) {
      const line = { level: LEVELS.warn, time: Date.now(), dropped: this.dropped, msg: 'Log lines were dropped' };
      this.dropped = 0;
      this.backlog.push(`${JSON.stringify(line)}\n`);
    }
    if (this.backlog.length > 0) {
      this.writeNext();
      return;
    }
    for (const resolve of this.idle.splice(0)) resolve();
  }
}

/** Structured log, one JSON object a line (seed, section 9). */
export class JsonLog implements Log {
  constructor(
    private readonly sink: LineSink,
    private readonly level: LogLevel,
    private readonly bound: object = {},
  ) {}

  debug(fields: object, message: string): void {
    this.line('debug', fields, message);
  }

  info(fields: object, message: string): void {
    this.line('info', fields, message);
  }

  warn(fields: object, message: string): void {
    this.line('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.line('error', fields, message);
  }

  child(fields: { session: string }): JsonLog {
    return new JsonLog(this.sink, this.level, { ...this.bound, ...fields });
  }

  private line(level: LogLevel, fields: object, msg: string): void {
    if (LEVELS[level] < LEVELS[this.level]) return;
    const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, ...this.bound, ...fields, msg };
    this.sink.write(`${JSON.stringify(line, plainErrors)}\n`);
  }
}

/** An Error has no enumerable fields, so JSON would show it as `{}`. */
function plainErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { ...value, type: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
