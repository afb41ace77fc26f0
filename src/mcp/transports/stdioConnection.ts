import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { Connection, type Door } from '../connection';

/** A longer message ends the connection, so the limit lies far above any plan. */
const MESSAGE_BYTES = 256 * 1024 * 1024;

/** @param answered the request that has its answer already. */
export async function connectStdio(
  door: Door,
  answered: RequestId | undefined,
): Promise<{ connection: Connection; closed: Promise<void> }> {
  const connection = new Connection(door);
  const closed = new Promise<void>((resolve) => {
    connection.server.onclose = resolve;
  });
  await connection.server.connect(new GreetedTransport(answered));
  return { connection, closed };
}

/** Keeps back the answer that the client has got already. */
class GreetedTransport extends StdioServerTransport {
  constructor(private answered: RequestId | undefined) {
    super(process.stdin, process.stdout, { maxBufferSize: MESSAGE_BYTES });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.answered !== undefined && 'id' in message && message.id === this.answered && !('method' in message)) {
      this.answered = undefined;
      return;
    }
    await super.send(message);
  }
}
