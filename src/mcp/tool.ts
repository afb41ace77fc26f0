import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as z from 'zod';
import type { Caller } from '../planner/caller';
import type { Planner } from '../planner/planner';
import type { Log } from '../planner/ports';
import type { Config, Toolset } from './config';

/** A person may answer there. */
export interface EditorWindow {
  /** It shows proposals by itself. */
  readonly reviewPanel: boolean;
}

/** What a handler may use: the planner, who calls, and the way back to the client while the call runs. */
export interface ToolCall {
  readonly planner: Planner;
  readonly caller: Caller;
  readonly config: Config;
  readonly log: Log;
  /** Whether this connection has the tool: no text names one that it hasn't. */
  offers(tool: string): boolean;
  /** The connection to the client: its capabilities, its name, elicitation. */
  readonly server: Server;
  /** Aborted when the client cancels the call or the server ends. */
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  /** The editor windows that are open on the store at this moment. */
  windows(): Promise<readonly EditorWindow[]>;
  /** Tells a client that asked for progress how far a waiting call is; `done` must grow. Never throws. */
  progress(done: number, total?: number, message?: string): Promise<void>;
}

export interface Answer<Output = Record<string, unknown>> {
  /** The session that the call was about; null if there is none. */
  session: string | null;
  /** True if the session was not named but taken as the workspace's current one. */
  assumed?: boolean;
  /** For people; the `[Session: …]` line is put before it. */
  text: string;
  structured: Output;
  /** A remark that the model must see: it goes into the text and, as `message`, into the structured content. */
  message?: string;
}

export interface Hints {
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
}

/** A tool as data. A string as an answer is the whole text, without a session's line and without structured content. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `session` can't be narrowed away. */
  readonly toolset: Toolset | 'session';
  readonly input: z.ZodObject;
  readonly output: z.ZodObject | undefined;
  readonly hints: Hints;
  handle(args: Record<string, unknown>, call: ToolCall): Promise<Answer | string>;
}

interface ToolSpec<I extends z.ZodRawShape, O extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  toolset: Toolset | 'session';
  /** Unknown fields are refused: a silently dropped one would be lost work. No unions, clients can't show them. */
  input: I;
  /** Without `session_name` and `message`, which every structured answer has. */
  output: O;
  hints?: Hints;
  handle(args: z.output<z.ZodObject<I>>, call: ToolCall): Promise<Answer<z.input<z.ZodObject<O>>>>;
}

interface PlainToolSpec<I extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  toolset: Toolset;
  input: I;
  hints?: Hints;
  handle(args: z.output<z.ZodObject<I>>, call: ToolCall): Promise<string>;
}

export function defineTool<I extends z.ZodRawShape, O extends z.ZodRawShape>(spec: ToolSpec<I, O>): Tool {
  return {
    ...spec,
    input: z.strictObject(spec.input),
    output: z.object({ session_name: z.string(), message: z.string().optional(), ...spec.output }),
    hints: spec.hints ?? {},
    handle: spec.handle as Tool['handle'],
  };
}

/** A tool that answers plain text alone. */
export function definePlainTool<I extends z.ZodRawShape>(spec: PlainToolSpec<I>): Tool {
  return {
    ...spec,
    input: z.strictObject(spec.input),
    output: undefined,
    hints: spec.hints ?? {},
    handle: spec.handle as Tool['handle'],
  };
}

/** Ids and names are lower case without blanks around; models don't always keep to it. */
export const id = z.string().trim().toLowerCase();

/** `session_name?` of every session-scoped tool. */
export const inSession = { session_name: id.optional().describe('default: current session') };
