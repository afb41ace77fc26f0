import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyStore } from '../../support/copyStore';
import { House } from './house';
import { tasksOf } from './storeFiles';

const RECORDS = 12;
/** The one that counts; the one before it is still there. */
export const JOURNAL = 'journal-2.ndjson';

/** A store of which each case of damage gets a copy; its state half-way is beside it, in `old`. */
export class PristineStore {
  parent = '';
  folder = '';
  /** What its sessions are about, sorted. */
  tasks: string[] = [];
  private count = 0;

  async make(): Promise<void> {
    this.parent = mkdtempSync(join(tmpdir(), '9plan-damage-'));
    this.folder = join(this.parent, 'pristine', '.9plan');
    const house = new House(this.folder, { snapshots: true });
    await house.planner.sessions.create(house.caller, { taskDescription: 'work' });
    await house.add('a', 'b');
    await this.addSessions(house, RECORDS / 2);
    copyStore(this.folder, join(this.parent, 'old'));
    await house.store.compact();
    await this.addSessions(house, RECORDS / 2);
    await house.store.close();
    this.tasks = await tasksOf(this.folder);
    assert.equal(this.tasks.length, RECORDS + 1);
  }

  remove(): void {
    rmSync(this.parent, { recursive: true, force: true });
  }

  async addSessions(house: House, many: number): Promise<void> {
    for (let n = 0; n < many; n++) {
      await house.planner.sessions.create(house.caller, { taskDescription: `task ${this.count++} of all` });
    }
  }

  async withCopy<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.parent, `case-${this.count++}`, '.9plan');
    copyStore(this.folder, folder);
    try {
      return await work(folder);
    } finally {
      rmSync(join(folder, '..'), { recursive: true, force: true });
    }
  }
}
