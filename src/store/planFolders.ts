import * as fs from 'node:fs';
import { join, sep } from 'node:path';
import { PlannerError } from '../planner/errors';
import { isSessionName, quoted } from '../planner/names';
import { asPlannerError } from './fileErrors';
import { areRealFolders, type FoundFile, findFile } from './planFileAccess';

const PLANS = 'plans';

/**
 * Where plan files lie below the store's folder, and what stands there. Symbolic links are never followed. VALIDATION_ERROR
 * for a name that could lead elsewhere, FILE_SYSTEM_ERROR for what the file system refuses.
 */
export class PlanFolders {
  /** Of each session its folder and the one of its plan files: they are asked for many times a change. */
  private readonly known = new Map<string, [session: string, plans: string]>();

  constructor(private readonly store: string) {}

  sessionPath(session: string): string {
    return this.foldersOf(session)[0];
  }

  planPath(session: string, plan: string): string {
    if (/[/\\\0]/.test(plan)) throw unsafe('plan', plan);
    return `${this.plansPath(session)}${sep}${plan}.txt`;
  }

  names(session: string): string[] {
    if (!areRealFolders(this.foldersOf(session))) return [];
    try {
      return fs.readdirSync(this.plansPath(session));
    } catch (error) {
      throw asPlannerError(error, `Reading ${this.plansPath(session)}`);
    }
  }

  find(session: string, path: string): FoundFile | undefined {
    try {
      return areRealFolders(this.foldersOf(session)) ? findFile(path) : undefined;
    } catch (error) {
      throw asPlannerError(error, `Reading ${path}`);
    }
  }

  /** In folders that were found to be real a moment ago. */
  look(path: string): FoundFile | undefined {
    try {
      return findFile(path);
    } catch (error) {
      throw asPlannerError(error, `Reading ${path}`);
    }
  }

  plansPath(session: string): string {
    return this.foldersOf(session)[1];
  }

  foldersOf(session: string): [session: string, plans: string] {
    let folders = this.known.get(session);
    if (folders === undefined) {
      if (!isSessionName(session)) throw unsafe('session', session);
      const path = join(this.store, session);
      folders = [path, join(path, PLANS)];
      this.known.set(session, folders);
    }
    return folders;
  }
}

function unsafe(what: 'session' | 'plan', name: string): PlannerError {
  return new PlannerError(
    'VALIDATION_ERROR',
    `${quoted(name)} can't be the name of a ${what}.`,
    `Use a ${what} name or id as the tools answer it.`,
  );
}
