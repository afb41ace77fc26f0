import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, posix, win32 } from 'node:path';
import type { ServerLaunch } from './agents';

/** What a launcher has to find again. All paths are absolute. */
export interface LauncherTarget {
  /** Runs JavaScript: the editor's own executable, or a Node. */
  runtime: string;
  /** The MCP server's script, within the extension's folder. */
  serverScript: string;
  platform: NodeJS.Platform;
}

/** Remembers what was written, so that a window needn't look at the disk. */
export interface LauncherMemory {
  get<T>(key: string): T | undefined;
  update(key: string, value: string): PromiseLike<void>;
}

const WRITTEN = 'nineplan.launcher';

/**
 * A script that starts the MCP server. Other agents' configurations point to it, because the extension's folder and
 * often the editor's executable are others after each update; it looks for those it was written for, then for newer ones.
 */
export class Launcher {
  readonly file: string;
  private readonly text: string;

  /** `folder` may not exist yet. */
  constructor(
    folder: string,
    private readonly target: LauncherTarget,
    private readonly memory: LauncherMemory,
  ) {
    const windows = target.platform === 'win32';
    this.file = join(folder, windows ? '9plan-mcp.cmd' : '9plan-mcp');
    this.text = windows ? batchScript(target) : shellScript(target);
  }

  /** How an agent starts it. Windows starts no script by itself. */
  launch(env: Record<string, string>): ServerLaunch {
    return this.target.platform === 'win32'
      ? { command: 'cmd', args: ['/c', this.file], env }
      : { command: this.file, args: [], env };
  }

  /** Writes the script, unless it is there as it should be. Other windows may be doing the same. */
  async write(): Promise<void> {
    if ((await this.present()) !== this.text) {
      await mkdir(dirname(this.file), { recursive: true });
      const temporary = `${this.file}.${process.pid}`;
      await writeFile(temporary, this.text);
      await chmod(temporary, 0o755);
      await rename(temporary, this.file);
    }
    await this.memory.update(WRITTEN, this.text);
  }

  /** After an update of the extension or the editor: writes it anew, if somebody ever needed it here. */
  async renew(): Promise<void> {
    const written = this.memory.get<string>(WRITTEN);
    if (written === undefined || written === this.text) return;
    // The memory goes from machine to machine with the person.
    if ((await this.present()) !== undefined) await this.write();
  }

  private async present(): Promise<string | undefined> {
    try {
      return await readFile(this.file, 'utf8');
    } catch {
      return undefined;
    }
  }
}

function shellScript({ runtime, serverScript }: LauncherTarget): string {
  const { extensions, any } = places(serverScript, posix);
  return `#!/bin/sh
# Starts the MCP server of 9plan. Written by the extension; changes are lost.
for server in ${quoted(serverScript)} ${quoted(extensions)}/${any}; do
  [ -f "$server" ] && break
done
if [ ! -f "$server" ]; then
  echo "9plan is not installed any more: install the extension and open its editor once" >&2
  exit 1
fi
runtime=${quoted(runtime)}
[ -x "$runtime" ] || runtime=$(command -v node) || {
  echo "9plan: the editor that this was written for is gone, and there is no node: open the editor once" >&2
  exit 1
}
ELECTRON_RUN_AS_NODE=1 exec "$runtime" "$server" "$@"
`;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function batchScript({ runtime, serverScript }: LauncherTarget): string {
  const { extensions, folder, rest } = places(serverScript, win32);
  const plain = (path: string) => path.replaceAll('%', '%%');
  return [
    '@echo off',
    'rem Starts the MCP server of 9plan. Written by the extension; changes are lost.',
    'setlocal DisableDelayedExpansion',
    `set "server=${plain(serverScript)}"`,
    `if not exist "%server%" for /d %%d in ("${plain(extensions)}\\${folder}") do if exist "%%d\\${rest}" set "server=%%d\\${rest}"`,
    'if not exist "%server%" (',
    '  echo 9plan is not installed any more: install the extension and open its editor once 1>&2',
    '  exit /b 1',
    ')',
    `set "runtime=${plain(runtime)}"`,
    'if not exist "%runtime%" set "runtime=node"',
    'set "ELECTRON_RUN_AS_NODE=1"',
    '"%runtime%" "%server%" %*',
    '',
  ].join('\r\n');
}

/** Extensions stand side by side, each in a folder named by its version. */
function places(serverScript: string, { dirname: up, basename }: typeof posix) {
  const extension = up(up(serverScript));
  const folder = `${basename(extension).replace(/-\d.*$/, '')}-*`;
  const names = [basename(up(serverScript)), basename(serverScript)];
  return { extensions: up(extension), folder, rest: names.join('\\'), any: [folder, ...names].join('/') };
}
