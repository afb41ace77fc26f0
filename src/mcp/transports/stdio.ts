import { once } from 'node:events';
import type { Door } from '../connection';
import { greeting } from '../greeting';
import type { Service } from './service';

const FIRST_LINE_BYTES = 1024 * 1024;

/**
 * Serves the one client at the other end of stdin and stdout. `initialize` is answered before the SDK is loaded, which
 * takes longer than all the rest of the start; then the SDK gets everything, that request included.
 */
export async function serveStdio(door: Door): Promise<Service> {
  const { stdin, stdout } = process;
  const ended = new Promise<void>((resolve) => {
    // Only the end counts: on some platforms a pipe reports `close` while it is still in use.
    stdin.once('end', resolve);
    stdin.once('error', () => resolve());
    stdout.once('error', () => resolve());
  });
  const greeted = greeting(await firstLine(stdin), door.config, door.version);
  if (greeted) stdout.write(`${greeted.answer}\n`);

  const { connectStdio } = await import('./stdioConnection');
  const { connection, closed } = await connectStdio(door, greeted?.id);
  return { ended: Promise.race([ended, closed]), close: (ms) => connection.close(ms) };
}

/** Looks at the first line and leaves it, and what came with it, to be read again. Empty if there is none. */
async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let seen: Buffer = Buffer.alloc(0);
  let end = -1;
  while (end < 0 && seen.length < FIRST_LINE_BYTES) {
    await Promise.race([once(input, 'readable'), once(input, 'end')]);
    const chunk: Buffer | null = input.read();
    if (chunk === null) break;
    seen = Buffer.concat([seen, chunk]);
    end = seen.indexOf('\n');
  }
  if (seen.length > 0) input.unshift(seen);
  return seen.toString('utf8', 0, Math.max(end, 0));
}
