import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  type Resource as ListedResource,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { CommittedChange } from '../planner/events';
import type { Plan } from '../planner/model';
import { formatPlan } from '../planner/planDocument';
import type { Planner } from '../planner/planner';
import type { Disposable, Log, View } from '../planner/ports';
import {
  changesList,
  PLAN_TEMPLATE,
  parseUri,
  SESSION_TEMPLATE,
  SESSIONS_URI,
  sessionUri,
  urisTouched,
} from './resourceUris';
import { activeShape, queuedShape, sessionShape } from './shapes';

const SESSIONS_LISTED = 50;
const COMPLETIONS = 100;

const TEMPLATES = [
  {
    uriTemplate: SESSION_TEMPLATE,
    name: 'session',
    title: 'A session: task, queue, active plan',
    mimeType: 'application/json',
  },
  { uriTemplate: PLAN_TEMPLATE, name: 'plan', title: 'The text of a plan', mimeType: 'text/markdown' },
];

interface ResourceDoor {
  readonly log: Log;
  planner(): Promise<Planner>;
}

/** Sessions and plans as MCP resources of one connection, with notice of changes by any process. */
export class Resources {
  private readonly subscribed = new Set<string>();
  private listening: Disposable | undefined;
  /** The client knows a list that may become outdated. */
  private hasListed = false;
  private isDisposed = false;

  constructor(
    private readonly server: Server,
    private readonly door: ResourceDoor,
  ) {
    server.setRequestHandler(ListResourcesRequestSchema, () => this.list());
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: TEMPLATES }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => this.read(params.uri));
    server.setRequestHandler(SubscribeRequestSchema, ({ params }) => this.subscribe(params.uri));
    server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
      this.subscribed.delete(params.uri);
      return {};
    });
    server.setRequestHandler(CompleteRequestSchema, ({ params }) =>
      this.complete(params.ref.type === 'ref/resource' ? params.ref.uri : '', params.argument.value),
    );
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening?.dispose();
  }

  private async list(): Promise<{ resources: ListedResource[] }> {
    this.hasListed = true;
    await this.listen();
    const sessions = await this.query((view) => view.sessions());
    return {
      resources: [
        { uri: SESSIONS_URI, name: 'sessions', title: 'All sessions', mimeType: 'application/json' },
        ...sessions.slice(0, SESSIONS_LISTED).map(({ name, taskDescription }) => ({
          uri: sessionUri(name),
          name,
          title: taskDescription?.split('\n', 1)[0]?.slice(0, 100) || name,
          mimeType: 'application/json',
        })),
      ],
    };
  }

  private async read(uri: string) {
    const text = await this.query((view) => resourceText(uri, view));
    if (text === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri.slice(0, 200)}`);
    return { contents: [{ uri, ...text }] };
  }

  private async subscribe(uri: string) {
    if (parseUri(uri) === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri.slice(0, 200)}`);
    await this.listen();
    this.subscribed.add(uri);
    // What happens before the store is open is no change to it.
    await this.query(() => undefined);
    return {};
  }

  private async listen(): Promise<void> {
    const { store } = await this.door.planner();
    if (!this.isDisposed) this.listening ??= store.onDidChange((change) => void this.notify(change));
  }

  private async notify(change: CommittedChange): Promise<void> {
    try {
      const isJump = change.events.length === 0;
      const touched = isJump ? this.subscribed : await this.query((view) => this.touched(change, view));
      for (const uri of touched) if (this.subscribed.has(uri)) await this.server.sendResourceUpdated({ uri });
      if (this.hasListed && (isJump || changesList(change.events))) await this.server.sendResourceListChanged();
    } catch (error) {
      this.door.log.debug({ error }, 'A change was not announced');
    }
  }

  private touched({ events }: CommittedChange, view: View): Set<string> {
    const touched = urisTouched(events, view);
    if (!events.some(({ type }) => type === 'session_deleted')) return touched;
    for (const uri of this.subscribed) {
      const resource = parseUri(uri);
      if (resource?.kind === 'plan' && view.plan(resource.id) === undefined) touched.add(uri);
    }
    return touched;
  }

  private async complete(template: string, start: string) {
    const all = await this.query((view) => {
      if (template === SESSION_TEMPLATE) return view.sessions().map(({ name }) => name);
      return template === PLAN_TEMPLATE ? openPlans(view) : [];
    });
    const values = all.filter((value) => value.startsWith(start));
    return {
      completion: { values: values.slice(0, COMPLETIONS), total: values.length, hasMore: values.length > COMPLETIONS },
    };
  }

  private async query<T>(query: (view: View) => T): Promise<T> {
    return await (await this.door.planner()).store.read(query);
  }
}

function openPlans(view: View): string[] {
  return view.sessionsWithOpenWork().flatMap((session) => {
    const active = view.activePlan(session);
    return [...(active ? [active.id] : []), ...view.queue(session).map(({ id }) => id)];
  });
}

function resourceText(uri: string, view: View): { text: string; mimeType: string } | undefined {
  const resource = parseUri(uri);
  switch (resource?.kind) {
    case 'sessions':
      return json({ sessions: view.sessions().map(sessionShape) });
    case 'session': {
      const session = view.session(resource.name);
      if (session === undefined) return undefined;
      const active = view.activePlan(session.name);
      return json({
        session_name: session.name,
        task_description: session.taskDescription,
        queue: view.queue(session.name).map((plan) => queuedShape(plan)),
        active_plan: active ? activeShape(active, view.planPath(session.name, active.id)) : null,
        completed_count: view.completedCount(session.name),
      });
    }
    case 'plan': {
      const plan = view.plan(resource.id);
      return plan && { text: planText(plan), mimeType: 'text/markdown' };
    }
    case undefined:
      return undefined;
  }
}

function planText(plan: Plan): string {
  const outcome = plan.outcome === null ? '' : `\n# Outcome\n${plan.outcome}\n`;
  return `${formatPlan(plan)}${outcome}`;
}

const json = (value: unknown) => ({ text: JSON.stringify(value, null, 2), mimeType: 'application/json' });
