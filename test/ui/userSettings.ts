import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What keeps a window quiet. */
export const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'telemetry.telemetryLevel': 'off',
};

/**
 * A served window reads the user's settings once, but follows those of the machine, which come before the user's. A
 * setting of application scope counts in the user's alone.
 */
export class Settings {
  private machine: Record<string, unknown> = {};

  constructor(private readonly userDataDir: string) {}

  /** Before the window opens. */
  async begin(user: Record<string, unknown>, files: Record<string, unknown> = {}): Promise<void> {
    await this.write('User', user);
    for (const [name, content] of Object.entries(files)) await this.write('User', content, name);
    await this.write('Machine', {});
  }

  /** While it is open. */
  async change(values: Record<string, unknown>): Promise<void> {
    this.machine = { ...this.machine, ...values };
    await this.write('Machine', this.machine);
  }

  private async write(level: 'User' | 'Machine', content: unknown, name = 'settings.json'): Promise<void> {
    const folder = path.join(this.userDataDir, 'data', level);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, name), JSON.stringify(content, null, 2));
  }
}
