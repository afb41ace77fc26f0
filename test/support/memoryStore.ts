import { join, sep } from 'node:path';
import type { CommittedChange, DomainEvent } from '../../src/planner/events';
import { formatPlan } from '../../src/planner/planDocument';
import type { Disposable, PlanStore, Transaction, View, WorkingCopy } from '../../src/planner/ports';
import { openProjection } from '../../src/store/projection';
import type { Projection } from '../../src/store/projectionPort';
import { loadSqlJs } from '../../src/store/sqlJs';

/**
 * A plan store over the real projection, without a journal and with plan files in memory. Every command runs twice, the
 * first time in vain, as it does when another process's change came first: one that had effects of its own would show.
 */
export class MemoryStore implements PlanStore {
  readonly folder = join(sep, 'store');
  /** While true, changes are committed but their plan files not written yet. */
  filesLagBehind = false;
  readonly changes: CommittedChange[] = [];
  private readonly files = new Map<string, WorkingCopy>();
  private saves = 0;
  private readonly listeners = new Set<(change: CommittedChange) => void>();
  private readonly view: View;
  private seq = 0;

  private constructor(private readonly projection: Projection) {
    const key = (session: string, plan: string): string => `${session}/${plan}`;
    this.view = {
      ...projection.view,
      sessionPath: (session) => join(this.folder, session),
      planPath: (session, plan) => join(this.folder, session, 'plans', `${plan}.txt`),
      planFiles: (session) =>
        [...this.files.keys()]
          .filter((name) => name.startsWith(`${session}/`))
          .map((name) => name.slice(session.length + 1))
          .sort(),
      workingCopy: (session, plan) => this.files.get(key(session, plan)),
    };
  }

  static async open(): Promise<MemoryStore> {
    return new MemoryStore(openProjection(await loadSqlJs()));
  }

  async read<T>(query: (view: View) => T): Promise<T> {
    return query(this.view);
  }

  async transact<T>(by: string, command: (tx: Transaction) => T): Promise<T> {
    this.projection.begin();
    try {
      command(this.transaction(by, []));
    } finally {
      this.projection.rollback();
    }
    const events: DomainEvent[] = [];
    const tx = this.transaction(by, events);
    this.projection.begin();
    let result: T;
    try {
      result = command(tx);
      this.projection.commit();
    } catch (error) {
      this.projection.rollback();
      throw error;
    }
    if (events.length > 0) this.committed({ seq: ++this.seq, at: tx.now, by, own: true, events });
    return result;
  }

  onDidChange(listener: (change: CommittedChange) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** What somebody made of a plan's file by hand; undefined deletes it. */
  editFile(session: string, plan: string, text: string | undefined): void {
    if (text === undefined) this.files.delete(`${session}/${plan}`);
    else this.files.set(`${session}/${plan}`, { text, version: `save ${++this.saves}`, isUntouched: false });
  }

  fileText(session: string, plan: string): string | undefined {
    return this.files.get(`${session}/${plan}`)?.text;
  }

  /** Everything that a change could touch: equal before and after a refused call. */
  image(): unknown {
    return { rows: [...this.projection.rows()], files: [...this.files] };
  }

  close(): void {
    this.projection.close();
  }

  private transaction(by: string, events: DomainEvent[]): Transaction {
    const record = { at: new Date(Date.now() + this.seq + 1).toISOString(), by, seq: this.seq + 1 };
    const emit = (event: DomainEvent): void => {
      this.projection.apply(event, record);
      events.push(event);
    };
    return { ...this.view, now: record.at, emit };
  }

  private committed(change: CommittedChange): void {
    this.changes.push(change);
    if (!this.filesLagBehind) for (const event of change.events) this.reflect(event);
    for (const listener of this.listeners) listener(change);
  }

  private reflect(event: DomainEvent): void {
    if (event.type === 'session_deleted') {
      for (const name of this.view.planFiles(event.session)) this.files.delete(`${event.session}/${name}`);
    }
    if (!('plan' in event) || event.type === 'proposal_submitted') return;
    const plan = this.view.plan(event.plan);
    if (plan === undefined) return;
    const key = `${plan.sessionName}/${plan.id}`;
    const present = this.files.get(key);
    if (present && event.type === 'plan_edited' && event.fileSetAside) this.files.set(`${key}.kept`, present);
    if (plan.status === 'completed' || plan.status === 'discarded') this.files.delete(key);
    else if (event.type === 'plan_added' || event.type === 'plan_edited' || event.type === 'plan_requeued') {
      this.files.set(key, { text: formatPlan(plan), version: 'written', isUntouched: true });
    }
  }
}
