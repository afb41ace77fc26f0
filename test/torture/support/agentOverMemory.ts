import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import fc from 'fast-check';
import { readConfig } from '../../../src/mcp/config';
import { Connection } from '../../../src/mcp/connection';
import { newCaller } from '../../../src/planner/caller';
import { Planner } from '../../../src/planner/planner';
import { MemoryStore } from '../../support/memoryStore';
import { silent } from '../../support/silentLog';
import { argumentsFor, SOME_PLAN, SOME_SESSION } from './anyArguments';

/** Milliseconds in which anything must be answered; far more than it takes, on a busy machine too. */
export const LIMIT = 20_000;

/** A real client and a real connection over a store in memory, which runs each command twice. */
export class AgentOverMemory {
  private constructor(
    private readonly store: MemoryStore,
    private readonly client: Client,
    private readonly connection: Connection,
  ) {}

  static async open(): Promise<AgentOverMemory> {
    const store = await MemoryStore.open();
    const planner = new Planner(store);
    const read = readConfig({});
    if (!read.ok) throw new Error('the default configuration is right');
    const connection = new Connection({
      ...{ config: read.config, log: silent, version: '0', planner: async () => planner },
      ...{ warmUp: () => undefined, windows: async () => [] },
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await connection.server.connect(far);
    const client = new Client({ name: 'fuzz', version: '0' });
    await client.connect(near);
    return new AgentOverMemory(store, client, connection);
  }

  /** How many of so many calls were refused. */
  async call(count: number, seed: number): Promise<number> {
    const { tools } = await this.client.listTools();
    const anyCall = fc.oneof(
      ...tools.map(({ name, inputSchema }) =>
        argumentsFor(inputSchema as Parameters<typeof argumentsFor>[0]).map((args) => ({ name, args })),
      ),
    );
    let refused = 0;
    for (const [n, { name, args }] of fc.sample(anyCall, { numRuns: count, seed }).entries()) {
      try {
        if (await this.isRefused(name, await this.withNames(args, n))) refused++;
      } catch (error) {
        throw new Error(
          `${name} ${JSON.stringify(args).slice(0, 1000)} (seed ${seed}, call ${n}): ${(error as Error).stack}`,
        );
      }
    }
    await this.assertSound();
    return refused;
  }

  private async isRefused(name: string, args: Record<string, unknown>): Promise<boolean> {
    const before = this.store.changes.length;
    const result = await this.client.callTool({ name, arguments: args }, undefined, { timeout: LIMIT });
    const text = (result.content as { text: string }[])[0]?.text ?? '';
    assert.doesNotMatch(text, /\n\s+at .*:\d+:\d+|node:internal|\.ts:\d+/, 'a stack trace');
    assert.ok(this.store.changes.length - before <= 1, 'one call is at most one change');
    if (!result.isError) return false;
    assert.match(text, /^\[Session: [^\]\n]*\] Error: [A-Z_]+\n\n[\s\S]+\n\nSuggested action: .+/);
    assert.doesNotMatch(text, /Error: (DATABASE|FILE_SYSTEM)_ERROR|INTERNAL/);
    assert.ok(text.length < 6000, `${text.length} characters`);
    assert.equal(result.structuredContent, undefined);
    assert.equal(this.store.changes.length, before, 'refused, yet changed');
    return true;
  }

  private async withNames(args: Record<string, unknown>, n: number): Promise<Record<string, unknown>> {
    const ids = await this.store.read((view) => {
      const sessions = view.sessions().map(({ name }) => name);
      const session = sessions[n % Math.max(1, sessions.length)] ?? '';
      const plans = [view.activePlan(session)?.id, ...view.queue(session).map(({ id }) => id)].filter((id) => id);
      return { session, plan: plans[n % Math.max(1, plans.length)] ?? 'aaaaa' };
    });
    const text = JSON.stringify(args).replaceAll(SOME_PLAN, ids.plan).replaceAll(SOME_SESSION, ids.session);
    const named = JSON.parse(text);
    // A call that waits is no call that hangs, but it takes as long.
    return named.wait_seconds > 0 ? { ...named, wait_seconds: 0 } : named;
  }

  private async assertSound(): Promise<void> {
    const { integrity } = new Planner(this.store);
    for (const { name } of await this.store.read((view) => view.sessions({ archived: true }))) {
      assert.deepEqual((await integrity.validate(newCaller('test'), { sessionName: name })).issues, []);
    }
    const proposals = await this.store.read((view) => view.proposals({}));
    assert.ok(proposals.length > 0);
    for (const { rounds } of proposals) {
      for (const { decision } of rounds) assert.equal(decision, null, 'an agent has decided by itself');
    }
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.connection.close(1000);
    this.store.close();
  }
}
