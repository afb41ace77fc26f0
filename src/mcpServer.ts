import './mcp/guardStdout';
import { version } from '../package.json';
import { type Config, readConfig } from './mcp/config';
import type { Door } from './mcp/connection';
import { JsonLog, LineSink } from './mcp/log';
import type { TaskBackend } from './mcp/taskBackend';
import type { EditorWindow } from './mcp/tool';
import type { Service } from './mcp/transports/service';
import { serveStdio } from './mcp/transports/stdio';
import type { Planner } from './planner/planner';
import type { Log } from './planner/ports';
import type { WorkspaceStore } from './store/workspaceStore';

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
    const store = new LazyStore(result.config, log);
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

interface Opened {
  planner: Planner;
  store: WorkspaceStore;
  backend: TaskBackend | undefined;
}

/** Opens the store when it is first needed: loading it takes longer than a client should wait for its first answer. */
class LazyStore {
  private opening: Promise<Opened> | undefined;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** Tries again after a failure. */
  async planner(): Promise<Planner> {
    this.opening ??= this.open();
    try {
      return (await this.opening).planner;
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }

  async windows(): Promise<readonly EditorWindow[]> {
    const { windowsOpen } = await import('./store/presence');
    return windowsOpen((await this.planner()).store.folder);
  }

  async close(): Promise<void> {
    const opened = await this.opening;
    await Promise.all([opened?.store.close(), opened?.backend?.close()]);
  }

  private async open(): Promise<Opened> {
    const [{ findStoreFolder }, { WorkspaceStore }, { Planner }] = await Promise.all([
      import('./store/location'),
      import('./store/workspaceStore'),
      import('./planner/planner'),
    ]);
    const folder = findStoreFolder({ from: process.cwd(), sessionsPath: this.config.sessionsPath });
    const store = new WorkspaceStore({ folder, log: this.log, snapshots: true });
    this.log.debug({ folder }, 'Store opened');
    const backend = await this.taskBackend();
    return { planner: new Planner(store, backend), store, backend };
  }

  private async taskBackend(): Promise<TaskBackend | undefined> {
    if (!this.config.taskBackend) return undefined;
    const { TaskBackend } = await import('./mcp/taskBackend');
    return new TaskBackend(this.config.taskBackend, version, this.log);
  }
}

void main().then((code) => process.exit(code));
