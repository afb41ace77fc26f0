// An agent beside the window: a real MCP client on the store of a folder.

import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import { root } from '../../scripts/lib/run.mjs';

export class Agent {
  private constructor(private readonly client: Client) {}

  static connect(folder: string): Promise<Agent> {
    return Agent.start({
      command: process.execPath,
      args: [path.join(root, 'dist/mcp-server.js')],
      cwd: folder,
      // Whoever decides in a test may be slow on a busy machine.
      env: {
        NINEPLAN_SESSIONS_PATH: path.join(folder, '.9plan'),
        NINEPLAN_LOG_LEVEL: 'warn',
        PLAN_MODE_ELICIT_TIMEOUT: '600',
      },
    });
  }

  static async start(server: StdioServerParameters): Promise<Agent> {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    await client.connect(new StdioClientTransport(server));
    return new Agent(client);
  }

  async call<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const answer = await this.client.callTool({ name, arguments: args }, undefined, { timeout: 600_000 });
    if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
    return answer.structuredContent as T;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
