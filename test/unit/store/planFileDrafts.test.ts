import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DomainEvent } from '../../../src/planner/events';
import { EMPTY_SECTIONS } from '../../../src/planner/text';
import { PlanFiles } from '../../../src/store/planFiles';
import { silent } from '../../support/silentLog';
import { ProjectionHouse, SESSION } from './projectionHouse';

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

  const add = (plan: string): DomainEvent[] => {
    const events: DomainEvent[] = [
      {
        type: 'plan_added',
        plan,
        session: SESSION,
        position: 1,
        sections: { ...EMPTY_SECTIONS, goal: 'The goal' },
        parent: null,
      },
    ];
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

  it('never takes the place of what somebody put there meanwhile', () => {
    const events = add('aaaaa');
    files.draft(events, house.view);
    fs.writeFileSync(join(folder, path), 'Mine');
    assert.match(files.reflect(events, house.view, true).join(), /it was kept/);
    assert.equal(text(), 'Mine');
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
