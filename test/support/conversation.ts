import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  CancelledNotificationSchema,
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
  PingRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { readConfig } from '../../src/mcp/config';
import { Connection } from '../../src/mcp/connection';
import type { EditorWindow } from '../../src/mcp/tool';
import { Planner } from '../../src/planner/planner';
import type { Log } from '../../src/planner/ports';
import { MemoryStore } from './memoryStore';

type FormAnswer = (form: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult> | ElicitResult;

interface Setting {
  client?: string;
  /** Undefined: the client shows no forms. */
  answer?: FormAnswer;
  windows?: EditorWindow[];
  env?: Record<string, string>;
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

/** An agent that talks to a server in this process, and what an editor would show it. */
export class Conversation {
  /** Editor windows on the store; change it while a call waits. */
  readonly windows: EditorWindow[];
  readonly forms: ElicitRequest['params'][] = [];
  /** Ids of the requests that the server took back. */
  readonly withdrawn: (string | number | undefined)[] = [];
  pings = 0;

  private constructor(
    readonly store: MemoryStore,
    readonly planner: Planner,
    readonly client: Client,
    private readonly connection: Connection,
    windows: EditorWindow[],
  ) {
    this.windows = windows;
  }

  static async open({ client: name = 'test-agent', answer, windows = [], env = {} }: Setting): Promise<Conversation> {
    const read = readConfig(env);
    if (!read.ok) throw new Error(read.problems.join('; '));
    const store = await MemoryStore.open();
    const planner = new Planner(store);
    const connection = new Connection({
      config: read.config,
      log: silent,
      version: '0.0.0',
      planner: async () => planner,
      warmUp: () => undefined,
      windows: async () => [...windows],
    });
    const client = new Client({ name, version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
    const conversation = new Conversation(store, planner, client, connection, windows);
    if (answer) conversation.showForms(answer);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([connection.server.connect(theirs), client.connect(ours)]);
    await client.listTools();
    return conversation;
  }

  async call(name: string, args: Record<string, unknown> = {}, options?: Parameters<Client['callTool']>[2]) {
    const result = await this.client.callTool({ name, arguments: args }, undefined, options);
    const [content] = result.content as { text: string }[];
    return {
      text: content?.text ?? '',
      isError: result.isError === true,
      structured: (result.structuredContent ?? {}) as Record<string, unknown>,
    };
  }

  /** Resolves once a proposal waits for a decision. */
  async waitingProposal(): Promise<{ proposalId: string; round: number }> {
    for (;;) {
      const [proposal] = await this.store.read((view) => view.proposals({ status: ['submitted'], limit: 1 }));
      if (proposal) return { proposalId: proposal.id, round: proposal.rounds.length };
      await new Promise<void>((resolve) => {
        const subscription = this.store.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
  }

  async close(): Promise<void> {
    await this.connection.close(1_000);
    await this.client.close();
    this.store.close();
  }

  private showForms(answer: FormAnswer): void {
    this.client.setRequestHandler(PingRequestSchema, () => {
      this.pings += 1;
      return {};
    });
    this.client.setRequestHandler(ElicitRequestSchema, (request, { signal }) => {
      this.forms.push(request.params);
      return answer(request.params, signal);
    });
    const transportReady = this.client.connect.bind(this.client);
    this.client.connect = async (transport, options) => {
      await transportReady(transport, options);
      const deliver = transport.onmessage;
      transport.onmessage = (message, extra) => {
        const cancelled = CancelledNotificationSchema.safeParse(message);
        if (cancelled.success) this.withdrawn.push(cancelled.data.params.requestId);
        deliver?.(message, extra);
      };
    };
  }
}
