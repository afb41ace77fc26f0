import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Agent, Bench, plan } from './support/agent';

const FENCED = 'Write this:\n\n```md\n# Goal\nnot a heading\n# Notes\n```\n\nand then stop.';
const TEXTS: Record<string, string> = {
  'an amount of money': 'Spend $15,000 on $1 and $& and $$',
  'a rule': 'above\n\n---\n\nbelow',
  'a heading at the start of a line': '# Goal\n# Context\nmore\n\\# Goal\n\\\\# Notes\n# goal',
  'a heading in a fence': FENCED,
  'a fence that is left open': '```\n# Approach\nno end',
  backslashes: 'C:\\new\\table \\n \\\\server\\share \\u0041',
  'quotes and braces': `"'\`{}[]<>&%s \${x} {{x}} <script>alert(1)</script>`,
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 é é',
  Chinese: '先把地基打好，再砌墙。',
  'right-to-left text': 'קודם היסודות, أولاً الأساس \u202etxet\u202c',
  'blanks inside': 'a  b\t c   \n    indented\n\n\n\nfar',
  'line ends of all kinds': 'one\ntwo',
};

describe('the text of a plan', () => {
  const bench = new Bench();
  let agent: Agent;
  before(async () => {
    agent = await bench.agent();
    await agent.ok('9plan_session_create');
  });
  after(() => bench.clear());

  async function roundTrip(text: string): Promise<Record<string, unknown>> {
    const fields = { context: text, approach: text, success_criteria: text, inputs: text, outputs: text };
    const { plan_id } = await agent.ok('9plan_queue_add', plan(`Goal: ${text}`, fields));
    await agent.ok('9plan_plan_update', { plan_id, append_notes: text });
    await agent.ok('9plan_queue_pull');
    await agent.ok('9plan_plan_complete', { outcome: text });
    return await agent.ok('9plan_history_get', { plan_id });
  }

  for (const [what, text] of Object.entries(TEXTS)) {
    it(`comes back as it was given: ${what}`, async () => {
      const kept = await roundTrip(text);
      assert.equal(kept.goal, `Goal: ${text}`);
      for (const field of ['context', 'approach', 'success_criteria', 'inputs', 'outputs', 'notes', 'outcome']) {
        assert.equal(kept[field], text, field);
      }
    });
  }

  it('has LF line ends and no blank lines around it', async () => {
    assert.equal((await roundTrip('\r\n\na\r\nb\rc\n\n')).context, 'a\nb\nc');
  });

  it('may be a megabyte long', async () => {
    const text = 'Line of a long text, with 漢字 and # Goal\n'.repeat(25_000).trimEnd();
    assert.ok(Buffer.byteLength(text) > 1_000_000);
    const { plan_id } = await agent.ok('9plan_queue_add', plan('long', { approach: text }));
    await agent.ok('9plan_queue_pull');
    await agent.ok('9plan_plan_complete', { outcome: text });
    const kept = await agent.ok('9plan_history_get', { plan_id });
    assert.equal(kept.approach, text);
    assert.equal(kept.outcome, text);
  });

  it('is found by any query, none of which is an error', async () => {
    await roundTrip('A needle-shaped "tower" of getUserById');
    const queries = [
      '"',
      'AND',
      'a OR',
      'NEAR(',
      '*',
      '-',
      ':',
      "'; DROP TABLE plans; --",
      '',
      ' ',
      '🎉',
      'x'.repeat(10_000),
      'needle-shaped "tow',
    ];
    for (const query of queries) await agent.ok('9plan_history_search', { query });
    const { matches } = await agent.ok('9plan_history_search', { query: 'user tower' });
    assert.equal((matches as unknown[]).length > 0, true);
  });
});

describe('a plan file that a person edits between two calls', () => {
  const bench = new Bench();
  let agent: Agent;
  let id: string;
  let path: string;
  beforeEach(async () => {
    agent = await bench.agent();
    await agent.ok('9plan_session_create');
    const added = await agent.ok('9plan_queue_add', plan('Old goal', { inputs: 'kept' }));
    id = String(added.plan_id);
    path = String(added.plan_path);
    await agent.ok('9plan_queue_pull');
  });
  afterEach(() => bench.clear());

  const complete = async () => {
    await agent.ok('9plan_plan_complete', { outcome: 'done' });
    return await agent.ok('9plan_history_get', { plan_id: id });
  };
  const edit = (change: (text: string) => string) => writeFileSync(path, change(readFileSync(path, 'utf8')));

  it('takes the edit into the history', async () => {
    edit((text) => text.replace('Old goal', 'New goal').replace('# Notes\n', '# Notes\nlearned much\n'));
    const kept = await complete();
    assert.deepEqual([kept.goal, kept.notes, kept.inputs], ['New goal', 'learned much', 'kept']);
  });

  it('takes CRLF line ends and a byte order mark', async () => {
    edit((text) => `\ufeff${text.replace('Old goal', 'New goal\nin two lines').replaceAll('\n', '\r\n')}`);
    const kept = await complete();
    assert.deepEqual([kept.goal, kept.context], ['New goal\nin two lines', 'For the test.']);
  });

  it('keeps the stored text when the file is deleted or emptied', async () => {
    rmSync(path);
    assert.equal((await agent.ok('9plan_plan_defer', { reason: 'r' })).queue_position, 1);
    const pulled = await agent.ok('9plan_queue_pull');
    assert.equal(readFileSync(path, 'utf8'), pulled.plan);
    writeFileSync(path, '');
    const kept = await complete();
    assert.deepEqual([kept.goal, kept.inputs], ['Old goal', 'kept']);
    assert.match(String(kept.notes), /r$/);
  });

  it('keeps a section whose heading is gone', async () => {
    edit((text) => text.replace(/# Inputs\n/, ''));
    assert.equal((await complete()).inputs, 'kept');
  });

  it('refuses to guess at a file without any heading, changes nothing and says how to mend it', async () => {
    writeFileSync(path, 'just my thoughts');
    const refused = await agent.call('9plan_plan_complete', { outcome: 'done' });
    assert.match(refused.text, /Error: VALIDATION_ERROR/);
    assert.ok(refused.text.includes(path));
    assert.equal(readFileSync(path, 'utf8'), 'just my thoughts');
    writeFileSync(path, '# Goal\nMended\n');
    assert.equal((await complete()).goal, 'Mended');
  });
});
