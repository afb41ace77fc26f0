import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { answerToNoMessage } from '../protocolErrors';

/** A longer message ends the connection, so the limit lies far above any plan. */
const MESSAGE_BYTES = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

/** One message a line in each direction. A line that is none is answered with a JSON-RPC error: the SDK's transport keeps silent. */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  private unfinished: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.receive);
    this.input.on('error', this.fail);
  }

  async close(): Promise<void> {
    this.input.off('data', this.receive);
    this.input.off('error', this.fail);
    this.input.pause();
    this.unfinished = [];
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.output.once('drain', resolve);
    });
  }

  private readonly fail = (error: Error): void => this.onerror?.(error);

  private readonly receive = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...this.unfinished, rest.subarray(0, end)]).toString('utf8');
      this.unfinished = [];
      this.size = 0;
      rest = rest.subarray(end + 1);
      this.take(line);
    }
    if (rest.length === 0) return;
    this.unfinished.push(rest);
    this.size += rest.length;
    if (this.size <= MESSAGE_BYTES) return;
    this.fail(new Error(`A message is longer than ${MESSAGE_BYTES} bytes`));
    void this.close();
  };

  private take(line: string): void {
    if (line.trim() === '') return;
    const message = parse(line);
    if (message !== undefined) {
      this.onmessage?.(message);
      return;
    }
    this.fail(new Error(`No message: ${line.slice(0, 200)}`));
    const answer = answerToNoMessage(line);
    if (answer) void this.send(answer);
  }
}

function parse(line: string): JSONRPCMessage | undefined {
  try {
    return JSONRPCMessageSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
