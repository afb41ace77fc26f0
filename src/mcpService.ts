import { LazyPlanner } from './lazyPlanner';
import type { Config } from './mcp/config';
import type { Door } from './mcp/connection';
import type { Service } from './mcp/transports/service';
import { serveStdio } from './mcp/transports/stdio';
import type { Log } from './planner/ports';

export interface ServiceOptions {
  config: Config;
  log: Log;
  version: string;
  /** The id of the `initialize` request that has its answer already. */
  greeted: string | number | undefined;
}

/** All of the server but its greeting: a bundle of its own, so that a client need not wait for it to be loaded. */
export async function startService({ config, log, version, greeted }: ServiceOptions): Promise<Service> {
  const opening = new LazyPlanner(config, version, log);
  const door: Door = {
    config,
    log,
    version,
    planner: () => opening.planner(),
    warmUp: () => opening.warmUp(),
    windows: () => opening.windows(),
  };
  const service = config.transport === 'stdio' ? await serveStdio(door, greeted) : await serveHttp(door);
  return {
    ended: service.ended,
    close: async (ms) => {
      await service.close(ms);
      await opening.close();
    },
  };
}

async function serveHttp(door: Door): Promise<Service> {
  const { serveHttp } = await import('./mcp/transports/http');
  return serveHttp(door);
}
