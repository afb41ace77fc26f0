import './mcp/guardStdout';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { readConfig } from './mcp/config';
import { JsonLog, LineSink } from './mcp/log';
import type { ListedTool } from './mcp/toolList';
import { greetStdio } from './mcp/transports/greetStdio';
import type { ConfigurationError } from './mcp/transports/service';

const GRACE_MS = 5_000;
/** Shorter than clients wait before they kill. */
const CLOSING_MS = 9_000;
const FLUSH_MS = 500;
const USAGE = `usage: 9plan-mcp          speaks MCP over stdin and stdout, or HTTP with NINEPLAN_TRANSPORT=http
       9plan-mcp events   writes what happens in the store: [--follow] [--since <number>] [--json]
`;
const EXIT_BAD_CONFIGURATION = 2;

/** Runs the server until its client is gone or a signal ends it, or what is named instead; resolves to the exit code. */
async function main(): Promise<number> {
  const sink = new LineSink(process.stderr.fd);
  try {
    const result = readConfig(process.env);
    for (const warning of result.warnings) sink.write(`9plan: ${warning}\n`);
    if (!result.ok) {
      for (const problem of result.problems) sink.write(`9plan: ${problem}\n`);
      return EXIT_BAD_CONFIGURATION;
    }
    const { config } = result;
    if (process.argv[2] !== undefined && process.argv[2] !== 'events') {
      sink.write(USAGE);
      return process.argv[2] === '--help' ? 0 : EXIT_BAD_CONFIGURATION;
    }
    if (process.argv[2] === 'events') {
      const { writeEvents } = await import('./mcpEvents');
      const complain = (text: string) => sink.write(text);
      return await writeEvents({ args: process.argv.slice(3), config, output: process.stdout, complain });
    }
    const log = new JsonLog(sink, config.logLevel);
    process.on('unhandledRejection', (error) => log.error({ error }, 'Unhandled rejection'));
    const interrupted = Promise.race([signalled('SIGINT'), signalled('SIGTERM')]);
    const greeted =
      config.transport === 'stdio'
        ? await Promise.race([greetStdio({ config, version, tools }), interrupted])
        : undefined;
    const { startService } = await import('./mcpService');
    const service = await startService({ config, log, version, greeted });
    await Promise.race([service.ended, interrupted]);
    setTimeout(() => process.exit(1), CLOSING_MS).unref();
    await service.close(GRACE_MS);
    return 0;
  } catch (error) {
    sink.write(`9plan: ${error instanceof Error ? error.message : error}\n`);
    return isConfigurationError(error) ? EXIT_BAD_CONFIGURATION : 1;
  } finally {
    await sink.flush(FLUSH_MS);
  }
}

/** What the build has written of the tools. */
function tools(): ListedTool[] {
  return JSON.parse(readFileSync(join(__dirname, 'tools.json'), 'utf8'));
}

function isConfigurationError(error: unknown): error is ConfigurationError {
  return error instanceof Error && 'isConfiguration' in error;
}

function signalled(signal: NodeJS.Signals): Promise<undefined> {
  return new Promise((resolve) => process.once(signal, () => resolve(undefined)));
}

void main().then((code) => process.exit(code));
