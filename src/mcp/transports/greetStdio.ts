import { once } from 'node:events';
import type { Config } from '../config';
import { greeting } from '../greeting';

const FIRST_LINE_BYTES = 1024 * 1024;

/**
 * Answers `initialize` before anything large is loaded, and leaves the request in stdin for the SDK to see as well.
 * @returns the id of the request that has its answer, if the client began with one.
 */
export async function greetStdio(config: Config, version: string): Promise<string | number | undefined> {
  const greeted = greeting(await firstLine(process.stdin), config, version);
  if (greeted) process.stdout.write(`${greeted.answer}\n`);
  return greeted?.id;
}

/** Looks at the first line and leaves it, and what came with it, to be read again. Empty if there is none. */
async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  const ended = once(input, 'end');
  let seen: Buffer = Buffer.alloc(0);
  let end = -1;
  while (end < 0 && seen.length < FIRST_LINE_BYTES) {
    await Promise.race([once(input, 'readable'), ended]);
    const chunk: Buffer | null = input.read();
    if (chunk === null) break;
    seen = Buffer.concat([seen, chunk]);
    end = seen.indexOf('\n');
  }
  if (seen.length > 0) input.unshift(seen);
  return seen.toString('utf8', 0, Math.max(end, 0));
}
