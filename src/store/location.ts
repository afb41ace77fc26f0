import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const FOLDER = '.9plan';

export interface Surroundings {
  /** Where the search begins: the server's working folder, or the editor's workspace folder. */
  from: string;
  /** `NINEPLAN_SESSIONS_PATH`, if it is set. */
  sessionsPath?: string;
  /** The store of a folder outside any project; without it that is the person's data folder. */
  outsideProjects?: string;
  home?: string;
  /** Id of the person; undefined where users have none. */
  user?: number;
  platform?: NodeJS.Platform;
  environment?: Record<string, string | undefined>;
}

/**
 * Absolute path of the store folder, by one rule for agents and editor, so that both meet: the one that is named, else
 * the nearest `.9plan` upwards (of a stranger's none), else `.9plan` at the git root, else the person's data folder. Creates nothing.
 */
export function findStoreFolder({ sessionsPath, home = homedir(), ...rest }: Surroundings): string {
  const {
    from,
    outsideProjects,
    user = process.getuid?.(),
    platform = process.platform,
    environment = process.env,
  } = rest;
  if (sessionsPath)
    return resolve(
      from,
      sessionsPath.replace(/^~(?=$|[/\\])/, () => home),
    );
  const parents = [...upwards(realPath(from))];
  const existing = parents.find((folder) => isFolder(join(folder, FOLDER)) && !isStrangers(folder, user));
  // In a linked work tree or a submodule `.git` is a file.
  const found = existing ?? parents.find((folder) => exists(join(folder, '.git')));
  if (found !== undefined) return join(found, FOLDER);
  return outsideProjects ?? join(dataFolder(platform, home, environment), 'sessions');
}

/**
 * Whether somebody else put the store into a folder that isn't theirs, as anybody can do with `/tmp`: they would read what is
 * planned below it, and tell agents there what to do.
 */
function isStrangers(folder: string, user: number | undefined): boolean {
  const owner = statOf(join(folder, FOLDER))?.uid;
  return user !== undefined && owner !== user && owner !== statOf(folder)?.uid;
}

function* upwards(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

function dataFolder(platform: NodeJS.Platform, home: string, environment: Record<string, string | undefined>): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', '9plan');
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), '9plan', 'Data');
  return join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), '9plan');
}

/** A link and its target must lead to the same store. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

const exists = (path: string) => statOf(path) !== undefined;
const isFolder = (path: string) => statOf(path)?.isDirectory() ?? false;

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
