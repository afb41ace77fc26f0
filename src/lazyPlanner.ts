import { existsSync, readdirSync } from 'node:fs';
import type { Config } from './mcp/config';
import type { TaskBackend } from './mcp/taskBackend';
import type { EditorWindow } from './mcp/tool';
import type { Planner } from './planner/planner';
import type { Log } from './planner/ports';
import type { WorkspaceStore } from './store/workspaceStore';

interface Opened {
  planner: Planner;
  store: WorkspaceStore;
  backend: TaskBackend | undefined;
}

/** Opens the store when it is first needed: loading it takes longer than a client should wait for its first answer. */
export class LazyPlanner {
  private opening: Promise<Opened> | undefined;

  constructor(
    private readonly config: Config,
    private readonly version: string,
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

  /**
   * Opens a store that is there, so that the first call need not wait. Where there is none, nothing is loaded:
   * SQLite takes 25 MB, and many clients start servers that nobody calls.
   */
  warmUp(): void {
    const work = async () => {
      const { store } = await this.planner();
      if (existsSync(store.folder) && readdirSync(store.folder).length > 0) await store.read(() => undefined);
    };
    work().catch((error) => this.log.warn({ error }, 'The store does not open'));
  }

  async windows(): Promise<readonly EditorWindow[]> {
    const { windowsOpen } = await import('./store/presence');
    return windowsOpen((await this.planner()).store.folder);
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => undefined);
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
    return new TaskBackend(this.config.taskBackend, this.version, this.log);
  }
}
