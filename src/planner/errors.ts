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

/**
 * A refusal that the caller can act on: nothing was changed, `message` says what is wrong and `suggestion` what to do next.
 * Neither says that nothing was changed: the door does, for all of them.
 */
export class PlannerError extends Error {
  /** The session the refused call was about, for the answer's `[Session: …]` line. */
  session: string | undefined;
  /** Tools that help, for a door that has them; undefined means those that help with the category. */
  readonly tools: readonly string[] | undefined;

  constructor(
    readonly category: ErrorCategory,
    message: string,
    readonly suggestion: string,
    options?: { cause?: unknown; session?: string; tools?: readonly string[] },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlannerError';
    this.session = options?.session;
    this.tools = options?.tools;
  }
}
