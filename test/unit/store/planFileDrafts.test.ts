import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DomainEvent } from '../../../src/planner/events';
import { EMPTY_SECTIONS } from '../../../src/planner/text';
import { realDisk } from '../../../src/store/disk';
import { PlanFiles } from '../../../src/store/planFiles';
import type { WorkspaceStore } from '../../../src/store/workspaceStore';
import { FaultyDisk } from '../../support/faultyDisk';
import { addSession, StoreBench } from '../../support/openStore';
import { silent } from '../../support/silentLog';
import { ProjectionHouse, SESSION } from './projectionHouse';

function added(plan: string, session = SESSION): DomainEvent {
  const sections = { ...EMPTY_SECTIONS, goal: 'The goal' };
  return { type: 'plan_added', plan, session, position: 1, sections, parent: null };
}

describe('The draft of a new plan’s file', () => {
  let folder: string;
  let house: ProjectionHouse;
  let files: PlanFiles;

  beforeEach(async () => {
    folder = fs.mkdtempSync(join(tmpdir(), 'plan-drafts-'));
    house = await ProjectionHouse.furnished();
    files = new PlanFiles(folder, silent);
    // The first plan of a session makes the folders.
    files.reflect(add('first'), house.view);
  });
  afterEach(() => {
    house.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const add = (plan: string, ...more: DomainEvent[]): DomainEvent[] => {
    const events = [added(plan), ...more];
    house.commit(...events);
    return events;
  };
  const path = join(SESSION, 'plans', 'aaaaa.txt');
  const text = () => fs.readFileSync(join(folder, path), 'utf8');
  const present = () => fs.readdirSync(join(folder, SESSION, 'plans')).filter((name) => name !== 'first.txt');

  it('has the text but not the name, and nobody is told of it', () => {
    files.draft(add('aaaaa'), house.view);
    assert.match(present().join(), /^\.aaaaa\.[0-9a-f]+\.tmp$/);
    assert.deepEqual(files.list(SESSION), ['first']);
  });

  it('becomes the file without being written once more', () => {
    const events = add('aaaaa');
    files.draft(events, house.view);
    const [draft = ''] = present();
    const { ino } = fs.statSync(join(folder, SESSION, 'plans', draft));
    assert.deepEqual(files.reflect(events, house.view, true), []);
    assert.deepEqual(present(), ['aaaaa.txt']);
    assert.equal(fs.statSync(join(folder, path)).ino, ino);
    assert.equal(files.read(SESSION, 'aaaaa')?.isUntouched, true);
  });

  it('is gone when its change is not kept', () => {
    const events = add('aaaaa');
    files.draft(events, house.view);
    files.discardDrafts(events);
    assert.deepEqual(present(), []);
  });

  it('is not used when the plan was changed meanwhile', () => {
    const events = add('aaaaa');
    files.draft(events, house.view);
    house.commit({ type: 'plan_edited', plan: 'aaaaa', sections: { notes: 'Newer' }, source: 'command' });
    assert.deepEqual(files.reflect(events, house.view), []);
    assert.match(text(), /Newer/);
    assert.deepEqual(present(), ['aaaaa.txt']);
  });

  it('is not made of a plan that is finished by the change that adds it', () => {
    const events = add('aaaaa', { type: 'plan_completed', plan: 'aaaaa', outcome: 'Elsewhere' });
    files.draft(events, house.view);
    assert.deepEqual(present(), []);
    assert.deepEqual(files.reflect(events, house.view, true), []);
    assert.deepEqual(present(), []);
  });

  it('is not missed if another process has written the same file meanwhile', () => {
    const events = add('aaaaa');
    files.draft(events, house.view);
    assert.deepEqual(new PlanFiles(folder, silent).restoreMissing(SESSION, house.view), []);
    assert.deepEqual(files.reflect(events, house.view, true), []);
    assert.match(text(), /The goal/);
  });

  it('follows no link that its folder has become', () => {
    const events = add('aaaaa');
    files.draft(events, house.view);
    const plans = join(folder, SESSION, 'plans');
    fs.renameSync(plans, join(folder, 'elsewhere'));
    fs.symlinkSync(join(folder, 'elsewhere'), plans, 'junction');
    assert.match(files.reflect(events, house.view, true).join(), /a symbolic link/);
    assert.ok(!fs.existsSync(join(folder, 'elsewhere', 'aaaaa.txt')));
  });

  it('never takes the place of what somebody put there meanwhile', () => {
    const events = add('aaaaa');
    files.draft(events, house.view);
    fs.writeFileSync(join(folder, path), 'Mine');
    assert.match(files.reflect(events, house.view, true).join(), /it was kept/);
    assert.equal(text(), 'Mine');
    files.discardDrafts(events);
    assert.deepEqual(present(), ['aaaaa.txt']);
  });

  it('that can’t be written is made up for by the file', () => {
    const events = add('aaaaa');
    const { openSync } = fs;
    fs.openSync = () => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    try {
      files.draft(events, house.view);
    } finally {
      fs.openSync = openSync;
    }
    assert.deepEqual(files.reflect(events, house.view, true), []);
    assert.match(text(), /The goal/);
    assert.deepEqual(present(), ['aaaaa.txt']);
  });
});

describe('The draft of a plan’s file, while another process changes the same', () => {
  let bench: StoreBench;
  let session: string;
  let faulty: FaultyDisk;
  let store: WorkspaceStore;
  let other: WorkspaceStore;
  beforeEach(async () => {
    bench = new StoreBench();
    faulty = new FaultyDisk();
    store = bench.open({ disk: faulty.disk });
    other = bench.open();
    session = await addSession(store);
    await change(store, added('first', session));
  });
  afterEach(() => bench.end());

  const change = (by: WorkspaceStore, ...events: DomainEvent[]) =>
    by.transact('test', (tx) => {
      for (const event of events) tx.emit(event);
    });

  /** Adds a plan to whose record the other process answers before it is synced. */
  async function addWhile(answer: DomainEvent): Promise<string[]> {
    let drafted: string[] = [];
    faulty.breaks({
      syncData: async (fd) => {
        faulty.breaks({});
        await new Promise(setImmediate);
        drafted = fs.readdirSync(bench.path(`${session}/plans`));
        await change(other, answer);
        await realDisk.syncData(fd);
      },
    });
    await change(store, added('aaaaa', session));
    return drafted;
  }

  it('is not left behind when the plan is finished by then', async () => {
    const drafted = await addWhile({ type: 'plan_discarded', plan: 'aaaaa', reason: 'Needless' });
    assert.match(drafted.join(), /^\.aaaaa\./);
    assert.deepEqual(fs.readdirSync(bench.path(`${session}/plans`)), ['first.txt']);
  });

  it('goes with the session', async () => {
    const drafted = await addWhile({ type: 'session_deleted', session });
    assert.match(drafted.join(), /^\.aaaaa\./);
    assert.ok(!fs.existsSync(bench.path(session)));
  });
});
