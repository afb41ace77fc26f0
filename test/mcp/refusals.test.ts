import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, Bench, plan, type ToolAnswer } from './support/agent';

/** The seed's format: header with a category, the message, what to do next; no structured content. */
function assertRefused(answer: ToolAnswer, category: string, message: RegExp, session = '[a-z-]+'): void {
  assert.equal(answer.isError, true, answer.text);
  assert.equal(answer.structured, undefined);
  const format = new RegExp(`^\\[Session: ${session}\\] Error: ${category}\\n\\n([\\s\\S]+)\\n\\nSuggested action: .+`);
  assert.match(answer.text, format);
  assert.match(answer.text, message);
  assert.doesNotMatch(answer.text, /\n\s+at |node:internal|\.js:\d/, 'no stack trace');
  assert.ok(answer.text.length < 2_000, 'short');
}

describe('a refused call', () => {
  const bench = new Bench();
  let agent: Agent;
  let session: string;
  beforeEach(async () => {
    agent = await bench.agent();
    session = String((await agent.ok('9plan_session_create')).session_name);
  });
  afterEach(() => bench.clear());

  const add = async (goal: string) => String((await agent.ok('9plan_queue_add', plan(goal))).plan_id);

  it('is SESSION_NOT_FOUND, with the sessions there are', async () => {
    const answer = await agent.call('9plan_session_resume', { session_name: 'no-such-session' });
    assertRefused(answer, 'SESSION_NOT_FOUND', new RegExp(session));
    assert.match(answer.text, /no-such-session/);
  });

  it('is SESSION_NOT_FOUND without any session, and says how to begin', async () => {
    const fresh = await bench.agent();
    assertRefused(await fresh.call('9plan_queue_add', plan('a')), 'SESSION_NOT_FOUND', /9plan_session_create/, 'none');
  });

  it('is PLAN_NOT_FOUND', async () => {
    for (const [tool, args] of [
      ['9plan_history_get', {}],
      ['9plan_queue_move', { position: 'front' }],
      ['9plan_plan_update', { goal: 'x' }],
      ['9plan_plan_discard', { reason: 'x' }],
    ] as const) {
      assertRefused(await agent.call(tool, { plan_id: 'zzzzz', ...args }), 'PLAN_NOT_FOUND', /zzzzz/);
    }
  });

  it('is NO_ACTIVE_PLAN', async () => {
    await add('a');
    for (const [tool, args] of [
      ['9plan_plan_complete', { outcome: 'x' }],
      ['9plan_plan_defer', { reason: 'x' }],
      ['9plan_plan_discard', { reason: 'x' }],
    ] as const) {
      assertRefused(await agent.call(tool, args), 'NO_ACTIVE_PLAN', /9plan_queue_pull/, session);
    }
  });

  it('is PLAN_ALREADY_ACTIVE at the second pull, naming the active plan', async () => {
    const [id] = [await add('Dig the well'), await add('b')];
    await agent.ok('9plan_queue_pull');
    assertRefused(
      await agent.call('9plan_queue_pull'),
      'PLAN_ALREADY_ACTIVE',
      new RegExp(`${id}[\\s\\S]*Dig the well`),
      session,
    );
    assertRefused(await agent.call('9plan_queue_pull', { wait_seconds: 60 }), 'PLAN_ALREADY_ACTIVE', new RegExp(id));
    assert.deepEqual((await agent.ok('9plan_admin_state')).active_plan, {
      id,
      goal: 'Dig the well',
      file_path: join(agent.store, session, 'plans', `${id}.txt`),
    });
  });

  it('is VALIDATION_ERROR for input that is missing, of a wrong type, unknown or out of range, naming the field', async () => {
    const cases: [string, Record<string, unknown>, RegExp][] = [
      [
        '9plan_queue_add',
        { goal: 'g' },
        /`context` is required; `approach` is required; `success_criteria` is required/,
      ],
      ['9plan_queue_add', plan('g', { goal: 7 }), /`goal` must be a string, not a number/],
      ['9plan_queue_add', plan('g', { goal: null }), /`goal` must be a string, not null/],
      ['9plan_queue_add', plan('g', { position: 'middle' }), /`position` must be one of front, back/],
      ['9plan_queue_add', plan('g', { priority: 1 }), /`priority` is not a field of this tool/],
      ['9plan_queue_add', plan('  \n '), /goal/],
      ['9plan_queue_add_batch', { plans: [] }, /`plans` must be at least 1 long/],
      ['9plan_queue_add_batch', { plans: plan('g') }, /`plans` must be an array, not an object/],
      [
        '9plan_queue_add_batch',
        { plans: [plan('g'), { ...plan('h'), goal: undefined }] },
        /`plans\[1\]\.goal` is required/,
      ],
      ['9plan_queue_add_batch', { plans: [plan('g', { x: 1 })] }, /`plans\[0\]\.x` is not a field/],
      ['9plan_queue_pull', { wait_seconds: -1 }, /`wait_seconds` must be at least 0/],
      ['9plan_queue_pull', { wait_seconds: 1.5 }, /`wait_seconds` must be a whole number/],
      ['9plan_queue_pull', { wait_seconds: 3601 }, /`wait_seconds` must be at most 3600/],
      ['9plan_queue_move', { plan_id: 'aaaaa' }, /Exactly one of/],
      ['9plan_queue_move', { plan_id: 'aaaaa', before: 'bbbbb', position: 'front' }, /Exactly one of/],
      ['9plan_history_search', { query: 'x', max_results: 0 }, /`max_results` must be at least 1/],
      ['9plan_admin_sessions', { ['k'.repeat(10_000)]: 1 }, /`k{60}` is not a field/],
      ['9plan_session_resume', {}, /`session_name` is required/],
    ];
    for (const [tool, args, message] of cases) assertRefused(await agent.call(tool, args), 'VALIDATION_ERROR', message);
    assert.deepEqual((await agent.ok('9plan_admin_state')).queue, [], 'nothing was changed');
  });

  it('is VALIDATION_ERROR for an empty outcome or reason, and the plan stays active', async () => {
    await add('a');
    await agent.ok('9plan_queue_pull');
    assertRefused(await agent.call('9plan_plan_complete', { outcome: ' ' }), 'VALIDATION_ERROR', /outcome/, session);
    assertRefused(await agent.call('9plan_plan_defer', { reason: '' }), 'VALIDATION_ERROR', /reason/, session);
    assertRefused(await agent.call('9plan_plan_discard', { reason: '\n' }), 'VALIDATION_ERROR', /reason/, session);
    assert.ok((await agent.ok('9plan_admin_state')).active_plan);
  });

  it('is VALIDATION_ERROR for NUL, which no plan file should hold', async () => {
    assertRefused(await agent.call('9plan_queue_add', plan('a\0b')), 'VALIDATION_ERROR', /goal/);
    assertRefused(await agent.call('9plan_queue_add', plan('a', { inputs: '\0' })), 'VALIDATION_ERROR', /inputs/);
  });

  it('is for names and ids that are none: they never become a path', async () => {
    const hostile = [
      '',
      ' ',
      '..',
      '../../etc/passwd',
      '/etc/passwd',
      'C:\\x',
      'a-b',
      'x'.repeat(10_000),
      '\0',
      'ABCDE',
      '🎉',
    ];
    const before = readdirSync(agent.store).sort();
    for (const name of hostile) {
      assertRefused(
        await agent.call('9plan_session_resume', { session_name: name }),
        '(SESSION_NOT_FOUND|VALIDATION_ERROR)',
        /./,
      );
      assertRefused(
        await agent.call('9plan_queue_add', plan('a', { session_name: name })),
        '(SESSION_NOT_FOUND|VALIDATION_ERROR)',
        /./,
      );
      assertRefused(await agent.call('9plan_history_get', { plan_id: name }), '(PLAN_NOT_FOUND|VALIDATION_ERROR)', /./);
      assertRefused(
        await agent.call('9plan_plan_update', { plan_id: name, goal: 'x' }),
        '(PLAN_NOT_FOUND|VALIDATION_ERROR)',
        /./,
      );
      assertRefused(
        await agent.call('9plan_plan_discard', { plan_id: name, reason: 'x' }),
        '(PLAN_NOT_FOUND|VALIDATION_ERROR)',
        /./,
      );
    }
    assert.deepEqual(readdirSync(agent.store).sort(), before);
  });

  it('is FILE_SYSTEM_ERROR where nothing can be written', async function () {
    if (process.platform === 'win32') this.skip();
    const blocked = join(bench.folder(), 'file');
    writeFileSync(blocked, 'no folder');
    const elsewhere = await bench.agent({ store: join(blocked, 'store') });
    assertRefused(await elsewhere.call('9plan_session_create'), 'FILE_SYSTEM_ERROR', /./, 'none');
    if (process.getuid?.() === 0) return;
    const folder = bench.folder();
    chmodSync(folder, 0o500);
    const readOnly = await bench.agent({ store: join(folder, 'store') });
    assertRefused(await readOnly.call('9plan_session_create'), 'FILE_SYSTEM_ERROR', /EACCES|permission/i, 'none');
    chmodSync(folder, 0o700);
  });

  it('is DATABASE_ERROR on a store of a newer version, which stays as it is', async () => {
    await agent.close();
    const journal = join(agent.store, 'journal-1.ndjson');
    appendFileSync(
      journal,
      recordAfter(readFileSync(journal, 'utf8'), { v: 999, events: [{ type: 'from_the_future' }] }),
    );
    const text = readFileSync(journal, 'utf8');
    const later = await bench.agent({ store: agent.store });
    assertRefused(await later.call('9plan_session_create'), 'DATABASE_ERROR', /newer version of 9plan/, 'none');
    assert.equal(readFileSync(journal, 'utf8'), text);
  });

  it('leaves the way open: the same agent goes on', async () => {
    await agent.call('9plan_plan_complete', { outcome: 'x' });
    await agent.call('9plan_queue_add', {});
    assert.ok(await add('a'));
  });
});

/** The record that a journal could go on with, in the journal's frozen framing. */
function recordAfter(journal: string, record: { v: number; events: object[] }): string {
  const last = JSON.parse(journal.trimEnd().split('\n').at(-1) ?? '') as { seq: number; sum: string };
  const { v, events } = record;
  const whole = { v, seq: last.seq + 1, prev: last.sum, id: 'x', at: new Date().toISOString(), by: 'later', events };
  const body = JSON.stringify(whole).slice(0, -1);
  return `${body},"sum":"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"}\n`;
}
