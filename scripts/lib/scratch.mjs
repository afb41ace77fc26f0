import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A temporary folder that goes with this process, if it isn't removed before.
 *
 * @param {string} name
 * @returns {Promise<{ path: string, remove: () => Promise<void> }>}
 */
export async function scratchFolder(name) {
  // The path of a socket below it must stay under 108 bytes, so it is a short one.
  const folder = await mkdtemp(path.join(tmpdir(), `9plan-${name}-`));
  // Programs that were told to end may still write: hence the retries.
  const options = { recursive: true, force: true, maxRetries: 5 };
  const removeNow = () => rmSync(folder, options);
  process.once('exit', removeNow);
  return {
    path: folder,
    async remove() {
      process.off('exit', removeNow);
      await rm(folder, options);
    },
  };
}

/** Makes Ctrl+C and the like an ordinary end of this process, at which what belongs to it is cleaned up. */
export function exitOnSignals() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.once(signal, () => process.exit(130));
}
