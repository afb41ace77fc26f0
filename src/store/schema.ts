/** Raised with any change of the tables or of what the search index holds: an image of another version is rebuilt. */
export const SCHEMA_VERSION = 3;
/** `schemaDigest` of that version. Known, since to make the tables only to compare them costs more than to open an image. */
export const SCHEMA_DIGEST = '5668e78663d42b20dd251dcefff8b8fcc3cb16d50b6bf37e68330beae5f0dea5';

/**
 * The tables of the seed (section 5.1), and what plan mode, to-dos, dependencies and parents need beyond. Small columns
 * that change often come before the long texts, so that reading one doesn't walk through overflow pages.
 *
 * `queue_length` and `completed_count` are kept with each change: counting would make a change dearer with every
 * completed plan. `finish_order` numbers completions and discards, since two clocks may disagree about which came last.
 * `commands` and `meta` change with every record, so they are filled only for an image.
 */
export const SCHEMA = `
CREATE TABLE sessions (
  name TEXT NOT NULL PRIMARY KEY,
  selected INTEGER NOT NULL DEFAULT 0,
  queue_length INTEGER NOT NULL DEFAULT 0,
  completed_count INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  archived_at TEXT,
  task_description TEXT
) STRICT;

CREATE TABLE plans (
  id TEXT NOT NULL PRIMARY KEY,
  session_name TEXT NOT NULL REFERENCES sessions(name) ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('queued', 'active', 'completed', 'discarded')),
  queue_position INTEGER,
  finish_order INTEGER,
  parent_id TEXT REFERENCES plans(id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  pulled_at TEXT,
  pulled_by TEXT,
  completed_at TEXT,
  discarded_at TEXT,
  file_version TEXT,
  goal TEXT NOT NULL,
  context TEXT NOT NULL,
  inputs TEXT NOT NULL,
  outputs TEXT NOT NULL,
  outcome TEXT,
  approach TEXT NOT NULL,
  success_criteria TEXT NOT NULL,
  notes TEXT NOT NULL,
  discard_reason TEXT,
  metadata TEXT
) STRICT;

CREATE INDEX idx_plans_queue ON plans(session_name, status, queue_position) WHERE status = 'queued';
CREATE INDEX idx_plans_active ON plans(session_name, pulled_at, id) WHERE status = 'active';
CREATE INDEX idx_plans_finished ON plans(session_name, status, finish_order) WHERE finish_order IS NOT NULL;
CREATE INDEX idx_plans_finish_order ON plans(finish_order, status) WHERE finish_order IS NOT NULL;
CREATE INDEX idx_plans_session ON plans(session_name);
CREATE INDEX idx_plans_parent ON plans(parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE dependencies (
  plan_id TEXT NOT NULL REFERENCES plans(id) ON DELETE CASCADE,
  waits_for TEXT NOT NULL REFERENCES plans(id) ON DELETE CASCADE,
  PRIMARY KEY (plan_id, waits_for)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_dependencies_waits_for ON dependencies(waits_for);

CREATE TABLE proposals (
  id TEXT NOT NULL PRIMARY KEY,
  session_name TEXT NOT NULL REFERENCES sessions(name) ON DELETE CASCADE,
  client TEXT NOT NULL,
  agent TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('planning', 'submitted', 'approved', 'rejected', 'superseded')),
  created_at TEXT NOT NULL,
  reason TEXT,
  goal TEXT
) STRICT;
CREATE INDEX idx_proposals_session ON proposals(session_name, status);

CREATE TABLE proposal_rounds (
  proposal_id TEXT NOT NULL REFERENCES proposals(id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  submitted_at TEXT NOT NULL,
  decision TEXT CHECK (decision IN ('approved', 'changes_requested', 'rejected')),
  decided_by TEXT,
  decided_at TEXT,
  plan TEXT NOT NULL,
  todos TEXT NOT NULL,
  feedback TEXT,
  comments TEXT NOT NULL DEFAULT '[]',
  approved_plan TEXT,
  queued_plans TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (proposal_id, round)
) STRICT;

CREATE TABLE todo_lists (
  session_name TEXT NOT NULL REFERENCES sessions(name) ON DELETE CASCADE,
  client TEXT NOT NULL,
  agent TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  todos TEXT NOT NULL,
  PRIMARY KEY (session_name, client, agent)
) STRICT;

CREATE TABLE commands (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  journal INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  sum TEXT NOT NULL,
  end_offset INTEGER NOT NULL
) STRICT;

PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * What of each table is state, as a genesis carries it, in an order in which references go backwards (parents aside).
 * The rest can be derived.
 */
export const STATE_COLUMNS = {
  sessions: ['name', 'selected', 'created_at', 'changed_at', 'archived_at', 'task_description'],
  plans: [
    'id',
    'session_name',
    'status',
    'queue_position',
    'finish_order',
    'parent_id',
    'created_at',
    'created_by',
    'pulled_at',
    'pulled_by',
    'completed_at',
    'discarded_at',
    'file_version',
    'goal',
    'context',
    'inputs',
    'outputs',
    'outcome',
    'approach',
    'success_criteria',
    'notes',
    'discard_reason',
    'metadata',
  ],
  dependencies: ['plan_id', 'waits_for'],
  proposals: ['id', 'session_name', 'client', 'agent', 'status', 'created_at', 'reason', 'goal'],
  proposal_rounds: [
    'proposal_id',
    'round',
    'submitted_at',
    'decision',
    'decided_by',
    'decided_at',
    'plan',
    'todos',
    'feedback',
    'comments',
    'approved_plan',
    'queued_plans',
  ],
  todo_lists: ['session_name', 'client', 'agent', 'changed_at', 'todos'],
  commands: ['id'],
} as const satisfies Record<string, readonly string[]>;

export type StateTable = keyof typeof STATE_COLUMNS;
