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
  /** Of the last session that was asked for: a change asks many times. */
  private last: { session: string; folders: [session: string, plans: string] } | undefined;

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
    if (this.last?.session === session) return this.last.folders;
    if (!isSessionName(session)) throw unsafe('session', session);
    const path = join(this.store, session);
    this.last = { session, folders: [path, join(path, PLANS)] };
    return this.last.folders;
  }
}

function unsafe(what: 'session' | 'plan', name: string): PlannerError {
  return new PlannerError(
    'VALIDATION_ERROR',
    `${quoted(name)} can't be the name of a ${what}.`,
    `Use a ${what} name or id as the tools answer it.`,
  );
}
