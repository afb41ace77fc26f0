import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { House } from './house';

/** What the sessions of a store are about, sorted. */
export async function tasksOf(folder: string): Promise<string[]> {
  const house = new House(folder);
  try {
    const sessions = await house.store.read((view) => view.sessions({ archived: true }));
    return sessions.map(({ taskDescription }) => String(taskDescription)).sort();
  } finally {
    await house.store.close();
  }
}

/** States that were set aside. */
export function keptIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^(rescue|damaged)-/.test(name));
}

export function backupsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('backup-'));
}

/** What ordinary files say; the backups and the signs of life of windows left out. */
export function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const own = names.filter((name) => !/^(backup-|windows)/.test(name) && lstatSync(join(folder, name)).isFile());
  return new Map(own.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

export function planFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.txt'));
}
