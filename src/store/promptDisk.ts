import * as fs from 'node:fs';
import { type Disk, realDisk } from './disk';

/** Milliseconds; a disk that takes no longer is waited for. */
const QUICK = 1;

/** How long the last sync took. */
let lastSync = Number.POSITIVE_INFINITY;

/**
 * For a process in which nothing else is to be done meanwhile than changes of the store. Where syncs are quick it waits
 * for them itself, since the way through another thread takes longer than the sync; a slow one isn't waited for again
 * until they are quick. What else was asked for in the same turn of the event loop is written first, so that one sync
 * does for all.
 */
export const promptDisk: Disk = {
  ...realDisk,
  syncData: async (fd) => {
    const isQuick = lastSync < QUICK;
    if (isQuick) await new Promise(setImmediate);
    const start = performance.now();
    try {
      if (isQuick) fs.fdatasyncSync(fd);
      else await realDisk.syncData(fd);
    } finally {
      lastSync = performance.now() - start;
    }
  },
};
