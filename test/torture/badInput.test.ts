import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newCaller } from '../../src/planner/caller';
import { formatPlan, HEADINGS, parsePlan } from '../../src/planner/planDocument';
import { Planner } from '../../src/planner/planner';
import { EMPTY_SECTIONS } from '../../src/planner/text';
import { fromPlanEditor, toPlanEditor } from '../../src/webview/protocol';
import { fromReview, toReview } from '../../src/webview/review/protocol';
import { Bench } from '../mcp/support/agent';
import { INITIALIZE, INITIALIZED, toolCall } from '../mcp/support/serverProcess';
import { MemoryStore } from '../support/memoryStore';
import { AgentOverMemory, LIMIT } from './support/agentOverMemory';
import { messagesFor } from './support/anyMessages';
import { HOSTILE_TEXTS } from './support/hostile';
import { LONG, record, SEED } from './support/ledger';

const CALLS = LONG ? 60_000 : 1_500;
const TEXTS = LONG ? 20_000 : 600;
const MESSAGES = LONG ? 10_000 : 500;
const RAW = LONG ? 4_000 : 150;
/** After so many calls the store is another one: it has become large. */
const FRESH = 1500;

const some = fc.constantFrom(...HOSTILE_TEXTS);
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...HEADINGS.map(([, heading]) => `# ${heading}`),
        '#',
        '# goal',
        '\\# Goal',
        '```',
        '~~~~',
        '```js',
        '',
        ' ',
        '\t# Goal',
        '\uFEFF',
        '> # Goal',
        '\\\\```',
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      some.map((text) => text.slice(0, 200)),
    ),
    { maxLength: 30 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((end) => lines.join(end)));

describe('Bad input', () => {
  it(`to any tool (${CALLS} calls) is answered, changes nothing where it is refused, and says what to do`, async function () {
    this.timeout(LONG ? 3_600_000 : 180_000);
    let refused = 0;
    for (let made = 0; made < CALLS; made += FRESH) {
      const house = await AgentOverMemory.open();
      try {
        refused += await house.call(Math.min(FRESH, CALLS - made), SEED + made);
      } finally {
        await house.close();
      }
    }
    assert.ok(refused > CALLS / 20 && refused < CALLS * 0.9, `${refused} of ${CALLS} were refused`);
    record({
      part: 'bad input',
      fault: 'any arguments to every tool',
      cases: CALLS,
      losses: 0,
      figures: `${refused} refused`,
    });
  });

  it(`in plan files (${TEXTS} texts) loses no section and no line`, function () {
    this.timeout(LONG ? 600_000 : 60_000);
    fc.assert(
      fc.property(soup, (text) => {
        const { sections, preamble } = parsePlan(text);
        const whole = { ...EMPTY_SECTIONS, ...sections };
        assert.deepEqual(parsePlan(formatPlan(whole)).sections, whole);
        const essence = (from: string) => from.replace(/[\\\s\uFEFF]/g, '');
        const kept = [preamble, ...Object.values(whole)].map(essence);
        for (const line of text.split(/\r\n?|\n/)) {
          if (isHeading(line.replace(/^\uFEFF/, ''))) continue;
          assert.ok(
            kept.some((part) => part.includes(essence(line))),
            line,
          );
        }
      }),
      { numRuns: TEXTS, seed: SEED },
    );
    record({ part: 'bad input', fault: 'plan files', cases: TEXTS, losses: 0 });
  });

  it(`in the search box (${TEXTS} queries) is no error, and takes no time`, async function () {
    this.timeout(LONG ? 3_600_000 : 120_000);
    const store = await MemoryStore.open();
    const { queue, sessions, history } = new Planner(store);
    const caller = newCaller('test');
    await sessions.create(caller, {});
    for (const text of HOSTILE_TEXTS) {
      await queue.add(caller, { plans: [{ goal: text, context: text }] });
      await queue.pull(caller, {});
      await queue.complete(caller, { outcome: text });
    }
    let slowest = 0;
    const query = fc.oneof(
      some,
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      soup,
    );
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const began = performance.now();
        const { matches } = await history.search(caller, { query: asked.replaceAll('\0', ' ') || 'x', maxResults: 5 });
        slowest = Math.max(slowest, performance.now() - began);
        assert.ok(matches.length <= 5);
        assert.deepEqual(
          matches.map(({ relevanceRank }) => relevanceRank),
          matches.map((_, n) => n + 1),
        );
      }),
      { numRuns: TEXTS, seed: SEED },
    );
    store.close();
    assert.ok(slowest < LIMIT / 10, `${slowest} ms`);
    record({
      part: 'bad input',
      fault: 'the search box',
      cases: TEXTS,
      losses: 0,
      figures: `slowest ${slowest.toFixed(0)} ms`,
    });
  });

  it(`in the messages of webviews (${MESSAGES}) is refused without an exception`, () => {
    let taken = 0;
    for (const schema of [fromPlanEditor, toPlanEditor, fromReview, toReview]) {
      const own = messagesFor(schema);
      const runs = { numRuns: MESSAGES / 4, seed: SEED };
      const check = (message: unknown) => {
        const parsed = schema.safeParse(message);
        if (!parsed.success) return;
        taken++;
        assert.equal(Object.getPrototypeOf(parsed.data), Object.prototype);
        // What is taken is what the protocol knows, and is taken again as it is.
        assert.deepEqual(schema.parse(parsed.data), parsed.data);
      };
      fc.assert(fc.property(own, check), runs);
    }
    assert.ok(taken > MESSAGES / 5 && taken < MESSAGES * 0.95, `${taken} of ${MESSAGES} were taken`);
    assert.equal(({} as Record<string, unknown>).x, undefined);
    record({
      part: 'bad input',
      fault: 'messages of webviews',
      cases: MESSAGES,
      losses: 0,
      figures: `${MESSAGES - taken} refused`,
    });
  });

  describe('from the wire', () => {
    const bench = new Bench();
    afterEach(() => bench.clear());
    const line = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.replaceAll('\n', ' ')),
      fc
        .record({
          jsonrpc: fc.constantFrom('2.0', '1.0'),
          id: fc.oneof(
            fc.string(),
            fc.integer().map((n) => 1e6 + Math.abs(n)),
            fc.constant(null),
          ),
          method: fc.constantFrom(
            'tools/call',
            'tools/list',
            'resources/read',
            'prompts/get',
            'completion/complete',
            'nothing/of/that',
            '__proto__',
          ),
          params: fc.anything({ maxDepth: 2 }).filter((value) => JSON.stringify(value) !== undefined),
        })
        .map((any) => JSON.stringify(any)),
      fc.constantFrom(
        '{',
        '[]',
        '[[[[',
        '"',
        '\u0000',
        '{"jsonrpc":"2.0"}',
        `{"a":"${'x'.repeat(300_000)}"}`,
        '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      ),
    );

    it(`over stdio (${RAW} lines) leaves the server up and stdout the protocol’s`, async function () {
      this.timeout(LONG ? 900_000 : 120_000);
      const server = bench.server();
      server.send(INITIALIZE, INITIALIZED);
      await server.answer(1);
      for (const text of fc.sample(line, { numRuns: RAW, seed: SEED })) server.write(`${text}\n`);
      server.send(toolCall('last', '9plan_session_create'));
      const { result } = await server.answer('last');
      assert.match(JSON.stringify(result?.structuredContent), /"session_name":"[a-z]+-[a-z]+-[a-z]+"/);
      for (const message of server.messages())
        assert.doesNotMatch(JSON.stringify(message), /\bat [\w.<>]+ \(|node:internal/);
      assert.equal((await server.end()).code, 0);
      record({ part: 'bad input', fault: 'lines over stdio', cases: RAW, losses: 0 });
    });

    it(`over HTTP (${RAW} requests) is answered, and leaves the server up`, async function () {
      this.timeout(LONG ? 900_000 : 120_000);
      const server = await bench.http();
      const request = fc.record({
        method: fc.constantFrom('POST', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'PATCH'),
        path: fc.constantFrom('', '/../..', '?x=%00', '/%2e%2e', '//'),
        body: line,
        type: fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-16', ''),
        accept: fc.constantFrom('application/json, text/event-stream', '*/*', 'text/html', 'text/event-stream'),
        session: fc.option(fc.constantFrom('x', '../x', 'x'.repeat(3000))),
      });
      for (const { method, path, body, type, accept, session } of fc.sample(request, { numRuns: RAW, seed: SEED })) {
        const headers = {
          accept,
          ...(type && { 'content-type': type }),
          ...(session && { 'mcp-session-id': session }),
        };
        const carries = method !== 'GET' && method !== 'OPTIONS';
        const response = await fetch(server.url + path, {
          method,
          headers,
          ...(carries && { body }),
          signal: AbortSignal.timeout(LIMIT),
        });
        assert.ok(response.status >= 200 && response.status < 500, `${method} ${path}: ${response.status}`);
        assert.doesNotMatch(await response.text(), /\bat [\w.<>]+ \(|node:internal|<html/i);
      }
      const agent = await bench.httpAgent(server);
      await agent.ok('9plan_session_create');
      record({ part: 'bad input', fault: 'requests over HTTP', cases: RAW, losses: 0 });
    });
  });
});

const isHeading = (line: string) => HEADINGS.some(([, heading]) => line.replace(/\s+/g, ' ').trim() === `# ${heading}`);
