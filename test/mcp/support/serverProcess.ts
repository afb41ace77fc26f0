import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { SERVER } from './build';

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

export function toolCall(id: number | string, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

type Message = {
  id?: number | string;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

/** The server as a bare process: what goes in and out, line by line. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  readonly lines: string[] = [];
  stderr = '';
  private rest = '';
  private arrived: (() => void)[] = [];

  constructor(env: Record<string, string>, options: { cwd?: string; readStderr?: boolean } = {}) {
    this.child = spawn(process.execPath, [SERVER], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH, HOME: options.cwd, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    this.child.stdout?.on('data', (chunk: Buffer) => this.take(chunk.toString()));
    // A killed server breaks the pipe, which is what some tests are about.
    this.child.stdin?.on('error', () => undefined);
    if (options.readStderr !== false) this.child.stderr?.on('data', (chunk: Buffer) => this.takeLog(chunk.toString()));
    this.child.once('close', () => this.notice());
  }

  send(...messages: object[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  end(): Promise<{ code: number | null; signal: string | null }> {
    this.child.stdin?.end();
    return this.exited;
  }

  /** The answer to a request, waited for. */
  async answer(id: number | string): Promise<Message> {
    for (;;) {
      const found = this.messages().find((message) => message.id === id && message.method === undefined);
      if (found) return found;
      await new Promise<void>((resolve) => this.arrived.push(resolve));
    }
  }

  /** The first line of the log with this message, waited for. */
  async logged(message: string): Promise<Record<string, unknown>> {
    for (;;) {
      const lines = this.stderr.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
      const found = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === message);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`the server ended: ${this.stderr}`);
      await new Promise<void>((resolve) => this.arrived.push(resolve));
    }
  }

  /** Throws if a line of stdout is anything but a message. */
  messages(): Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    this.lines.push(...lines);
    this.notice();
  }

  private takeLog(text: string): void {
    this.stderr += text;
    this.notice();
  }

  private notice(): void {
    for (const resolve of this.arrived.splice(0)) resolve();
  }
}
