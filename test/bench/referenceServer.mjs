// The yardstick: the same two tools over the same SDK and transport, on node:sqlite (WAL, synchronous FULL: one sync a
// change), with FTS5 kept by triggers and a plan file a plan. Needs Node 24. Usage: node referenceServer.mjs FOLDER
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const folder = process.argv[2];
const plans = join(folder, 'plans');
mkdirSync(plans, { recursive: true });
const db = new DatabaseSync(join(folder, 'plans.db'));
db.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS plans (id TEXT PRIMARY KEY, status TEXT NOT NULL, position INTEGER, goal TEXT, context TEXT,
    approach TEXT, success_criteria TEXT, outcome TEXT) STRICT;
  CREATE INDEX IF NOT EXISTS by_status ON plans (status, position);
  CREATE VIRTUAL TABLE IF NOT EXISTS plans_fts USING fts5(goal, context, outcome, content='plans', content_rowid='rowid');
  CREATE TRIGGER IF NOT EXISTS plans_au AFTER UPDATE OF status ON plans WHEN new.status = 'completed' BEGIN
    INSERT INTO plans_fts (rowid, goal, context, outcome) VALUES (new.rowid, new.goal, new.context, new.outcome);
  END;
`);
const insert = db.prepare(`INSERT INTO plans (id, status, position, goal, context, approach, success_criteria)
  SELECT ?, 'queued', 1 + ifnull(max(position), 0), ?, ?, ?, ? FROM plans WHERE status = 'queued'`);
const front = db.prepare(`SELECT id FROM plans WHERE status = 'queued' ORDER BY position LIMIT 1`);
const pull = db.prepare(`UPDATE plans SET status = 'active', position = NULL WHERE id = ?`);
const shift = db.prepare(`UPDATE plans SET position = position - 1 WHERE status = 'queued'`);
const active = db.prepare(`SELECT id FROM plans WHERE status = 'active'`);
const complete = db.prepare(`UPDATE plans SET status = 'completed', outcome = ? WHERE id = ?`);

const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });
const tools = {
  add(a) {
    const id = randomUUID();
    insert.run(id, a.goal, a.context, a.approach, a.success_criteria);
    const file = join(plans, `${id}.txt`);
    writeFileSync(`${file}.tmp`, `# Context\n${a.context}\n\n# Goal\n${a.goal}\n\n# Approach\n${a.approach}\n`);
    renameSync(`${file}.tmp`, file);
    return { plan_id: id };
  },
  pull() {
    const { id } = front.get();
    db.exec('BEGIN');
    pull.run(id);
    shift.run();
    db.exec('COMMIT');
    return { plan_id: id };
  },
  complete(a) {
    const { id } = active.get();
    complete.run(a.outcome, id);
    unlinkSync(join(plans, `${id}.txt`));
    return { plan_id: id };
  },
  /** Fills the history in one transaction; not measured. */
  seed(a) {
    const row = db.prepare(
      `INSERT INTO plans (id, status, goal, context, approach, success_criteria) VALUES (?, 'queued', ?, ?, ?, ?)`,
    );
    db.exec('BEGIN');
    for (let i = 0; i < a.count; i++) {
      row.run(`s${i}`, `${a.goal} ${i}`, a.context, a.approach, a.success_criteria);
      complete.run(`${a.outcome} ${i}`, `s${i}`);
    }
    db.exec('COMMIT');
    return { count: a.count };
  },
};

const server = new Server({ name: 'reference', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
}));
server.setRequestHandler(CallToolRequestSchema, (request) =>
  text(tools[request.params.name](request.params.arguments ?? {})),
);
process.stdin.on('end', () => process.exit(0));
await server.connect(new StdioServerTransport());
