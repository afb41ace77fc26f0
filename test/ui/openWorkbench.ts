import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { installExtension } from '../../scripts/lib/installExtension.mjs';
import { scratchFolder } from '../../scripts/lib/scratch.mjs';
import { ensureVSCodeServer } from '../../scripts/lib/tools.mjs';
import { launchBrowser, startServer, windowUrl } from '../../scripts/lib/vscodeServer.mjs';
import { quiet, Settings } from './userSettings';
import { defaultSize, testedVersion, Workbench } from './workbench';

export interface WorkbenchOptions {
  /** A folder or a `.code-workspace` file; absolute. Left out: a new empty folder. */
  workspace?: string | 'none';
  /** One of the pinned versions of VS Code; when left out, the one that is tested. */
  version?: string;
  /** User settings, on top of those that keep the window quiet. */
  settings?: Record<string, unknown>;
  /** Files beside the user's settings: their names, and what they hold as JSON. */
  userFiles?: Record<string, unknown>;
  /** Run a copy of VS Code, for what writes into the folder that it is installed in. */
  ownCopy?: boolean;
  /** Install this VSIX rather than what is built in the source tree. */
  vsix?: string;
  extensionsDir?: string;
  /** False starts in Restricted Mode. */
  trusted?: boolean;
  /** Reaches the extension host. */
  env?: Record<string, string | undefined>;
  /** Of the window, in CSS pixels. */
  size?: { width: number; height: number };
}

/** Opens a window on a VS Code of its own. Close it when done. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { version = testedVersion, vsix, env, ownCopy, trusted = true, size = defaultSize } = options;
  const scratch = await scratchFolder('ui');
  const workspace = options.workspace ?? path.join(scratch.path, 'workspace');
  if (!options.workspace) await mkdir(workspace);
  const userDataDir = path.join(scratch.path, 'user');
  const extensionsDir = options.extensionsDir ?? path.join(scratch.path, 'extensions');
  const settings = new Settings(userDataDir);
  await settings.begin({ ...quiet, ...options.settings }, options.userFiles);
  if (vsix) await installVsix(version, extensionsDir, userDataDir, vsix);
  else await installExtension(extensionsDir);

  const server = await startServer({ version, userDataDir, extensionsDir, env, trusted, ownCopy });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: size });
  const workbench = new Workbench(page, workspace, version, server, settings, async () => {
    await browser.close();
    await server.stop();
    await scratch.remove();
  });
  try {
    await page.goto(windowUrl(server, workspace === 'none' ? {} : { workspace }));
    await workbench.ready();
  } catch (error) {
    await workbench.close();
    throw error;
  }
  return workbench;
}

async function installVsix(version: string, extensionsDir: string, userDataDir: string, vsix: string) {
  const { node, server } = await ensureVSCodeServer(version);
  await promisify(execFile)(node, [
    ...[server, '--accept-server-license-terms', '--install-extension', vsix],
    ...['--extensions-dir', extensionsDir, '--server-data-dir', userDataDir],
  ]);
}
