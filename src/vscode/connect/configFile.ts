import { chmod, copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UnreadableConfig } from './configValue';

/** Somebody wrote the file after it was shown. */
export class ConfigChanged extends Error {
  override readonly name = 'ConfigChanged';
}

/** What a write did, so that it can be taken back. */
export interface WrittenConfig {
  readonly file: string;
  readonly text: string;
  /** Absolute path of the copy of what was there; undefined if nothing was. */
  readonly backup: string | undefined;
}

/** '' if there is no file. Throws UnreadableConfig if it is no text. */
export async function readConfig(file: string): Promise<string> {
  const bytes = await bytesOf(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array());
  } catch {
    throw new UnreadableConfig('it is no text in UTF-8');
  }
}

/** Replaces the file whole, after a copy of it went into `backups`. Throws ConfigChanged unless it still is `before`. */
export async function writeConfig(
  file: string,
  change: { before: string; after: string },
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
  await mkdir(dirname(file), { recursive: true });
  await replaceWhole(file, change.after);
  return { file, text: change.after, backup };
}

/** Puts back what was there. Throws ConfigChanged if the file was written since. */
export async function undoWrite({ file, text, backup }: WrittenConfig): Promise<void> {
  if ((await readConfig(file)) !== text) throw new ConfigChanged(file);
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
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
