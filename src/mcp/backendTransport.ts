import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Log } from '../planner/ports';
import type { TaskBackend } from './config';

/** A program of its own over stdio, or a server that runs already over HTTP. */
export async function backendTransport(config: TaskBackend, log: Log): Promise<Transport> {
  if ('url' in config) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers: config.headers } });
  }
  const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { command, args = [], env = {}, cwd } = config;
  const transport = new StdioClientTransport({
    command: expand(command),
    args: args.map(expand),
    env: { ...getDefaultEnvironment(), ...mapValues(env, expand) },
    cwd: cwd === undefined ? process.cwd() : expand(cwd),
    // Its words belong into our log, not between its lines.
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => log.debug({ stderr: chunk.toString().trimEnd() }, 'Task backend'));
  return transport;
}

/** Configuration is often written for a folder that only the running server knows. */
function expand(text: string): string {
  const folder = process.cwd();
  return text.replaceAll(/\$PWD\b|\$\{PWD\}|\$\{workspaceFolder\}/g, () => folder);
}

function mapValues(record: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
