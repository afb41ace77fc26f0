import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type ErrorCategory, PlannerError } from '../planner/errors';
import type { Answer } from './tool';

const header = (session: string | null | undefined) => `[Session: ${session ?? 'none'}]`;

/** Says our own words as the client has to read them. */
type Wording = (text: string) => string;

/** `trouble`: what is wrong with the whole store. */
export function success(answer: Answer | string, trouble: string | undefined, wording: Wording): CallToolResult {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] };
  const assumed = answer.assumed ? assumedRemark(answer.session) : undefined;
  const remarks = [answer.message, assumed, trouble].filter(Boolean);
  const message = remarks.length > 0 ? wording(remarks.join(' ')) : undefined;
  return {
    content: [
      { type: 'text', text: `${header(answer.session)} ${[answer.text, message].filter(Boolean).join('\n\n')}` },
    ],
    structuredContent: {
      session_name: answer.session,
      ...answer.structured,
      ...(message === undefined ? {} : { message }),
    },
  };
}

function assumedRemark(session: string | null): string {
  return `No session was named, so the current one, "${session}", was taken: call 9plan_session_resume to work on another.`;
}

/** The tools that help. The planner speaks to people as well, so its sentences name none. */
const REMEDIES: Partial<Record<ErrorCategory, readonly string[]>> = {
  SESSION_NOT_FOUND: ['9plan_session_create', '9plan_session_resume', '9plan_admin_sessions'],
  PLAN_NOT_FOUND: ['9plan_admin_state', '9plan_history_search', 'task_list'],
  NO_ACTIVE_PLAN: ['9plan_queue_pull', 'task_update'],
  PLAN_ALREADY_ACTIVE: ['9plan_plan_complete', '9plan_plan_defer', '9plan_plan_discard'],
};

/** In these the store itself says what became of the change. */
const OUT_OF_ORDER: readonly ErrorCategory[] = ['FILE_SYSTEM_ERROR', 'DATABASE_ERROR'];

interface Refused {
  error: PlannerError;
  /** The connection's, for an error that is about none. */
  session: string | undefined;
  /** The tool could have changed something. */
  changes: boolean;
  offers(tool: string): boolean;
  wording: Wording;
}

/** The error format of the seed (section 10.2). It carries no structured content. */
export function refusal({ error, session, changes, offers, wording }: Refused): CallToolResult {
  const tools = (error.tools ?? REMEDIES[error.category] ?? []).filter(offers);
  const suggestion = tools.length === 0 ? error.suggestion : `${error.suggestion} (${tools.join(', ')})`;
  const unchanged = changes && !OUT_OF_ORDER.includes(error.category) ? ' Nothing was changed.' : '';
  const text = `${header(error.session ?? session)} Error: ${error.category}\n\n${error.message}\n\nSuggested action: ${wording(suggestion)}${unchanged}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** What an agent is told of an error that nobody foresaw: a category and a line, no stack. The log has the rest. */
export function asPlannerError(error: unknown): PlannerError {
  if (error instanceof PlannerError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split('\n', 1)[0]?.slice(0, 300) || 'unknown error';
  if (isFileSystemError(error)) {
    return new PlannerError(
      'FILE_SYSTEM_ERROR',
      `The file system refused: ${line}`,
      'Check that the store folder can be written and has space, then try again.',
      { cause: error },
    );
  }
  return new PlannerError(
    'DATABASE_ERROR',
    `The call failed inside 9plan: ${line}`,
    'Try once more. If it fails again, check the store and show this message to the person you work for.',
    { cause: error, tools: ['9plan_admin_validate'] },
  );
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
