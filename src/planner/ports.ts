import type { CommittedChange, DomainEvent } from './events';
import type {
  HistoryMatch,
  Owner,
  Plan,
  PlanHeading,
  Proposal,
  ProposalStatus,
  QueuedPlan,
  Session,
  SessionSummary,
  Todo,
  TodoList,
} from './model';

/** What the planner needs of the outside. `store/` implements it; nobody above knows of journals or SQL. */
export interface PlanStore {
  /** Absolute path of the store folder. It may not exist yet: the first change creates it. */
  readonly folder: string;

  /** What became of the store, as a sentence, if it is no longer where it was: every answer says it. */
  readonly trouble?: string | undefined;

  /**
   * Runs `command` on the current state and commits the events it emitted as one durable change, or none if it throws.
   * It may run several times, when another process's change came first: it must not have effects but through `tx`.
   * Resolves after the change is on disk. Rejects with PlannerError (FILE_SYSTEM_ERROR, DATABASE_ERROR) if it can't be.
   */
  transact<T>(by: string, command: (tx: Transaction) => T): Promise<T>;

  /** Runs `query` on the state as it is after catching up with every process. */
  read<T>(query: (view: View) => T): Promise<T>;

  /** Called after each committed change, made by any process, in order. */
  onDidChange(listener: (change: CommittedChange) => void): Disposable;
}

export interface Disposable {
  dispose(): void;
}

/** Queries; each answers from the state of the moment. Lists are in a stable order, given with each. */
export interface View {
  session(name: string): Session | undefined;
  /** Newest first; archived ones only if asked for. */
  sessions(options?: { archived?: boolean }): SessionSummary[];
  selectedSession(): string | undefined;
  /** Unarchived sessions with queued or active plans. */
  sessionsWithOpenWork(): string[];

  plan(id: string): Plan | undefined;
  activePlan(session: string): Plan | undefined;
  /** By position. */
  queue(session: string, range?: { offset: number; limit: number }): QueuedPlan[];
  queueLength(session: string): number;
  completedCount(session: string): number;
  /** The frontmost queued plan all of whose blockers are completed or discarded. */
  firstReady(session: string): PlanHeading | undefined;
  /** Completed plans (or discarded ones), newest first. */
  history(
    session: string | undefined,
    options: { status: 'completed' | 'discarded'; offset: number; limit: number },
  ): Plan[];
  /** Best first. Any string is a legal query. */
  searchHistory(query: string, options: { session?: string; limit: number }): HistoryMatch[];

  /** Direct blockers, finished ones too, by id. */
  blockersOf(plan: string): PlanHeading[];
  /** Plans that wait for this one, directly, by id. */
  blockedBy(plan: string): PlanHeading[];
  childrenOf(plan: string): PlanHeading[];

  proposal(id: string): Proposal | undefined;
  /** Newest first. */
  proposals(filter: { owner?: Owner; session?: string; status?: ProposalStatus[]; limit?: number }): Proposal[];
  todos(owner: Owner): Todo[];
  /** Every non-empty list of a session. */
  todoLists(session: string): TodoList[];

  /** Absolute path of a session's folder, whether or not it exists. */
  sessionPath(session: string): string;
  planPath(session: string, plan: string): string;
  /** Ids of the plan files in a session's folder, sorted; names that are no plan file's stand as they are. */
  planFiles(session: string): string[];
  /** The file of a plan as it is now; undefined if there is none. Throws FILE_SYSTEM_ERROR if it can't be read. */
  workingCopy(session: string, plan: string): WorkingCopy | undefined;

  /** Raw facts for the integrity check, each one readable sentence: queue order, two active plans, orphaned rows, journal damage. */
  inconsistencies(session: string): { invariant: Invariant | 'store'; issue: string }[];
}

export interface WorkingCopy {
  text: string;
  /** Tells this text, saved at this time, from every other. */
  version: string;
  /** Still as the store wrote it, in this version of the plan or an earlier one. */
  isUntouched: boolean;
}

export type Invariant = 'single_active_plan' | 'queue_order_preserved' | 'files_match_database' | 'no_orphaned_files';

export interface Transaction extends View {
  /** Applies the event at once, so that later queries of the same command see it. */
  emit(event: DomainEvent): void;
  /** The time recorded with this transaction. */
  readonly now: string;
}

/** Structured log. `fields` are facts for machines, `message` is for people. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: { session: string }): Log;
}
