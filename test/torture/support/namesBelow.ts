import { readdirSync } from 'node:fs';

/** Paths of all files and folders in a folder, relative to it. */
export function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}
