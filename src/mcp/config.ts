import * as z from 'zod';
import { isLoopback } from './loopback';

export const TOOLSETS = ['queue', 'history', 'admin', 'planmode', 'reasoning', 'tasks'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Where `reasoning_plan` keeps its steps when an outside task server is wanted. */
export type TaskBackend =
  | { command: string; args?: string[]; env?: Record<string, string>; cwd?: string }
  | { url: string; headers?: Record<string, string> };

export interface Config {
  /** As given; undefined means that the store is looked for. */
  sessionsPath: string | undefined;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  transport: 'stdio' | 'http';
  http: { port: number; host: string; token: string | undefined; allowedHosts: string[] };
  toolsets: Toolset[];
  toolPrefix: '9plan_' | 'nineplan_';
  taskBackend: TaskBackend | undefined;
  /** Overrides the connection's own client name. */
  client: string | undefined;
  agent: string;
  /** Seconds; undefined means the default of the client at hand. */
  elicitTimeout: number | undefined;
}

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const wholeNumber = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((n) => n >= from && n <= to, error);
};

const toolsets = z
  .string()
  .transform(list)
  .pipe(z.array(z.enum(TOOLSETS, `must be a comma-separated list of ${TOOLSETS.join(', ')}`)).min(1));

const hasNoCredentials = (url: string) => !/^\w+:\/\/[^/?#]*@/.test(url);
const strings = z.record(z.string(), z.string());
const backendShape = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: strings.optional(),
    cwd: z.string().optional(),
  }),
  // No request can carry a user and a password in its address, and errors would repeat them.
  z.strictObject({ url: z.url({ protocol: /^https?$/ }).refine(hasNoCredentials), headers: strings.optional() }),
]);
const taskBackend = z.string().transform((text, context): TaskBackend => {
  const backend = backendShape.safeParse(parseJson(text));
  if (backend.success) return backend.data;
  context.issues.push({
    code: 'custom',
    input: text,
    message: 'must be JSON: {"command", "args"?, "env"?, "cwd"?} or {"url", "headers"?}',
  });
  return z.NEVER;
});

const oneOf = <const T extends string>(...values: T[]) => z.enum(values, `must be ${values.join(' or ')}`);
const token = z.string().regex(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces');
const label = z.string().max(200, 'must not be longer than 200 characters');

const shapes = z.object({
  NINEPLAN_SESSIONS_PATH: z.string().optional(),
  NINEPLAN_LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error').default('info'),
  NINEPLAN_TRANSPORT: oneOf('stdio', 'http').default('stdio'),
  NINEPLAN_HTTP_PORT: wholeNumber(0, 65_535).default(8080),
  NINEPLAN_HTTP_HOST: z.string().default('127.0.0.1'),
  NINEPLAN_HTTP_TOKEN: token.optional(),
  NINEPLAN_HTTP_ALLOWED_HOSTS: z.string().transform(list).default([]),
  NINEPLAN_TOOLSETS: toolsets.default([...TOOLSETS]),
  NINEPLAN_TOOL_PREFIX: oneOf('9plan_', 'nineplan_').default('9plan_'),
  NINEPLAN_TASK_BACKEND: taskBackend.optional(),
  PLAN_MODE_CLIENT: label.optional(),
  PLAN_MODE_AGENT_ID: label.default(''),
  PLAN_MODE_ELICIT_TIMEOUT: wholeNumber(1, 604_800).optional(),
});

/** Whoever reaches an open port could read and change every plan, so one that others reach asks for a token. */
const variables = shapes.superRefine((given, context) => {
  if (given.NINEPLAN_TRANSPORT !== 'http' || given.NINEPLAN_HTTP_TOKEN || isLoopback(given.NINEPLAN_HTTP_HOST)) return;
  const message = `must be set, because other machines can reach NINEPLAN_HTTP_HOST=${given.NINEPLAN_HTTP_HOST}`;
  context.addIssue({ code: 'custom', path: ['NINEPLAN_HTTP_TOKEN'], message });
});

export type ConfigResult =
  | { ok: true; config: Config; warnings: string[] }
  /** One line for each wrong variable. */
  | { ok: false; problems: string[]; warnings: string[] };

/** Reads the environment (seed, section 11.1). A variable set to nothing counts as unset. */
export function readConfig(environment: Record<string, string | undefined>): ConfigResult {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const warnings = given.PLAN_MODE_DB_PATH
    ? ['PLAN_MODE_DB_PATH is ignored: plans live in the store folder, which NINEPLAN_SESSIONS_PATH sets']
    : [];
  const parsed = variables.safeParse(given);
  if (parsed.success) return { ok: true, config: toConfig(parsed.data), warnings };
  const problems = new Map(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]));
  return { ok: false, problems: [...problems].map(([name, problem]) => `${name} ${problem}`), warnings };
}

function toConfig(v: z.output<typeof variables>): Config {
  return {
    sessionsPath: v.NINEPLAN_SESSIONS_PATH,
    logLevel: v.NINEPLAN_LOG_LEVEL,
    transport: v.NINEPLAN_TRANSPORT,
    http: {
      port: v.NINEPLAN_HTTP_PORT,
      host: v.NINEPLAN_HTTP_HOST,
      token: v.NINEPLAN_HTTP_TOKEN,
      allowedHosts: v.NINEPLAN_HTTP_ALLOWED_HOSTS,
    },
    toolsets: v.NINEPLAN_TOOLSETS,
    toolPrefix: v.NINEPLAN_TOOL_PREFIX,
    taskBackend: v.NINEPLAN_TASK_BACKEND,
    client: v.PLAN_MODE_CLIENT,
    agent: v.PLAN_MODE_AGENT_ID,
    elicitTimeout: v.PLAN_MODE_ELICIT_TIMEOUT,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
