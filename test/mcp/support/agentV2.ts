import { Client, type ElicitRequest, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { SERVER } from './build';

export interface AgentV2Options {
  store: string;
  env?: Record<string, string>;
  answer?: (form: { message: string }, signal: AbortSignal) => Promise<ElicitResult> | ElicitResult;
}

/** An agent built on the second generation of the SDK, which asks for newer protocols first and takes what there is. */
export class AgentV2 {
  private constructor(
    private readonly client: Client,
    private readonly transport: StdioClientTransport | StreamableHTTPClientTransport,
  ) {}

  static stdio(options: AgentV2Options): Promise<AgentV2> {
    const { store, env = {} } = options;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [SERVER],
      env: { PATH: process.env.PATH ?? '', HOME: store, NINEPLAN_SESSIONS_PATH: store, ...env },
      stderr: 'ignore',
    });
    return AgentV2.connect(transport, options);
  }

  static http(url: string, options: AgentV2Options): Promise<AgentV2> {
    return AgentV2.connect(new StreamableHTTPClientTransport(new URL(url)), options);
  }

  private static async connect(
    transport: StdioClientTransport | StreamableHTTPClientTransport,
    { answer }: AgentV2Options,
  ): Promise<AgentV2> {
    const client = new Client(
      { name: 'test-agent', version: '1.0.0' },
      { capabilities: answer ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode: 'auto' } },
    );
    if (answer) {
      client.setRequestHandler('elicitation/create', async ({ params }: ElicitRequest, { mcpReq }) =>
        answer(params, mcpReq.signal),
      );
    }
    await client.connect(transport);
    await client.listTools();
    return new AgentV2(client, transport);
  }

  /** Of its own server. */
  get pid(): number {
    const pid = this.transport instanceof StdioClientTransport ? this.transport.pid : null;
    if (pid === null) throw new Error('no server of its own is running');
    return pid;
  }

  /** Structured content of a call that must succeed. */
  async ok(
    name: string,
    args: Record<string, unknown> = {},
    options?: { signal: AbortSignal },
  ): Promise<Record<string, unknown>> {
    const { structuredContent, isError, content } = await this.client.callTool({ name, arguments: args }, options);
    if (isError || !structuredContent) throw new Error(`${name}: ${JSON.stringify(content)}`);
    return structuredContent as Record<string, unknown>;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
