import './mcp/guardStdout';
import { version } from '../package.json';
import { LazyPlanner } from './lazyPlanner';
import { readConfig } from './mcp/config';
import type { Door } from './mcp/connection';
import { JsonLog, LineSink } from './mcp/log';
import type { Service } from './mcp/transports/service';
import { serveStdio } from './mcp/transports/stdio';

const GRACE_MS = 5_000;
const FLUSH_MS = 500;
const EXIT_BAD_CONFIGURATION = 2;

/** Runs the server until its client is gone or a signal ends it; resolves to the exit code. */
async function main(): Promise<number> {
  const sink = new LineSink(process.stderr.fd);
  try {
    const result = readConfig(process.env);
    for (const warning of result.warnings) sink.write(`9plan: ${warning}\n`);
    if (!result.ok) {
      for (const problem of result.problems) sink.write(`9plan: ${problem}\n`);
      return EXIT_BAD_CONFIGURATION;
    }
    const log = new JsonLog(sink, result.config.logLevel);
    process.on('unhandledRejection', (error) => log.error({ error }, 'Unhandled rejection'));
    const store = new LazyPlanner(result.config, version, log);
    const service = await serve({
      config: result.config,
      log,
      version,
      planner: () => store.planner(),
      windows: () => store.windows(),
    });
    await Promise.race([service.ended, signalled('SIGINT'), signalled('SIGTERM')]);
    await service.close(GRACE_MS);
    await store.close();
    return 0;
  } catch (error) {
    sink.write(`9plan: ${error instanceof Error ? error.message : error}\n`);
    return 1;
  } finally {
    await sink.flush(FLUSH_MS);
  }
}

async function serve(door: Door): Promise<Service> {
  if (door.config.transport === 'stdio') return serveStdio(door);
  const { serveHttp } = await import('./mcp/transports/http');
  return serveHttp(door);
}

function signalled(signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => process.once(signal, () => resolve()));
}

void main().then((code) => process.exit(code));
