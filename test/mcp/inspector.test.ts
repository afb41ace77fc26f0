import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ensureInspector } from '../../scripts/lib/tools.mjs';
import { Bench } from './support/agent';
import { SERVER } from './support/build';

const run = promisify(execFile);

interface ToolAnswer {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/**
 * The MCP Inspector's own command line: a client that we did not write. Every call starts a server of its own, or is a
 * new client of one that runs.
 */
class InspectorCli {
  constructor(
    private readonly tools: { node: string; cli: string },
    private readonly target: string[],
    private readonly folder: string,
  ) {}

  async call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const pairs = Object.entries(args).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    const method = ['--method', 'tools/call', '--tool-name', tool];
    return this.run([...method, ...(pairs.length > 0 ? ['--tool-arg', ...pairs] : [])]) as Promise<ToolAnswer>;
  }

  /** The structured content of a call that must succeed. */
  async ask(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await this.call(tool, args);
    assert.ok(!answer.isError, answer.content[0]?.text);
    assert.match(answer.content[0]?.text ?? '', /^\[Session: /);
    assert.ok(answer.structuredContent);
    return answer.structuredContent;
  }

  async run(args: string[]): Promise<unknown> {
    const env = { ...process.env, HOME: this.folder };
    const { stdout } = await run(this.tools.node, [this.tools.cli, '--cli', ...this.target, ...args], {
      env,
      maxBuffer: 1 << 26,
    });
    return JSON.parse(stdout);
  }
}

const step = (n: number) => ({
  goal: `Step ${n}: move module ${n} to the new parser`,
  context: `Part ${n} of 6 of the parser migration.`,
  approach: `Read module ${n}, port it, run its tests.`,
  success_criteria: `The tests of module ${n} pass.`,
  outputs: `- module ${n} on the new parser`,
});

for (const transport of ['stdio', 'HTTP']) {
  describe(`the MCP Inspector works a queue over ${transport}`, () => {
    const bench = new Bench();
    let inspector: InspectorCli;

    before(async () => {
      const tools = await ensureInspector();
      const store = bench.store();
      inspector = new InspectorCli(
        tools,
        transport === 'HTTP' ? await overHttp(store) : overStdio(store),
        bench.folder(),
      );
    });

    after(() => bench.clear());

    const overStdio = (store: string) => ['-e', `NINEPLAN_SESSIONS_PATH=${store}`, 'node', SERVER];
    const overHttp = async (store: string) => {
      const { url } = await bench.http({ NINEPLAN_SESSIONS_PATH: store, NINEPLAN_HTTP_TOKEN: 'sesame' });
      return [url, '--transport', 'http', '--header', 'Authorization: Bearer sesame'];
    };

    it('finds every tool with a schema it accepts', async () => {
      const { tools } = (await inspector.run(['--method', 'tools/list', '--strict'])) as { tools: { name: string }[] };
      const names = tools.map(({ name }) => name);
      for (const name of ['9plan_session_create', '9plan_queue_add_batch', '9plan_admin_validate']) {
        assert.ok(names.includes(name), name);
      }
    });

    it('creates, adds six, pulls, edits by hand, defers, completes, searches, validates', async () => {
      const { session_name } = await inspector.ask('9plan_session_create', { task_description: 'Migrate the parser' });

      const plans = [1, 2, 3, 4, 5, 6].map(step);
      const added = await inspector.ask('9plan_queue_add_batch', { session_name, plans });
      const ids = (added.plans as { plan_id: string; queue_position: number }[]).map(({ plan_id }) => plan_id);
      assert.deepEqual(
        (added.plans as { queue_position: number }[]).map(({ queue_position }) => queue_position),
        [1, 2, 3, 4, 5, 6],
      );

      const first = await inspector.ask('9plan_queue_pull', { session_name });
      assert.equal(first.plan_id, ids[0]);
      const file = first.plan_path as string;
      const note = 'The old parser trims $15,000 to 15; the new one must not.\n\n```\n# Goal\n```';
      const text = await readFile(file, 'utf8');
      assert.match(text, /# Notes\s*$/);
      await writeFile(file, `${text.trimEnd()}\n${note}\n`);

      const deferred = await inspector.ask('9plan_plan_defer', { session_name, reason: 'Waiting for the lexer.' });
      assert.deepEqual([deferred.plan_id, deferred.queue_position], [ids[0], 6]);

      const second = await inspector.ask('9plan_queue_pull', { session_name });
      assert.equal(second.plan_id, ids[1]);
      const outcome = 'Module 2 is ported; the token table went to src/tokens.ts (getTokenById).';
      const finished = await inspector.ask('9plan_plan_complete', { session_name, outcome });
      assert.deepEqual([finished.queue_length, finished.completed_count], [5, 1]);

      const found = await inspector.ask('9plan_history_search', { session_name, query: 'token table' });
      assert.equal((found.matches as { id: string }[])[0]?.id, ids[1]);
      const plan = await inspector.ask('9plan_history_get', { plan_id: ids[1] });
      assert.equal(plan.outcome, outcome);

      await inspector.ask('9plan_queue_move', { plan_id: ids[0], position: 'front' });
      assert.equal((await inspector.ask('9plan_queue_pull', { session_name })).plan_id, ids[0]);
      await inspector.ask('9plan_plan_complete', { session_name, outcome: 'Module 1 is ported.' });
      const kept = (await inspector.ask('9plan_history_get', { plan_id: ids[0] })).notes as string;
      assert.ok(kept.startsWith(note), kept);
      assert.match(kept, /Waiting for the lexer\./);

      const report = await inspector.ask('9plan_admin_validate', { session_name });
      assert.deepEqual(report.issues, []);
      assert.equal(report.valid, true);
    });

    it('works on the only session with open work when none is named', async () => {
      const answer = await inspector.call('9plan_queue_pull');
      assert.ok(!answer.isError, answer.content[0]?.text);
      assert.equal(typeof answer.structuredContent?.plan_id, 'string');
    });
  });
}
