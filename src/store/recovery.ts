import { join } from 'node:path';
import { PlannerError } from '../planner/errors';
import type { DomainEvent } from '../planner/events';
import { isSessionName } from '../planner/names';
import { parsePlan } from '../planner/planDocument';
import type { Log } from '../planner/ports';
import type { JournalFolder } from './journalFolder';
import type { JournalLoader } from './journalLoader';
import { keepSnapshot } from './keptCopies';
import type { PlanFiles } from './planFiles';
import type { Projection } from './projectionPort';
import { SNAPSHOT } from './snapshot';

const PLANS = 'plans';
const PLAN_ID = /^[0-9a-z]{5}$/;

/** Brings a state back where the journal is missing, so that an empty store is never begun beside existing data. */
export class Recovery {
  constructor(
    private readonly folder: JournalFolder,
    private readonly loader: JournalLoader,
    private readonly planFiles: PlanFiles,
    private readonly log: Log,
  ) {}

  /**
   * The state that `store.db`, else the plan files hold; undefined if there are neither. Writes nothing. DATABASE_ERROR
   * if there is only a `store.db` that can't be read.
   */
  async recover(): Promise<Projection | undefined> {
    const snapshot = await this.loader.openSnapshot();
    if (snapshot) {
      this.log.warn({ folder: this.folder.path }, 'The journal is missing: the state of store.db is taken.');
      return snapshot.projection;
    }
    const sessions = this.sessionsWithFiles();
    const hasSnapshot = this.folder.disk.facts(join(this.folder.path, SNAPSHOT)) !== undefined;
    if (sessions.length === 0) {
      if (hasSnapshot) throw unreadable(join(this.folder.path, SNAPSHOT));
      return undefined;
    }
    if (hasSnapshot) keepSnapshot(this.folder.disk, this.folder.path);
    this.log.warn({ folder: this.folder.path }, 'The journal is missing: queues are made from the plan files.');
    return this.fromPlanFiles(sessions);
  }

  private sessionsWithFiles(): string[] {
    const { disk, path: folder } = this.folder;
    return (disk.list(folder) ?? [])
      .filter((name) => isSessionName(name) && disk.list(join(folder, name, PLANS)))
      .filter((name) => this.plansOf(name).length > 0)
      .sort();
  }

  private plansOf(session: string): string[] {
    return this.planFiles.list(session).filter((id) => PLAN_ID.test(id));
  }

  private async fromPlanFiles(sessions: string[]): Promise<Projection> {
    const projection = await this.loader.newProjection();
    try {
      this.fill(projection, sessions);
      return projection;
    } catch (error) {
      projection.close();
      throw error;
    }
  }

  private fill(projection: Projection, sessions: string[]): void {
    const record = { at: new Date().toISOString(), by: '9plan', seq: 1 };
    projection.begin();
    for (const session of sessions) {
      projection.apply({ type: 'session_created', session, taskDescription: null }, record);
      const plans = this.plansOf(session);
      for (const [index, plan] of plans.entries()) {
        projection.apply(this.planAdded(session, plan, index + 1), record);
      }
    }
    projection.commit();
  }

  private planAdded(session: string, plan: string, position: number): DomainEvent {
    // No text of the store has a NUL. The file stays as it is, and is reported as one that can't be understood.
    const text = this.planFiles.read(session, plan)?.text.replaceAll('\0', '\uFFFD') ?? '';
    const { sections, preamble } = parsePlan(text);
    const context = [preamble, sections.context ?? ''].filter((text) => text !== '').join('\n\n');
    const empty = { inputs: '', outputs: '', approach: '', successCriteria: '', notes: '' };
    const goal = sections.goal || context.split('\n')[0] || plan;
    return {
      type: 'plan_added',
      plan,
      session,
      position,
      sections: { ...empty, ...sections, goal, context },
      parent: null,
    };
  }
}

function unreadable(path: string): PlannerError {
  return new PlannerError(
    'DATABASE_ERROR',
    `The journal is missing, and ${path} is damaged or of another version. Nothing was changed.`,
    'Put journal-*.ndjson back from a copy, or update 9plan; to start anew, move the folder away.',
  );
}
