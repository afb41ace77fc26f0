import { copyFile, link, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * A copy of a folder that costs no room for its files: they are the same ones under another name, so nobody may change
 * them in place. Files that are in `written` folders, and all if the disk has no such names, are copied indeed.
 *
 * @param {string} source
 * @param {string} target made here
 * @param {string[]} written paths in the folder, with the system's separators
 */
export async function linkedCopy(source, target, written) {
  await mkdir(target, { recursive: true });
  await Promise.all(
    (await readdir(source, { withFileTypes: true })).map(async (entry) => {
      const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
      const inside = written.filter((name) => name === entry.name || name.startsWith(entry.name + path.sep));
      if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
      else if (!entry.isDirectory()) await (written.includes('') ? copyFile(from, to) : linkOrCopy(from, to));
      else {
        const below = inside.map((name) => name.slice(entry.name.length + 1));
        await linkedCopy(from, to, written.includes('') ? [''] : below);
      }
    }),
  );
}

/** @param {string} from @param {string} to */
async function linkOrCopy(from, to) {
  await link(from, to).catch(() => copyFile(from, to));
}
