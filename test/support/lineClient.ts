import { type ChildProcess, spawn } from 'node:child_process';

interface Answer {
  result?: { structuredContent?: Record<string, unknown>; isError?: boolean; content?: { text: string }[] };
  error?: { message: string };
}

/** A bare JSON-RPC client over a child's stdio: it adds next to nothing to what is measured. */
export class LineClient {
  readonly child: ChildProcess;
  /** Called with the method of whatever the server sends by itself. */
  onMessage: (method: string) => void = () => undefined;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private nextId = 1;
  private buffer = '';

  constructor(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'bench', version: '1.0.0' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Structured content of the tool's answer; rejects if the tool refused. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.request('tools/call', { name, arguments: args });
    if (error !== undefined || result?.isError) throw new Error(error?.message ?? result?.content?.[0]?.text);
    return result?.structuredContent ?? {};
  }

  request(method: string, params: object = {}): Promise<Answer> {
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await gone;
  }

  private send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  private receive(chunk: string): void {
    this.buffer += chunk;
    for (let end = this.buffer.indexOf('\n'); end >= 0; end = this.buffer.indexOf('\n')) {
      const line = this.buffer.slice(0, end);
      this.buffer = this.buffer.slice(end + 1);
      const message = JSON.parse(line) as Answer & { id?: number; method?: string };
      if (message.method !== undefined) this.onMessage(message.method);
      if (message.id === undefined || message.method !== undefined) continue;
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    }
  }
}
