import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UnreadableConfig } from './configValue';

/** Bytes: far more than any configuration has. */
const LARGEST = 16 * 1024 * 1024;

/** Somebody wrote the file after it was shown. */
export class ConfigChanged extends Error {
  override readonly name = 'ConfigChanged';
}

/** What a write did, so that it can be taken back. */
export interface WrittenConfig {
  readonly file: string;
  /** Undefined if the file was removed. */
  readonly text: string | undefined;
  /** Absolute path of the copy of what was there; undefined if nothing was. */
  readonly backup: string | undefined;
}

/** '' if there is no file. Throws UnreadableConfig if it is no text, or no file of a configuration's size. */
export async function readConfig(file: string): Promise<string> {
  const bytes = await bytesOf(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array());
  } catch {
    throw new UnreadableConfig('it is no text in UTF-8');
  }
}

/**
 * Throws UnreadableConfig if links lead from a project's file to one outside of it: whoever made the project must not choose
 * which file of the person's is written.
 */
export async function checkWithin(project: string, file: string): Promise<void> {
  const [root, target] = await Promise.all([realpath(project), nearestReal(file)]);
  if (target !== root && !target.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new UnreadableConfig(`it is a link to ${target}, outside of the folder`);
  }
}

async function nearestReal(path: string): Promise<string> {
  return realpath(path).catch((error) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    return nearestReal(dirname(path));
  });
}

/**
 * Replaces the file whole, or removes it, after a copy of it went into `backups`. Throws ConfigChanged unless it still is
 * `before`.
 */
export async function writeConfig(
  file: string,
  change: { before: string; after: string | undefined },
  backups: string,
): Promise<WrittenConfig> {
  const bytes = await bytesOf(file);
  if (!isDeepStrictEqual(Buffer.from(bytes ?? ''), Buffer.from(change.before))) throw new ConfigChanged(file);
  const backup = bytes && join(backups, `${new Date().toISOString().replaceAll(':', '-')} ${basename(file)}`);
  if (backup) {
    await mkdir(backups, { recursive: true });
    // Configurations hold keys: the copy is as private as the folder can make it.
    await copyFile(file, backup);
    await chmod(backup, 0o600);
  }
  if (change.after === undefined) {
    await rm(file);
  } else {
    await mkdir(dirname(file), { recursive: true });
    await replaceWhole(file, change.after);
  }
  return { file, text: change.after, backup };
}

/** Puts back what was there. Throws ConfigChanged if the file was written since. */
export async function undoWrite({ file, text, backup }: WrittenConfig): Promise<void> {
  if ((await readConfig(file)) !== (text ?? '')) throw new ConfigChanged(file);
  if (backup) await replaceWhole(file, await readFile(backup));
  else await rm(file);
}

/** A reader sees the old text or the new one; links, as of dotfiles, and the file's mode stay. */
async function replaceWhole(file: string, content: string | Uint8Array): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (found) => found.mode,
    () => undefined,
  );
  const temporary = `${target}.${process.pid}.tmp`;
  await writeFile(temporary, content, { mode: mode ?? 0o600 });
  if (mode !== undefined) await chmod(temporary, mode);
  await rename(temporary, target);
}

async function bytesOf(file: string): Promise<Uint8Array | undefined> {
  // A project's files come from others: a pipe that nobody writes to must not hold one of the few threads for files.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new UnreadableConfig('it is no ordinary file');
    if (found.size > LARGEST) throw new UnreadableConfig('it is too large for a configuration');
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
