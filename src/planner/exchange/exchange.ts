import type { Caller } from '../caller';
import { PlannerError } from '../errors';
import { takeInReadableEdits } from '../fileEdits';
import { openPlans } from '../integrity';
import { newSessionName } from '../newNames';
import type { PlanStore, Transaction } from '../ports';
import { namedSession } from '../sessionChoice';
import { enteringText } from '../text';
import { addOutline } from './adding';
import type { Exported } from './exported';
import { exportStore } from './exporting';
import { exportMarkdown } from './markdownExport';
import { missingIn } from './missing';
import type { Outline, SessionOutline } from './outline';
import { type Restored, restore } from './restoring';

export interface Imported {
  /** The sessions that the plans are in. */
  sessions: string[];
  plans: number;
}

/** Plans in and out of the store, in one change each. */
export class Exchange {
  constructor(private readonly store: PlanStore) {}

  /** The whole store, or one session, with the edits of its plan files. */
  exportJson(caller: Caller, input: { sessionName?: string }): Promise<Exported> {
    return this.store.transact(caller.client, (tx) => {
      const only = input.sessionName === undefined ? undefined : namedSession(tx, input.sessionName);
      takeInFiles(tx, only);
      return exportStore(tx, only);
    });
  }

  /** A session for reading. */
  exportMarkdown(caller: Caller, input: { sessionName: string }): Promise<string> {
    return this.store.transact(caller.client, (tx) => {
      const session = namedSession(tx, input.sessionName);
      takeInFiles(tx, session);
      return exportMarkdown(tx, session);
    });
  }

  /**
   * Plans of another tool: into the named session, or each list into a session of its own. VALIDATION_ERROR if there are
   * none.
   */
  async import(caller: Caller, input: { outline: Outline; sessionName?: string }): Promise<Imported> {
    const sessions = input.outline.sessions.filter(({ plans }) => plans.length > 0);
    if (sessions.length === 0) throw nothingToImport();
    return this.store.transact(caller.client, (tx) => {
      const named = input.sessionName === undefined ? undefined : namedSession(tx, input.sessionName);
      const used = sessions.map((outline) => {
        const session = named ?? newSession(tx, outline);
        addOutline(tx, session, outline.plans);
        return session;
      });
      return { sessions: [...new Set(used)], plans: sessions.reduce((sum, { plans }) => sum + plans.length, 0) };
    });
  }

  /** What of an exported state isn't here; `restore` adds it. */
  missing(input: { exported: Exported }): Promise<Exported> {
    return this.store.read((view) => missingIn(view, input.exported));
  }

  /** What was exported before; into an empty store it gives the same state. VALIDATION_ERROR if it holds no session. */
  async restore(caller: Caller, input: { exported: Exported }): Promise<Restored> {
    if (input.exported.sessions.length === 0) throw nothingToImport();
    return this.store.transact(caller.client, (tx) => restore(tx, input.exported));
  }
}

function newSession(tx: Transaction, { title, taskDescription }: SessionOutline): string {
  const session = newSessionName((name) => tx.session(name) !== undefined);
  const about = enteringText('task_description', taskDescription ?? title ?? '') || null;
  tx.emit({ type: 'session_created', session, taskDescription: about });
  return session;
}

function takeInFiles(tx: Transaction, only: string | undefined): void {
  const sessions = only === undefined ? tx.sessions({ archived: true }).map(({ name }) => name) : [only];
  for (const session of sessions) for (const plan of openPlans(tx, session)) takeInReadableEdits(tx, plan);
}

function nothingToImport(): PlannerError {
  return new PlannerError('VALIDATION_ERROR', 'There is no plan in it.', 'Choose another file.');
}
