import { once } from 'node:events';
import type { Config } from '../config';
import { greeting } from '../greeting';
import type { ListedTool } from '../toolList';

const NEWLINE = 0x0a;
/** What is longer than a greeting is left to the server. */
const LINE_BYTES = 1024 * 1024;
/** Clients ask for the tools right after the greeting. What is loaded in between would keep them waiting. */
const QUIET_MS = 200;

export interface Greeter {
  config: Config;
  version: string;
  tools(): readonly ListedTool[];
}

/**
 * Answers `initialize` and the first `tools/list` before anything large is loaded. What the SDK must see as well is left in stdin.
 * @returns the id of the `initialize` request that has its answer, if the client began with one.
 */
export async function greetStdio({ config, version, tools }: Greeter): Promise<string | number | undefined> {
  const { stdin, stdout } = process;
  const lines = new Lines(stdin);
  const kept: Buffer[] = [];
  let id: string | number | undefined;
  for (let line = await lines.next(); line !== undefined; line = await lines.next(QUIET_MS)) {
    const greeted = greeting(line.toString('utf8'), config, version, tools);
    const isFirst = kept.length === 0;
    const isExpected = isFirst === (greeted?.kind === 'initialize');
    if (greeted?.kind !== 'tools' || !isExpected) kept.push(line);
    if (greeted === undefined || !isExpected) break;
    if (greeted.kind === 'initialize') id = greeted.id;
    if (greeted.kind !== 'initialized') stdout.write(`${greeted.answer}\n`);
    if (greeted.kind === 'tools') break;
  }
  lines.leave(kept);
  return id;
}

/** Reads a stream line by line as far as it is asked to, and can leave it as if less had been read. */
class Lines {
  private seen: Buffer = Buffer.alloc(0);

  constructor(private readonly input: NodeJS.ReadStream) {}

  /** The next line with its end; undefined if none comes, in `ms` if that is given. */
  async next(ms?: number): Promise<Buffer | undefined> {
    while (!this.seen.includes(NEWLINE) && this.seen.length < LINE_BYTES) {
      if (!(await this.isReadable(ms))) return undefined;
      const chunk: Buffer | null = this.input.read();
      if (chunk === null) return undefined;
      this.seen = Buffer.concat([this.seen, chunk]);
    }
    const end = this.seen.indexOf(NEWLINE) + 1;
    const line = this.seen.subarray(0, end);
    this.seen = this.seen.subarray(end);
    return end === 0 ? undefined : line;
  }

  /** Puts lines, and what was read beyond them, back into the stream. */
  leave(lines: readonly Buffer[]): void {
    const rest = Buffer.concat([...lines, this.seen]);
    if (rest.length > 0) this.input.unshift(rest);
  }

  private async isReadable(ms: number | undefined): Promise<boolean> {
    // No listener may stay: with one for `readable` the stream would not flow for the server.
    const waiting = new AbortController();
    const timer = ms === undefined ? undefined : setTimeout(() => waiting.abort(), ms);
    const { signal } = waiting;
    try {
      const ended = once(this.input, 'end', { signal }).then(() => false);
      return await Promise.race([once(this.input, 'readable', { signal }).then(() => true), ended]);
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  }
}
