import * as fs from 'node:fs';
import { join } from 'node:path';
import { PlannerError } from '../planner/errors';
import type { DomainEvent } from '../planner/events';
import type { Plan } from '../planner/model';
import type { Log, View, WorkingCopy } from '../planner/ports';
import { asPlannerError } from './fileErrors';
import { areRealFolders, type FoundFile, markFile, removeIfEmpty, textOf } from './planFileAccess';
import { kept, type MayGo, PlanFileWriter, sideName } from './planFileWriter';
import { PlanFolders } from './planFolders';
import { holdsPlan, isBlank } from './recordedText';

const PLAN_FILE = /^([0-9a-z]{5})\.txt$/;
/** A file being written; left behind only by a crash, and then it holds what the store has. */
const TEMPORARY = /^\.[0-9a-z]{5}\.[0-9a-f]+\.tmp$/;
/** A file being replaced or deleted; left behind only by a crash or for a text that came in just then. */
const ASIDE = /^([0-9a-z]{5})\.[0-9a-f]+\.aside$/;

/** After these a plan's file may have to be written or deleted. */
const FILED_EVENTS = ['plan_added', 'plan_edited', 'plan_pulled', 'plan_requeued', 'plan_completed', 'plan_discarded'];

/** What is known of a plan whose file is settled. */
interface Known {
  /** Only if it belongs to that one. */
  session?: string;
  /** The change at hand has completed it. */
  isCompleted?: boolean;
}

type PlanView = Pick<View, 'plan' | 'session' | 'activePlan' | 'queue'>;

/**
 * The working copies of queued and active plans (seed, section 8.1), which agents and people edit. What a file holds is
 * deleted or overwritten only if the store has it: the file is as the store wrote it, or reads as the plan's sections.
 * Symbolic links below the store's folder are never followed. Methods that take a name throw VALIDATION_ERROR if it
 * could lead elsewhere, and FILE_SYSTEM_ERROR for what the file system refuses.
 */
export class PlanFiles {
  private readonly folders: PlanFolders;
  private readonly writer: PlanFileWriter;

  constructor(folder: string, log: Log) {
    this.folders = new PlanFolders(folder);
    this.writer = new PlanFileWriter(this.folders, log);
  }

  sessionPath(session: string): string {
    return this.folders.sessionPath(session);
  }

  planPath(session: string, plan: string): string {
    return this.folders.planPath(session, plan);
  }

  /**
   * Ids of the plan files, sorted; other names as they are. What is only just being written, replaced or deleted isn't
   * named, unless it holds what the store doesn't have.
   */
  list(session: string, view?: Pick<PlanView, 'plan'>): string[] {
    return this.folders
      .names(session)
      .filter((name) => !TEMPORARY.test(name) && !this.isLeaving(session, name, view))
      .map((name) => PLAN_FILE.exec(name)?.[1] ?? name)
      .sort();
  }

  /** Undefined if there is no file. FILE_SYSTEM_ERROR if it isn't UTF-8. */
  read(session: string, plan: string): WorkingCopy | undefined {
    const path = this.planPath(session, plan);
    const found = this.folders.find(session, path);
    if (found === undefined) return undefined;
    const text = textOf(found);
    if (text !== undefined) return { text, version: found.version, isUntouched: found.isMarked };
    throw new PlannerError(
      'FILE_SYSTEM_ERROR',
      `The file of plan ${plan} is not UTF-8 text: ${path}`,
      'Save it with the encoding UTF-8 and call again.',
      { session, matter: { kind: 'planFile', path, fault: 'encoding' } },
    );
  }

  /** Brings the files in line with `view` after `events`. What stood in the way, in readable sentences. */
  reflect(events: readonly DomainEvent[], view: PlanView): string[] {
    const plans = new Set(events.flatMap((event) => (isFiled(event) ? [event.plan] : [])));
    const completed = new Set(events.flatMap((event) => (event.type === 'plan_completed' ? [event.plan] : [])));
    const deleted = events.flatMap((event) => (event.type === 'session_deleted' ? [event.session] : []));
    const unreadable = new Set(events.flatMap((event) => (isSetAside(event) ? [event.plan] : [])));
    return [
      ...[...unreadable].flatMap((id) => this.setAside(view, id)),
      ...[...plans].flatMap((id) => this.settleIn(view, id, { isCompleted: completed.has(id) })),
      ...deleted
        .filter((session) => view.session(session) === undefined)
        .flatMap((session) => this.attempt(session, () => this.removeSession(session, events))),
    ];
  }

  /** After a crash: writes the files that open plans lack, finishes what was begun. What stood in the way, as above. */
  restoreMissing(session: string, view: PlanView): string[] {
    const open = [view.activePlan(session), ...view.queue(session)].flatMap((plan) => (plan ? [plan.id] : []));
    const cleaning = this.attempt(session, () => this.cleanUp(session, view));
    const present = this.folders.names(session).flatMap((name) => PLAN_FILE.exec(name)?.[1] ?? []);
    return [...cleaning, ...[...new Set([...open, ...present])].flatMap((id) => this.settleIn(view, id, { session }))];
  }

  /** Whatever stands in the place of a plan's file is kept beside it; a folder or a link, too. */
  private setAside(view: PlanView, id: string): string[] {
    const plan = view.plan(id);
    if (plan === undefined) return [];
    const { sessionName: session } = plan;
    return this.attempt(session, () => {
      const path = this.planPath(session, id);
      if (!areRealFolders(this.folders.foldersOf(session))) return undefined;
      if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
      const beside = sideName(path, 'kept');
      fs.renameSync(path, beside);
      return `The file of plan ${id} could not be read as a plan, so it is kept as ${beside}.`;
    });
  }

  private settleIn(view: PlanView, id: string, known: Known): string[] {
    const plan = view.plan(id);
    if (plan === undefined || (known.session !== undefined && plan.sessionName !== known.session)) return [];
    return this.attempt(plan.sessionName, () => this.settle(plan, known.isCompleted));
  }

  /** Gives an open plan its file and takes a finished one's away. What stands in the way, if anything. */
  private settle(plan: Plan, isJustCompleted = false): string | undefined {
    const mayGo: MayGo = (file) => isRecorded(file, plan);
    // The change that completed it has read the file, and is refused if it can't be taken in.
    if (isJustCompleted && plan.status === 'completed') return this.writer.removeUnseen(plan, mayGo);
    const path = this.planPath(plan.sessionName, plan.id);
    const found = this.folders.find(plan.sessionName, path);
    if (isFinished(plan)) return this.writer.remove(path, found, mayGo);
    if (found === undefined || isBlank(found)) return this.writer.write(plan, found);
    if (!holdsPlan(found, plan)) return isRecorded(found, plan) ? this.writer.write(plan, found) : kept(path);
    // From now on it counts as the store's, should the file of the next version fail to be written.
    if (!found.isMarked) markFile(path, found);
    return undefined;
  }

  /** `events` are those of the change that deleted the session: a hand edit that it took in is recorded. */
  private removeSession(session: string, events: readonly DomainEvent[]): string | undefined {
    const remaining = this.folders.names(session).filter((name) => {
      // Another process is about to learn that the plan is gone, or never will.
      if (TEMPORARY.test(name)) return !tryToRemove(join(this.folders.plansPath(session), name));
      const id = PLAN_FILE.exec(name)?.[1];
      if (id === undefined) return true;
      const versions = events.flatMap((event) => (event.type === 'plan_edited' ? [event.fileVersion] : []));
      const isTakenIn: MayGo = (file) => file.isMarked || isBlank(file) || versions.includes(file.version);
      const path = this.planPath(session, id);
      return this.writer.remove(path, this.folders.find(session, path), isTakenIn) !== undefined;
    });
    if (remaining.length > 0) {
      return `Session ${session} was deleted, but what the store doesn't have was kept in ${this.folders.plansPath(session)}: ${remaining.join(', ')}.`;
    }
    for (const folder of this.folders.foldersOf(session).toReversed()) removeIfEmpty(folder);
    return undefined;
  }

  /** Deals with what processes that ended in the middle left behind. */
  private cleanUp(session: string, view: PlanView): string | undefined {
    const problems = this.folders.names(session).map((name) => {
      const left = join(this.folders.plansPath(session), name);
      const plan = view.plan(ASIDE.exec(name)?.[1] ?? '');
      if (plan === undefined && !TEMPORARY.test(name)) return undefined;
      const found = this.folders.find(session, left);
      if (!found?.isOld) return undefined;
      if (plan) {
        return this.writer.finishRemoval(left, this.planPath(session, plan.id), (file) => isRecorded(file, plan));
      }
      fs.unlinkSync(left);
      return undefined;
    });
    return problems.find((problem) => problem !== undefined);
  }

  private attempt(session: string, act: () => string | undefined): string[] {
    try {
      const problem = act();
      return problem === undefined ? [] : [problem];
    } catch (error) {
      const refusal = asPlannerError(
        error,
        `Bringing the plan files of ${session} up to date`,
        'The change is stored.',
      );
      if (!(refusal instanceof PlannerError)) throw error;
      return [`${refusal.message} ${refusal.suggestion}`];
    }
  }

  private isLeaving(session: string, name: string, view?: Pick<PlanView, 'plan'>): boolean {
    const id = ASIDE.exec(name)?.[1];
    if (id === undefined) return false;
    const found = this.folders.find(session, join(this.folders.plansPath(session), name));
    return found === undefined || (!found.isOld && isRecorded(found, view?.plan(id)));
  }
}

function isFinished({ status }: Plan): boolean {
  return status === 'completed' || status === 'discarded';
}

function isFiled(event: DomainEvent): event is Extract<DomainEvent, { type: 'plan_added' }> {
  return FILED_EVENTS.includes(event.type);
}

function isSetAside(event: DomainEvent): event is Extract<DomainEvent, { type: 'plan_edited' }> {
  return event.type === 'plan_edited' && event.fileSetAside === true;
}

/** Whether the store has all that the file says: it wrote it, took it in, or has the same text. */
function isRecorded(file: FoundFile, plan: Plan | undefined): boolean {
  return file.isMarked || (plan !== undefined && (file.version === plan.fileVersion || holdsPlan(file, plan)));
}

/** Whether a file that a killed process left unfinished is gone now. */
function tryToRemove(path: string): boolean {
  try {
    fs.rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}
