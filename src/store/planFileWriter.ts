import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../planner/model';
import { formatPlan } from '../planner/planDocument';
import type { Log } from '../planner/ports';
import { errorCode } from './disk';
import { areRealFolders, type FoundFile, isFileThere, makeFolders, writeMarked } from './planFileAccess';
import type { PlanFolders } from './planFolders';

/** Whether the store has all that a file says. */
export type MayGo = (found: FoundFile) => boolean;

/**
 * Gives plans their files and takes them away, never what somebody saved there meanwhile: that is kept, and the
 * returned sentence says where. Throws what the file system refuses.
 */
export class PlanFileWriter {
  constructor(
    private readonly folders: PlanFolders,
    private readonly log: Log,
  ) {}

  /** `replaced` is the file that may be overwritten; if another one is there by now, that one is kept. */
  write(plan: Plan, replaced: FoundFile | undefined): string | undefined {
    const { sessionName: session, id } = plan;
    const path = this.folders.planPath(session, id);
    const temporary = join(this.folders.plansPath(session), `.${id}.${random()}.tmp`);
    let isLeft = true;
    try {
      this.writeIn(session, temporary, Buffer.from(formatPlan(plan)));
      const isExpected: MayGo = (file) => replaced?.bytes.equals(file.bytes) ?? false;
      const present = this.folders.look(path);
      if (present && !isExpected(present)) return kept(path);
      const aside = present && linkAside(path);
      fs.renameSync(temporary, path);
      isLeft = false;
      this.log.debug({ path }, 'Plan file written.');
      return aside && this.finishRemoval(aside, path, isExpected);
    } finally {
      if (isLeft) fs.rmSync(temporary, { force: true });
    }
  }

  /** Makes the folders if they aren't there; they were found to be no links a moment ago. */
  private writeIn(session: string, path: string, bytes: Buffer): void {
    try {
      writeMarked(path, bytes);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      makeFolders(this.folders.foldersOf(session));
      writeMarked(path, bytes);
    }
  }

  /** The file is renamed before it is looked at, so that what somebody saves under its name meanwhile isn't deleted. */
  remove(path: string, found: FoundFile | undefined, mayGo: MayGo): string | undefined {
    if (found === undefined) return undefined;
    return mayGo(found) ? this.takeAway(path, mayGo) : kept(path);
  }

  /** The same for a file that most likely may go: it isn't read before it is renamed, too. */
  removeUnseen({ sessionName, id }: Plan, mayGo: MayGo): string | undefined {
    const path = this.folders.planPath(sessionName, id);
    if (!areRealFolders(this.folders.foldersOf(sessionName)) || !isFileThere(path)) return undefined;
    return this.takeAway(path, mayGo);
  }

  private takeAway(path: string, mayGo: MayGo): string | undefined {
    const aside = sideName(path, 'aside');
    fs.renameSync(path, aside);
    this.log.debug({ path }, 'Plan file deleted.');
    return this.finishRemoval(aside, path, mayGo);
  }

  /** Deletes what was renamed to `aside`, or gives it its name `path` back. */
  finishRemoval(aside: string, path: string, mayGo: MayGo): string | undefined {
    let found: FoundFile | undefined;
    try {
      found = this.folders.look(aside);
    } catch (error) {
      giveBack(aside, path);
      throw error;
    }
    if (found === undefined) return undefined;
    if (!mayGo(found)) return kept(giveBack(aside, path));
    fs.unlinkSync(aside);
    return undefined;
  }
}

/** A second name for the file, so that it outlives its replacement; undefined where there are no such names. */
function linkAside(path: string): string | undefined {
  const aside = sideName(path, 'aside');
  try {
    fs.linkSync(path, aside);
    return aside;
  } catch {
    return undefined;
  }
}

/** The file's path then: it stays where it is if there is another one in its place by now. */
function giveBack(aside: string, path: string): string {
  try {
    // Unlike a renaming, a link never replaces a file that is there again.
    fs.linkSync(aside, path);
  } catch {
    return aside;
  }
  fs.unlinkSync(aside);
  return path;
}

/** Beside a plan's file, in a name that nobody else uses. */
export function sideName(path: string, ending: 'aside' | 'kept'): string {
  return path.replace(/txt$/, `${random()}.${ending}`);
}

function random(): string {
  return randomUUID().slice(-12);
}

export function kept(path: string): string {
  return `${path} holds text that the store doesn't have; it was kept as it is.`;
}
