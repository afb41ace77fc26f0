import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { SERVER } from './build';
import { EditorWindow } from './editorWindow';
import { ServerProcess } from './serverProcess';

export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown> | undefined;
  isError: boolean;
}

export interface AgentOptions {
  store: string;
  env?: Record<string, string>;
  client?: string;
  cwd?: string;
  /** What its user answers to a form; without it the client shows none. */
  answer?: (form: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult> | ElicitResult;
}

export interface HttpAgentOptions extends Pick<AgentOptions, 'client' | 'answer'> {
  token?: string;
}

/** An agent, with its own server process over real stdio, or as one of many clients over HTTP. */
export class Agent {
  private constructor(
    readonly client: Client,
    readonly transport: Transport,
    readonly store: string,
    private readonly stderr: string[],
  ) {}

  static async start({ store, env = {}, client = 'test-agent', cwd, answer }: AgentOptions): Promise<Agent> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [SERVER],
      env: { PATH: process.env.PATH ?? '', HOME: store, NINEPLAN_SESSIONS_PATH: store, ...env },
      cwd,
      stderr: 'pipe',
    });
    const stderr: string[] = [];
    transport.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
    const agent = new Agent(clientOf(client, answer), transport, store, stderr);
    await agent.connect();
    return agent;
  }

  static async overHttp(url: string, store: string, options: HttpAgentOptions = {}): Promise<Agent> {
    const { client = 'test-agent', answer, token } = options;
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    const agent = new Agent(clientOf(client, answer), transport, store, []);
    await agent.connect();
    return agent;
  }

  private async connect(): Promise<void> {
    await this.client.connect(this.transport);
    // The client checks structured content against the schemas it has listed.
    await this.client.listTools();
  }

  /** Of its own server. */
  get pid(): number {
    const pid = this.transport instanceof StdioClientTransport ? this.transport.pid : null;
    if (pid === null) throw new Error('no server of its own is running');
    return pid;
  }

  get log(): string {
    return this.stderr.join('');
  }

  async call(name: string, args: Record<string, unknown> = {}, options?: CallOptions): Promise<ToolAnswer> {
    const result = await this.client.callTool({ name, arguments: args }, undefined, options);
    const [content] = result.content as { type: string; text: string }[];
    return {
      text: content?.text ?? '',
      structured: result.structuredContent as Record<string, unknown> | undefined,
      isError: result.isError === true,
    };
  }

  /** Structured content of a call that must succeed. */
  async ok(name: string, args: Record<string, unknown> = {}, options?: CallOptions): Promise<Record<string, unknown>> {
    const answer = await this.call(name, args, options);
    if (answer.isError || answer.structured === undefined) throw new Error(`${name}: ${answer.text}`);
    return answer.structured;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function clientOf(name: string, answer: AgentOptions['answer']): Client {
  const capabilities = answer ? { elicitation: {} } : {};
  const client = new Client({ name, version: '1.0.0' }, { capabilities });
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => answer(params, signal));
  return client;
}

/** A server that many agents share. */
export interface HttpBench {
  readonly process: ServerProcess;
  readonly url: string;
  readonly store: string;
}

type CallOptions = Parameters<Client['callTool']>[2];

interface Closable {
  close(): Promise<void>;
}

/** Store folders, agents and editor windows of one test file, gone after each test. */
export class Bench {
  private readonly folders: string[] = [];
  private readonly closables: Closable[] = [];
  private readonly servers: ServerProcess[] = [];

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), '9plan-mcp-'));
    this.folders.push(folder);
    return folder;
  }

  /** A path that doesn't exist yet: the first change makes it. */
  store(): string {
    return join(this.folder(), 'store');
  }

  async agent(options: Partial<AgentOptions> = {}): Promise<Agent> {
    return this.keep(await Agent.start({ store: this.store(), ...options }));
  }

  server(env: Record<string, string> = {}, options?: { cwd?: string; readStderr?: boolean }): ServerProcess {
    const server = new ServerProcess({ NINEPLAN_SESSIONS_PATH: this.store(), ...env }, options);
    this.servers.push(server);
    return server;
  }

  /** A server over HTTP, on a port that is free. */
  async http(env: Record<string, string> = {}): Promise<HttpBench> {
    const store = env.NINEPLAN_SESSIONS_PATH ?? this.store();
    const http = { NINEPLAN_TRANSPORT: 'http', NINEPLAN_HTTP_PORT: '0', NINEPLAN_SESSIONS_PATH: store };
    const process = this.server({ ...http, ...env });
    const { url } = await process.logged('Serving MCP over HTTP');
    return { process, url: String(url), store };
  }

  async httpAgent({ url, store }: HttpBench, options?: HttpAgentOptions): Promise<Agent> {
    return this.keep(await Agent.overHttp(url, store, options));
  }

  /** The editor, open on this store. */
  window(store: string, reviewPanel?: boolean): EditorWindow {
    return this.keep(new EditorWindow(store, reviewPanel));
  }

  /** Closed after the test, as all that the bench makes. */
  keep<T extends Closable>(closable: T): T {
    this.closables.push(closable);
    return closable;
  }

  async clear(): Promise<void> {
    const servers = this.servers.splice(0);
    for (const server of servers) server.child.kill('SIGKILL');
    await Promise.all(servers.map((server) => server.exited));
    await Promise.all(this.closables.splice(0).map((closable) => closable.close()));
    // A server that only just lost its client may still write; `rmSync` would look for its files only once.
    await Promise.all(
      this.folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 10 })),
    );
  }
}

/** What an agent gives for a plan. */
export function plan(goal: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { goal, context: 'For the test.', approach: '1. Do it.', success_criteria: 'It is done.', ...more };
}
