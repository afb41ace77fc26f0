import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { Connection, type Door } from '../connection';
import type { Service } from './service';
import { StdioTransport } from './stdioTransport';

/**
 * Serves the one client at the other end of stdin and stdout.
 * @param answered the request that has its answer already.
 */
export async function serveStdio(door: Door, answered: RequestId | undefined): Promise<Service> {
  const { stdin, stdout } = process;
  const connection = new Connection(door);
  const ended = new Promise<void>((resolve) => {
    if (stdin.readableEnded) resolve();
    // Only the end counts: on some platforms a pipe reports `close` while it is still in use.
    stdin.once('end', resolve);
    stdin.once('error', () => resolve());
    stdout.once('error', () => resolve());
    void connection.closed.then(resolve);
  });
  await connection.server.connect(new GreetedTransport(answered));
  return { ended, close: (ms) => connection.close(ms) };
}

/** Keeps back the answer that the client has got already. */
class GreetedTransport extends StdioTransport {
  constructor(private answered: RequestId | undefined) {
    super(process.stdin, process.stdout);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.answered !== undefined && 'id' in message && message.id === this.answered && !('method' in message)) {
      this.answered = undefined;
      return;
    }
    await super.send(message);
  }
}
