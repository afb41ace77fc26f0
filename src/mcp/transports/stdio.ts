import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Connection, type Door } from '../connection';
import type { Service } from './service';

/** A longer message ends the connection, so the limit lies far above any plan. */
const MESSAGE_BYTES = 256 * 1024 * 1024;

/** Serves the one client at the other end of stdin and stdout. */
export async function serveStdio(door: Door): Promise<Service> {
  const connection = new Connection(door);
  const ended = new Promise<void>((resolve) => {
    // Only the end counts: on some platforms a pipe reports `close` while it is still in use.
    process.stdin.once('end', resolve);
    process.stdin.once('error', () => resolve());
    process.stdout.once('error', () => resolve());
    connection.server.onclose = resolve;
  });
  await connection.server.connect(
    new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MESSAGE_BYTES }),
  );
  return { ended, close: (ms) => connection.close(ms) };
}
