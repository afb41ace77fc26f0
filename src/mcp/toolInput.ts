import type * as z from 'zod';
import { PlannerError } from '../planner/errors';
import type { Tool } from './tool';

const ISSUES_SHOWN = 5;
const KEY_SHOWN = 60;

/**
 * The arguments of a call as the tool's input schema wants them.
 * @throws PlannerError VALIDATION_ERROR that names each wrong field.
 */
export function parseInput(tool: Tool, args: unknown): Record<string, unknown> {
  const parsed = tool.input.safeParse(args ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, ISSUES_SHOWN).map((issue) => describe(issue));
  const more = parsed.error.issues.length - issues.length;
  const fields = Object.keys(tool.input.shape);
  throw new PlannerError(
    'VALIDATION_ERROR',
    [...issues, ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
    `Correct the arguments and call ${tool.name} again. Its fields are: ${fields.join(', ') || 'none'}.${dependencyHint(parsed.error)}`,
  );
}

const DEPENDENCY = /depend|blocked_?by|waits?_?for|after/i;

function dependencyHint(error: z.ZodError): string {
  const unknown = error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (!unknown.some((key) => DEPENDENCY.test(key))) return '';
  return ' What a plan waits for is set by task_dep with its id, or from the start by task_create or reasoning_plan.';
}

function describe(issue: z.core.$ZodIssue): string {
  const field = pathText(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => quoted(pathText([...issue.path, key]))).join(', ')} is not a field of this tool`;
    case 'invalid_type':
      if (issue.input === undefined) return `${quoted(field)} is required`;
      return `${quoted(field)} must be ${article(issue.expected)}, not ${kindOf(issue.input)}`;
    case 'invalid_value':
      if (issue.input === undefined) return `${quoted(field)} is required`;
      return `${quoted(field)} must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${quoted(field)} must be ${bound('at least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `${quoted(field)} must be ${bound('at most', issue.maximum, issue.origin)}`;
    default:
      return `${quoted(field)}: ${issue.message}`;
  }
}

function bound(side: string, limit: number | bigint, origin: string): string {
  if (origin === 'array') return `${side} ${limit} long`;
  return origin === 'string' ? `${side} ${limit} characters long` : `${side} ${limit}`;
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : article(typeof value);
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key).slice(0, KEY_SHOWN);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

const quoted = (field: string) => (field === '' ? 'the input' : `\`${field}\``);
