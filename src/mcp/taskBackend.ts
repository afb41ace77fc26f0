import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../planner/caller';
import type { BackendAnswer, OrderedPlan, OrderedStep, PlanBackend } from '../planner/planBackend';
import type { Log } from '../planner/ports';
import { backendTransport } from './backendTransport';
import type { TaskBackend as BackendConfig } from './config';

const CONNECT_MS = 4_000;
const CALL_MS = 3_000;
/** All steps of one plan together. */
const PLAN_MS = 20_000;
const UNDO_MS = 3_000;
const LONGEST_ID = 200;

interface Connected {
  client: Client;
  tools: Map<string, Tool>;
}

/** Another MCP server that keeps tasks: whatever offers `task_create`. It is started when the first plan comes. */
export class TaskBackend implements PlanBackend {
  readonly kind = 'task_backend';
  private connecting: Promise<Connected> | undefined;
  private transport: Transport | undefined;

  constructor(
    private readonly config: BackendConfig,
    private readonly version: string,
    private readonly log: Log,
  ) {}

  async createPlan(caller: Caller, { plan }: { plan: OrderedPlan }): Promise<BackendAnswer> {
    const ids = await this.createTasks(plan).catch((error) => {
      // It was started anew since the last plan and knows nothing of that connection; so it has taken nothing of this plan.
      if (error instanceof Failure && error.isEndedSession) return this.createTasks(plan);
      throw error;
    });
    if (ids) return { ids, session: caller.session ?? null, assumed: false };
    return { unavailable: 'The task backend has no task_create, so the steps went into the queue.' };
  }

  /** The tasks' ids; undefined if the backend takes none. */
  private async createTasks(plan: OrderedPlan): Promise<string[] | undefined> {
    const connected = await within(CONNECT_MS, this.connected(), 'the task backend did not answer in time');
    const create = connected.tools.get('task_create');
    if (!create) return undefined;
    const deadline = AbortSignal.timeout(PLAN_MS);
    const ids: string[] = [];
    try {
      for (const step of plan.steps) {
        const blockers = step.after.map((id) => ids[Number(id.slice(1)) - 1] as string);
        const args = { title: step.title, ...stepFields(create, plan, step, blockers) };
        ids.push(idIn(await callTool(connected.client, 'task_create', args, CALL_MS, deadline)));
        await this.link(connected, ids.at(-1) as string, blockers, create, deadline);
      }
      return ids;
    } catch (error) {
      const left = await this.undo(connected, ids);
      if (!(error instanceof Refusal)) this.forget(connected);
      throw new Failure(error, ids.length, left);
    }
  }

  /** Ends the backend's process, also one that is still starting. */
  async close(): Promise<void> {
    await this.transport?.close();
  }

  /** One attempt at a time goes on in the background, so that a slow start serves the next call; a failed one is forgotten. */
  private connected(): Promise<Connected> {
    this.connecting ??= this.connect().catch((error) => {
      this.connecting = undefined;
      throw error;
    });
    return this.connecting;
  }

  /** A session over HTTP may be over without a sign of it, and costs nothing to begin; a program stays as it is. */
  private forget({ client }: Connected): void {
    if (!('url' in this.config)) return;
    this.connecting = undefined;
    // Its end must not be taken for that of the next connection.
    client.onclose = undefined;
    void client
      .close()
      .catch((error) => this.log.debug({ error }, 'The connection to the task backend was not closed'));
  }

  private async connect(): Promise<Connected> {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const client = new Client({ name: '9plan', version: this.version });
    this.transport = await backendTransport(this.config, this.log);
    await client.connect(this.transport);
    client.onclose = () => {
      this.connecting = undefined;
    };
    const tools = new Map<string, Tool>();
    for (let cursor: string | undefined; ; ) {
      const page = await client.listTools({ cursor });
      for (const tool of page.tools) tools.set(tool.name, tool);
      cursor = page.nextCursor;
      if (cursor === undefined) return { client, tools };
    }
  }

  /** For a backend whose tasks get their blockers afterwards. */
  private async link(
    { client, tools }: Connected,
    id: string,
    blockers: readonly string[],
    create: Tool,
    deadline: AbortSignal,
  ): Promise<void> {
    if (blockers.length === 0 || takes(create, 'depends_on') || !tools.has('task_dep')) return;
    await callTool(client, 'task_dep', { id, add: blockers }, CALL_MS, deadline);
  }

  /** Half a plan helps nobody: deletes its tasks, the last first. Gives the ids of those that stay. */
  private async undo({ client, tools }: Connected, ids: readonly string[]): Promise<string[]> {
    if (!tools.has('task_delete')) return [...ids];
    const deadline = AbortSignal.timeout(UNDO_MS);
    const left: string[] = [];
    for (const id of ids.toReversed()) {
      try {
        await callTool(client, 'task_delete', { id }, UNDO_MS, deadline);
      } catch (error) {
        this.log.warn({ error, id }, 'A task of an abandoned plan stays in the task backend');
        left.unshift(id);
      }
    }
    return left;
  }
}

/** The backend understood, and said no. */
class Refusal extends Error {}

/** Why a plan could not be stored, and which of its tasks could not be taken back. */
class Failure extends Error {
  /** Before anything was made. */
  readonly isEndedSession: boolean;

  constructor(cause: unknown, made: number, left: readonly string[]) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const remains = left.length > 0 ? ` (these tasks were made and could not be deleted: ${left.join(', ')})` : '';
    super(`${reason}${remains}`, { cause });
    this.isEndedSession = made === 0 && (cause as { code?: unknown } | null)?.code === 404;
  }
}

function takes(tool: Tool, field: string): boolean {
  return Object.hasOwn(tool.inputSchema.properties ?? {}, field);
}

/** The step's text in the field that this backend has for it, and its blockers if they can be given at once. */
function stepFields(
  create: Tool,
  plan: OrderedPlan,
  step: OrderedStep,
  blockers: readonly string[],
): Record<string, unknown> {
  const field = !takes(create, 'body') && takes(create, 'description') ? 'description' : 'body';
  const text = [
    step.id === 'q1' ? `Goal of the whole plan: ${plan.goal}` : '',
    step.after.length > 0 ? `after: ${step.after.map((id, index) => `${id} (${blockers[index]})`).join(', ')}` : '',
    step.description,
    step.acceptanceCriteria === '' ? '' : `Done when: ${step.acceptanceCriteria}`,
  ].filter((part) => part !== '');
  return {
    [field]: text.join('\n\n'),
    ...(takes(create, 'depends_on') && blockers.length > 0 ? { depends_on: blockers } : {}),
  };
}

/** The id is the whole answer, as plain text. */
function idIn(text: string): string {
  const id = text.trim();
  if (id !== '' && id.length <= LONGEST_ID && !id.includes('\n')) return id;
  throw new Refusal(`task_create answered ${JSON.stringify(id.slice(0, 80))} instead of an id`);
}

async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  timeout: number,
  signal: AbortSignal,
): Promise<string> {
  const result = await client.callTool({ name, arguments: args }, undefined, { timeout, signal });
  const content = result.content as { type: string; text?: string }[] | undefined;
  const text = content?.find((part) => part.type === 'text')?.text ?? '';
  if (result.isError) throw new Refusal(`${name} was refused: ${text.trim().slice(0, 300)}`);
  return text;
}

async function within<T>(ms: number, promise: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
