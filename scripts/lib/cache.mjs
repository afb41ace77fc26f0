// Folders that are made once and kept.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from './run.mjs';

/** No fetch takes this long: what is older was left behind by a killed run. */
const abandonedMs = 3_600_000;
/** A registry that is out of reach is mostly back after a moment. */
const attempts = 3;

/**
 * A folder is filled under another name and then renamed. So one that has its final name is complete, an interrupted
 * run leaves nothing that counts, and of two runs at once the first one wins.
 */
export class Cache {
  /** @type {Map<string, Promise<string>>} */
  #underway = new Map();
  #folder;
  #announce;
  #pauseMs;

  /**
   * @param {string} folder absolute; made when needed
   * @param {{ announce?: (line: string) => void, pauseMs?: number }} [options] the pause is before another attempt
   */
  constructor(folder, { announce = say, pauseMs = 5_000 } = {}) {
    this.#folder = folder;
    this.#announce = announce;
    this.#pauseMs = pauseMs;
  }

  /**
   * @param {string} name
   * @param {string} what for the person who waits
   * @param {(target: string) => Promise<void>} fill
   * @returns {Promise<string>} the absolute path of the folder; a failure may be tried again
   */
  ensure(name, what, fill) {
    const folder = path.join(this.#folder, name);
    if (existsSync(folder)) return Promise.resolve(folder);
    const made = this.#underway.get(name) ?? this.#fetch(folder, what, fill).finally(() => this.#underway.delete(name));
    this.#underway.set(name, made);
    return made;
  }

  /** @param {string} folder @param {string} what @param {(target: string) => Promise<void>} fill */
  async #fetch(folder, what, fill) {
    this.#announce(`fetching ${what}`);
    await mkdir(this.#folder, { recursive: true });
    await this.#removeAbandoned();
    for (let attempt = 1; !existsSync(folder); attempt++) {
      const error = await this.#attempt(folder, fill);
      if (error === undefined) break;
      if (attempt === attempts) throw new Error(`could not fetch ${what}`, { cause: error });
      this.#announce(`could not fetch ${what}, trying again`);
      await pause(this.#pauseMs);
    }
    return folder;
  }

  /**
   * @param {string} folder
   * @param {(target: string) => Promise<void>} fill
   * @returns {Promise<unknown>} what went wrong, unless somebody else has made the folder meanwhile
   */
  async #attempt(folder, fill) {
    const target = await mkdtemp(path.join(this.#folder, 'fetch-'));
    try {
      await fill(target);
      await rename(target, folder);
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      return existsSync(folder) ? undefined : error;
    }
  }

  async #removeAbandoned() {
    for (const name of await readdir(this.#folder)) {
      if (!name.startsWith('fetch-')) continue;
      const folder = path.join(this.#folder, name);
      const made = await stat(folder).catch(() => undefined);
      if (made && Date.now() - made.mtimeMs > abandonedMs) await rm(folder, { recursive: true, force: true });
    }
  }
}
