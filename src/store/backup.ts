import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { isSessionName } from '../planner/names';
import { errorCode } from './disk';
import { asPlannerError } from './fileErrors';

const BACKUP = 'backup-';
/** Signs of life of open windows: nothing of the plans. */
const PRESENCE = 'windows';
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EROFS'];

/** A folder in the store's own that keeps how its files were, and takes in what has to make room. */
export class Backup {
  /** What could not be copied or moved, in sentences. */
  readonly problems: string[] = [];

  private constructor(
    private readonly folder: string,
    /** Absolute. */
    readonly path: string,
  ) {}

  /**
   * Copies every ordinary file of the store; one that its owner may not read is made readable for that. Rejects with
   * FILE_SYSTEM_ERROR, and leaves nothing behind, if there is no room.
   */
  static async of(folder: string, stamp: string): Promise<Backup> {
    const backup = new Backup(folder, join(folder, `${BACKUP}${stamp}`));
    try {
      await fs.promises.mkdir(backup.path, { mode: PRIVATE_FOLDER });
      const strangers = new Set(backup.strangers());
      for (const entry of await fs.promises.readdir(folder)) {
        if (entry.startsWith(BACKUP) || entry === PRESENCE) continue;
        await backup.copy(entry, strangers);
      }
    } catch (error) {
      await fs.promises.rm(backup.path, { recursive: true, force: true });
      throw asPlannerError(error, `Making a backup of ${folder}`);
    }
    return backup;
  }

  /** What isn't of the kind that its name says, and so keeps the store or a session from being used; names from the store on. */
  strangers(): string[] {
    const names = fs.readdirSync(this.folder);
    const isKind = (name: string, kind: 'isFile' | 'isDirectory') => fs.lstatSync(join(this.folder, name))[kind]();
    const files = names.filter((name) => /^(?:journal-[1-9]\d*\.ndjson|store\.db)$/.test(name));
    const sessions = names.filter((name) => isSessionName(name) && name !== PRESENCE);
    const plans = sessions
      .filter((name) => isKind(name, 'isDirectory') && this.kindOf(join(name, 'plans')) !== undefined)
      .map((name) => join(name, 'plans'));
    return [
      ...files.filter((name) => !isKind(name, 'isFile')),
      // A file that happens to bear such a name is nobody's session.
      ...sessions.filter((name) => fs.lstatSync(join(this.folder, name)).isSymbolicLink()),
      ...plans.filter((name) => !isKind(name, 'isDirectory')),
    ];
  }

  /** Takes it in by renaming: a link stays a link, wherever it leads. Undefined, with a problem, if it can't be moved. */
  moveIn(name: string): string | undefined {
    const target = join(this.path, name);
    try {
      fs.mkdirSync(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
      fs.renameSync(join(this.folder, name), target);
      return target;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.problems.push(`${name} could not be moved: ${reason(error)}.`);
      return undefined;
    }
  }

  private kindOf(name: string): fs.Stats | undefined {
    return fs.lstatSync(join(this.folder, name), { throwIfNoEntry: false });
  }

  private async copy(name: string, except: ReadonlySet<string>): Promise<void> {
    if (except.has(name)) return;
    try {
      const stats = this.kindOf(name);
      if (stats?.isDirectory()) await this.copyFolder(name, except);
      else if (stats?.isFile()) await this.copyFile(name);
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (code === 'ENOENT') return;
      if (NO_ROOM.includes(code)) throw error;
      this.problems.push(`${name} could not be copied: ${reason(error)}.`);
    }
  }

  private async copyFolder(name: string, except: ReadonlySet<string>): Promise<void> {
    const entries = await this.readably(name, PRIVATE_FOLDER, (path) => fs.promises.readdir(path));
    await fs.promises.mkdir(join(this.path, name), { mode: PRIVATE_FOLDER });
    for (const entry of entries) await this.copy(join(name, entry), except);
  }

  private async copyFile(name: string): Promise<void> {
    const target = join(this.path, name);
    await this.readably(name, PRIVATE_FILE, (path) => fs.promises.copyFile(path, target, fs.constants.COPYFILE_EXCL));
    const file = await fs.promises.open(target, 'r+');
    try {
      await file.chmod(PRIVATE_FILE);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  private async readably<T>(name: string, mode: number, read: (path: string) => Promise<T>): Promise<T> {
    const path = join(this.folder, name);
    try {
      return await read(path);
    } catch (error) {
      if (errorCode(error) !== 'EACCES') throw error;
      await fs.promises.chmod(path, mode);
      return await read(path);
    }
  }
}

/** Without the path, which is said already. */
function reason(error: unknown): string {
  const code = errorCode(error);
  return code ?? (error instanceof Error ? error.message : String(error));
}
