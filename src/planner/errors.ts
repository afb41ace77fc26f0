import type { PlanHeading, PlanStatus } from './model';

/** The categories of the seed (section 10.1), plus nothing: clients match on them. */
export type ErrorCategory =
  | 'SESSION_NOT_FOUND'
  | 'PLAN_NOT_FOUND'
  | 'NO_ACTIVE_PLAN'
  | 'PLAN_ALREADY_ACTIVE'
  | 'QUEUE_EMPTY'
  | 'VALIDATION_ERROR'
  | 'FILE_SYSTEM_ERROR'
  | 'DATABASE_ERROR';

/** What a refusal is about, for a door that says it in words of its own: message and suggestion speak to agents. */
export type Matter =
  | { kind: 'status'; goal: string; status: PlanStatus }
  | { kind: 'waits'; goal: string; waitingFor: PlanHeading[] }
  | { kind: 'emptyText'; field: string }
  | { kind: 'planFile'; path: string; fault: 'nul' | 'headings' | 'goal' | 'encoding' }
  | { kind: 'notOrdinary'; path: string };

/**
 * A refusal that the caller can act on: nothing was changed, `message` says what is wrong and `suggestion` what to do next.
 * Neither says that nothing was changed: the door does, for all of them.
 */
export class PlannerError extends Error {
  /** The session the refused call was about, for the answer's `[Session: …]` line. */
  session: string | undefined;
  /** Tools that help, for a door that has them; undefined means those that help with the category. */
  readonly tools: readonly string[] | undefined;
  readonly matter: Matter | undefined;

  constructor(
    readonly category: ErrorCategory,
    message: string,
    readonly suggestion: string,
    options?: { cause?: unknown; session?: string; tools?: readonly string[]; matter?: Matter },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlannerError';
    this.session = options?.session;
    this.tools = options?.tools;
    this.matter = options?.matter;
  }
}
