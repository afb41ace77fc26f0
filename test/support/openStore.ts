import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorCategory, PlannerError } from '../../src/planner/errors';
import type { CommittedChange } from '../../src/planner/events';
import type { View } from '../../src/planner/ports';
import { type StoreOptions, WorkspaceStore } from '../../src/store/workspaceStore';
import { silent } from './silentLog';

/** A folder for one test's stores, and the stores: all closed and removed at its end. */
export class StoreBench {
  readonly parent = mkdtempSync(join(tmpdir(), '9plan-store-'));
  readonly folder = join(this.parent, '.9plan');
  private readonly opened: WorkspaceStore[] = [];

  /** Another process' view of the store, as it were: nothing is shared but the files. */
  open(options: Partial<StoreOptions> = {}): WorkspaceStore {
    const store = new WorkspaceStore({ folder: this.folder, log: silent, snapshots: false, ...options });
    this.opened.push(store);
    return store;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Names in the store folder that match. */
  files(pattern: RegExp): string[] {
    return readdirSync(this.folder)
      .filter((name) => pattern.test(name))
      .sort();
  }

  async end(): Promise<void> {
    for (const store of this.opened) await store.close();
    await rm(this.parent, { recursive: true, force: true, maxRetries: 10 });
  }
}

let count = 0;
export function newSessionName(): string {
  return `test-session-${String(++count).padStart(5, '0')}`;
}

/** Makes a change, and returns the name of the session that it created. */
export async function addSession(store: WorkspaceStore, name = newSessionName(), text = ''): Promise<string> {
  await store.transact('test', (tx) => {
    if (tx.session(name)) throw new Error(`${name} is there twice.`);
    tx.emit({ type: 'session_created', session: name, taskDescription: text || null });
  });
  return name;
}

/** Sorted names of the sessions in a state. */
export function sessionNames(view: View): string[] {
  return view
    .sessions()
    .map(({ name }) => name)
    .sort();
}

export function sessionsOf(store: WorkspaceStore): Promise<string[]> {
  return store.read(sessionNames);
}

/** Collects what a store reports. */
export function changesOf(store: WorkspaceStore): CommittedChange[] {
  const changes: CommittedChange[] = [];
  store.onDidChange((change) => changes.push(change));
  return changes;
}

export async function until(condition: () => boolean, limit = 5000): Promise<void> {
  const end = Date.now() + limit;
  while (!condition()) {
    if (Date.now() > end) throw new Error('It did not happen in time.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** For `assert.rejects`: a refusal that says what to do next. */
export function isRefusal(category: ErrorCategory, message: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof PlannerError, String(error));
    assert.equal(error.category, category);
    assert.match(error.message, message);
    assert.ok(error.suggestion.length > 10);
    return true;
  };
}
