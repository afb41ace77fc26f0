import * as vscode from 'vscode';
import type { Plan, PlanHeading, QueuedPlan, SessionSummary, TodoList } from '../planner/model';
import type { View } from '../planner/ports';
import { currentSession } from '../planner/sessionChoice';
import type { PlannerConnection, StoreUpkeep } from './connection';
import { Disposable } from './disposable';
import { type PendingReview, pendingReviews } from './review/pendingReviews';

/** A plan of the queue, and the first of those that it waits for. */
export type ShownPlan = QueuedPlan & { blocker: PlanHeading | undefined };

/** What the window shows of the store, read in one go so that its parts fit together. */
export interface Planning {
  kind: 'ready';
  storeFolder: string;
  /**
   * `deleted`, `moved`: the store's files are gone, this is its last state, and nothing can be changed. `newer`: nor can
   * it be then, nor seen whole. `absent`: nobody made it yet.
   */
  condition: StoreUpkeep['condition'];
  /** Newest first, archived ones too. */
  sessions: SessionSummary[];
  /** The workspace's current session, or what stays in view while there is none. */
  session: SessionSummary | undefined;
  active: Plan | undefined;
  /** The first plans of the queue; `session.queueLength` counts them all. */
  queue: ShownPlan[];
  /** Of the agents that work in the session. */
  todos: TodoList[];
  /** Of all sessions, the oldest first. */
  reviews: PendingReview[];
}

export type WindowState = { kind: 'unread' } | { kind: 'noFolder' } | { kind: 'failed'; error: unknown } | Planning;

const PAGE = 200;
/** Milliseconds that a burst of changes may take to come together. */
const SETTLE = 20;

/**
 * The model behind the views. It follows the changes of every process: reads never overlap, so that an older state
 * can't be shown over a newer one, and a change during a read leads to another read.
 */
export class PlanningState extends Disposable {
  private readonly changed = this.own(new vscode.EventEmitter<WindowState>());
  private state: WindowState = { kind: 'unread' };
  private reading: Promise<void> | undefined;
  private stale = false;
  private settling: NodeJS.Timeout | undefined;
  private queueLimit = PAGE;

  readonly onDidChange = this.changed.event;

  constructor(private readonly connection: PlannerConnection) {
    super();
    this.own(connection.onDidMove(() => this.afterMove()));
    this.own(connection.onDidCommit(() => this.refreshSoon()));
    this.own(connection.onDidReplace(() => this.refreshSoon()));
    this.own({ dispose: () => clearTimeout(this.settling) });
  }

  get current(): WindowState {
    return this.state;
  }

  /** The last state read, or undefined if there is none to show. */
  get planning(): Planning | undefined {
    return this.state.kind === 'ready' ? this.state : undefined;
  }

  /** Reads if nothing was read yet. */
  async ready(): Promise<WindowState> {
    if (this.state.kind === 'unread') await this.refresh();
    return this.state;
  }

  /** Resolves when everything committed before the call is shown. */
  refresh(): Promise<void> {
    this.stale = true;
    this.reading ??= this.readUntilFresh();
    return this.reading;
  }

  showMoreOfQueue(): Promise<void> {
    this.queueLimit += PAGE;
    return this.refresh();
  }

  private afterMove(): void {
    this.queueLimit = PAGE;
    if (this.state.kind !== 'unread') void this.refresh();
  }

  private refreshSoon(): void {
    if (this.state.kind === 'unread') return;
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      void this.refresh();
    }, SETTLE);
  }

  private async readUntilFresh(): Promise<void> {
    try {
      while (this.stale && !this.isDisposed) {
        this.stale = false;
        const epoch = this.connection.epoch;
        const next = await this.read();
        if (epoch === this.connection.epoch) this.publish(next);
        else this.stale = true;
      }
    } finally {
      // In the same turn as the loop's last test, or a call in between would wait for a read that never comes.
      this.reading = undefined;
    }
  }

  private publish(next: WindowState): void {
    this.state = next;
    if (!this.isDisposed) this.changed.fire(next);
  }

  private async read(): Promise<WindowState> {
    try {
      if ((await this.connection.storeFolder()) === undefined) return { kind: 'noFolder' };
      const planner = await this.connection.planner();
      const upkeep = await this.connection.upkeep();
      return await planner.store.read((view): Planning => {
        const sessions = view.sessions({ archived: true });
        const session = shownSession(sessions, currentSession(view), this.planning?.session?.name);
        return {
          kind: 'ready',
          storeFolder: planner.store.folder,
          condition: upkeep.condition,
          sessions,
          session,
          active: session && view.activePlan(session.name),
          queue: session ? shownQueue(view, session.name, this.queueLimit) : [],
          todos: session ? view.todoLists(session.name) : [],
          reviews: pendingReviews(view),
        };
      });
    } catch (error) {
      return { kind: 'failed', error };
    }
  }
}

/** Most plans wait for one that is in the queue, too: only the others are looked up. */
function shownQueue(view: View, session: string, limit: number): ShownPlan[] {
  const queue = view.queue(session, { offset: 0, limit });
  const known = new Map<string, PlanHeading | undefined>(queue.map((plan) => [plan.id, plan]));
  return queue.map((plan) => {
    const [id] = plan.waitingFor;
    if (id === undefined) return { ...plan, blocker: undefined };
    if (!known.has(id)) known.set(id, view.plan(id));
    return { ...plan, blocker: known.get(id) };
  });
}

/**
 * With its last plan done a session is nobody's current one any more, but the person wants to see what came of it: then
 * the one that was in view stays, or, in a new window, the one that was changed last.
 */
function shownSession(
  sessions: SessionSummary[],
  current: string | undefined,
  before: string | undefined,
): SessionSummary | undefined {
  const unarchived = sessions.filter(({ archivedAt }) => archivedAt === null);
  const named = (name: string | undefined) => unarchived.find((session) => session.name === name);
  if (current !== undefined) return named(current);
  if (unarchived.some(({ queueLength, hasActivePlan }) => queueLength > 0 || hasActivePlan)) return named(before);
  return named(before) ?? unarchived.toSorted((a, b) => b.changedAt.localeCompare(a.changedAt))[0];
}
