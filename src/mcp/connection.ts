import { setImmediate } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolResult,
  CancelledNotificationSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { type Caller, newAgentCaller } from '../planner/caller';
import type { Planner } from '../planner/planner';
import type { Log } from '../planner/ports';
import { asPlannerError, refusal, success } from './answers';
import { chosenTools, listedTools } from './catalogue';
import type { Config } from './config';
import { CAPABILITIES, instructions, serverInfo } from './greeting';
import { getPrompt, listPrompts } from './prompts';
import { type CallParams, callParams, ProtocolError, unknownTool } from './protocolErrors';
import { Resources } from './resources';
import type { Answer, EditorWindow, Tool, ToolCall } from './tool';
import { parseInput } from './toolInput';
import { toolList } from './toolList';
import { canonicalName, withPrefix } from './toolNames';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface Door {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** Opens the store at the first call, later ones get the same. */
  planner(): Promise<Planner>;
  /** Begins to open the store without waiting for it. */
  warmUp(): void;
  windows(): Promise<readonly EditorWindow[]>;
}

/** One agent's connection: an MCP server, its tools and who is calling. A transport makes one for each client. */
export class Connection {
  readonly server: Server;
  /** Resolves when the transport is closed, from whichever side. */
  readonly closed: Promise<void>;
  private readonly tools: Map<string, Tool>;
  private readonly running = new Map<Promise<CallToolResult>, AbortController>();
  private readonly resources: Resources;
  private known: Caller | undefined;

  constructor(private readonly door: Door) {
    this.tools = chosenTools(door.config.toolsets);
    this.server = new Server(serverInfo(door.version), {
      capabilities: CAPABILITIES,
      instructions: instructions(door.config),
    });
    this.resources = new Resources(this.server, door);
    this.closed = new Promise((resolve) => {
      this.server.onclose = () => {
        this.resources.dispose();
        resolve();
      };
    });
    this.server.onerror = (error) => door.log.warn({ error }, 'Protocol error');
    // The client has its answer: now is the time for what takes longer.
    this.server.oninitialized = () => door.warmUp();
    this.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: toolList(listedTools(), door.config),
    }));
    // The SDK's own handler of calls refuses malformed ones in a way that nobody can read.
    this.server.fallbackRequestHandler = async ({ method, params }, extra) => {
      if (method !== 'tools/call') throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found');
      return this.run(callParams(params), extra);
    };
    // As the SDK does it, but also for the ids 0 and '', which it passes over: a plan would be pulled for nobody.
    this.server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId, reason } }) => {
      if (requestId === undefined) return;
      // biome-ignore lint/complexity/useLiteralKeys: the SDK keeps what runs to itself
      this.server['_requestHandlerAbortControllers'].get(requestId)?.abort(reason);
    });
    this.server.setRequestHandler(ListPromptsRequestSchema, () => ({
      prompts: listPrompts(door.config.toolsets),
    }));
    this.server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
      getPrompt(params, door.config.toolsets, this.ours),
    );
  }

  /** Lets running calls end, waiting ones at once, for at most `ms`; then closes the transport. */
  async close(ms: number): Promise<void> {
    for (const controller of this.running.values()) controller.abort();
    const timeout = new Promise((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([Promise.allSettled(this.running.keys()), timeout]);
    // The SDK sends an answer some microtasks after its handler is done, and none once it is closed.
    await setImmediate();
    await this.server.close();
  }

  private async run(params: CallParams, extra: Extra): Promise<CallToolResult> {
    const tool = this.tools.get(canonicalName(params.name));
    if (tool === undefined) throw unknownTool(params.name, [...this.tools.keys()].map(this.ours));
    const controller = new AbortController();
    const cancel = () => controller.abort();
    extra.signal.addEventListener('abort', cancel);
    const call = this.call(tool, params.arguments, extra, controller.signal);
    this.running.set(call, controller);
    try {
      return await call;
    } finally {
      this.running.delete(call);
      extra.signal.removeEventListener('abort', cancel);
    }
  }

  /** Never rejects: what goes wrong in a tool is an answer. */
  private async call(tool: Tool, args: unknown, extra: Extra, signal: AbortSignal): Promise<CallToolResult> {
    const start = performance.now();
    try {
      const input = parseInput(tool, args);
      const call = await this.toolCall(extra, signal);
      const answer = await tool.handle(input, call);
      this.logDone(tool, answer, start);
      return success(answer, call.planner.store.trouble, this.ours);
    } catch (error) {
      return this.refuse(tool, error);
    }
  }

  private refuse(tool: Tool, error: unknown): CallToolResult {
    const known = asPlannerError(error);
    const broken = known.category === 'DATABASE_ERROR' || known.category === 'FILE_SYSTEM_ERROR';
    const fields = { tool: tool.name, category: known.category, error: broken ? error : known.message };
    this.door.log[broken ? 'error' : 'debug'](fields, 'Call refused');
    const { offers, ours: wording } = this;
    const changes = tool.hints.readOnly !== true;
    return refusal({ error: known, session: this.known?.session, changes, offers, wording });
  }

  private logDone(tool: Tool, answer: Answer | string, start: number): void {
    const session = typeof answer === 'string' ? null : answer.session;
    const log = session === null ? this.door.log : this.door.log.child({ session });
    const fields = { tool: tool.name, ms: Math.round((performance.now() - start) * 10) / 10 };
    log[tool.hints.readOnly ? 'debug' : 'info'](fields, 'Call done');
  }

  private async toolCall(extra: Extra, signal: AbortSignal): Promise<ToolCall> {
    const { door, server, caller } = this;
    const planner = await door.planner();
    const { requestId } = extra;
    const progress: ToolCall['progress'] = (done, total, message) =>
      this.report(extra, { progress: done, total, message });
    const { config, log } = door;
    const { offers } = this;
    const windows = () => door.windows();
    return { planner, caller, config, log, offers, server, signal, requestId, windows, progress };
  }

  private async report(extra: Extra, params: { progress: number; total?: number; message?: string }): Promise<void> {
    const progressToken = extra._meta?.progressToken;
    if (progressToken === undefined) return;
    try {
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, ...params } });
    } catch (error) {
      this.door.log.debug({ error }, 'Progress was not sent');
    }
  }

  private get caller(): Caller {
    const { client, agent } = this.door.config;
    this.known ??= newAgentCaller(printable(client ?? this.server.getClientVersion()?.name), agent);
    return this.known;
  }

  private readonly offers = (tool: string): boolean => this.tools.has(tool);

  /** Names the tools in a text of ours as this server advertises them. */
  private readonly ours = (text: string): string => withPrefix(text, this.door.config.toolPrefix);
}

const CLIENT_NAME_LENGTH = 100;

/** The name is recorded with every change and shown to people: one short line. */
function printable(name: string | undefined): string {
  return name?.replaceAll(/\p{C}/gu, ' ').trim().slice(0, CLIENT_NAME_LENGTH) || 'unknown client';
}
