import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ensureInspector } from '../../../scripts/lib/tools.mjs';
import { SERVER } from './build';

const run = promisify(execFile);

export interface PendingForm {
  id: string;
  message: string;
}

interface Printed {
  structuredContent?: Record<string, unknown>;
  elicitationPending?: { elicitationId: string; message: string };
}

/**
 * The MCP Inspector's client that keeps a connection: each command is a process of its own, and a daemon holds the server
 * and the call whose form waits for an answer.
 */
export class Mcpdo {
  private connection = '';

  private constructor(
    private readonly tools: { node: string; mcpdo: string },
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** `folder` is for the daemon. `flags` go to `connect`. */
  static async connect(
    folder: string,
    store: string,
    { flags = ['--elicit', 'form'], env = {} }: { flags?: string[]; env?: Record<string, string> } = {},
  ): Promise<Mcpdo> {
    const mcpdo = new Mcpdo(await ensureInspector(), {
      PATH: process.env.PATH,
      HOME: folder,
      MCP_INSPECTOR_DAEMON_DIR: folder,
      MCP_INSPECTOR_DAEMON_TOKEN: randomBytes(32).toString('base64url'),
      MCP_INSPECTOR_SECRET_STORE: 'memory',
    });
    const variables = Object.entries({ NINEPLAN_SESSIONS_PATH: store, ...env }).flatMap(([key, value]) => [
      '-e',
      `${key}=${value}`,
    ]);
    const { stdout } = await mcpdo.spawn('connect', ...flags, ...variables, '--', process.execPath, SERVER);
    mcpdo.connection = JSON.parse(stdout).name;
    return mcpdo;
  }

  /** Structured content of a call that must succeed without a question. */
  async ok(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { structuredContent } = await this.call(tool, args);
    if (!structuredContent) throw new Error(`${tool} asked something`);
    return structuredContent;
  }

  /** The form that a call shows while it waits. */
  async form(tool: string, args: Record<string, unknown>): Promise<PendingForm> {
    const { elicitationPending: pending } = await this.call(tool, args);
    if (!pending) throw new Error(`${tool} asked nothing`);
    return { id: pending.elicitationId, message: pending.message };
  }

  /** Answers the form with fields, `--decline` or `--cancel`; gives what the call says then. Rejects if it is gone. */
  async respond({ id }: PendingForm, answer: Record<string, unknown> | '--decline' | '--cancel') {
    const given = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return (await this.run('elicitation/respond', id, given)).structuredContent ?? {};
  }

  /** Kills the daemon, in the middle of what it does. */
  async die(): Promise<void> {
    const { stdout } = await this.spawn('daemon', 'status');
    process.kill(Number(/pid (\d+)/.exec(stdout)?.[1] ?? JSON.parse(stdout).pid), 'SIGKILL');
  }

  async close(): Promise<void> {
    await this.spawn('daemon', 'stop').catch(() => undefined);
  }

  private call(tool: string, args: Record<string, unknown>): Promise<Printed> {
    return this.run('tools/call', tool, JSON.stringify(args));
  }

  private async run(...args: string[]): Promise<Printed> {
    const { stdout } = await this.spawn('--connection', this.connection, ...args);
    return JSON.parse(stdout);
  }

  private spawn(...args: string[]) {
    const { node, mcpdo } = this.tools;
    return run(node, [mcpdo, '--format', 'json', ...args], { env: this.env });
  }
}
