import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DomainEvent } from '../../../src/planner/events';
import { formatPlan } from '../../../src/planner/planDocument';
import type { Log } from '../../../src/planner/ports';
import { PlanFiles } from '../../../src/store/planFiles';
import { ProjectionHouse, SESSION } from './projectionHouse';

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
const WINDOWS = process.platform === 'win32';

describe('plan files', () => {
  let folder: string;
  let house: ProjectionHouse;
  let files: PlanFiles;

  beforeEach(async () => {
    folder = fs.mkdtempSync(join(tmpdir(), 'plan-files-'));
    house = await ProjectionHouse.furnished();
    files = new PlanFiles(folder, SILENT);
  });
  afterEach(() => {
    house.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const path = (plan = 'aaaaa'): string => join(folder, SESSION, 'plans', `${plan}.txt`);
  const text = (plan = 'aaaaa'): string => fs.readFileSync(path(plan), 'utf8');
  const present = (): string[] => (fs.existsSync(dirname(path())) ? fs.readdirSync(dirname(path())).sort() : []);
  /** Commits, then makes the files follow, as the store does. */
  const change = (...events: DomainEvent[]): string[] => {
    house.commit(...events);
    return files.reflect(events, house.view);
  };
  const add = (plan = 'aaaaa', goal = 'The goal'): void => {
    house.add(plan, { goal });
    assert.deepEqual(files.restoreMissing(SESSION, house.view), []);
  };
  const edit = (plan: string, notes: string, source: 'file' | 'command' = 'command'): DomainEvent => ({
    type: 'plan_edited',
    plan,
    sections: { notes },
    source,
    ...(source === 'file' ? { fileVersion: files.read(SESSION, plan)?.version } : {}),
  });
  const complete = (plan = 'aaaaa'): DomainEvent => ({ type: 'plan_completed', plan, outcome: 'Done.' });

  /** Runs `act` while somebody does something right before the first renaming. */
  const beforeRenaming = <T>(somebody: () => void, act: () => T): T => {
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      fs.renameSync = renameSync;
      somebody();
      renameSync(from, to);
    };
    try {
      return act();
    } finally {
      fs.renameSync = renameSync;
    }
  };

  const minutesLater = <T>(act: () => T): T => {
    const { now } = Date;
    Date.now = () => now() + 120_000;
    try {
      return act();
    } finally {
      Date.now = now;
    }
  };

  describe('names', () => {
    it('leads to the plan file of the seed', () => {
      assert.equal(files.sessionPath(SESSION), join(folder, SESSION));
      assert.equal(files.planPath(SESSION, 'aaaaa'), path());
    });

    it('refuses names that lead elsewhere, before anything is touched', () => {
      for (const name of ['..', '.', '', 'a/b', '../x', 'a\\b', 'C:', '/etc', 'a b', 'A-B', `a\0b`]) {
        assert.throws(() => files.sessionPath(name), { category: 'VALIDATION_ERROR' }, name);
        assert.throws(() => files.list(name), { category: 'VALIDATION_ERROR' }, name);
      }
      for (const name of ['../aaaaa', 'a/b', 'a\\b', 'a\0']) {
        assert.throws(() => files.planPath(SESSION, name), { category: 'VALIDATION_ERROR' }, name);
        assert.throws(() => files.read(SESSION, name), { category: 'VALIDATION_ERROR' }, name);
      }
      assert.deepEqual(fs.readdirSync(folder), []);
    });
  });

  describe('writing', () => {
    it('follows an added, edited, deferred, reopened and finished plan', () => {
      const added: DomainEvent = {
        type: 'plan_added',
        plan: 'aaaaa',
        session: SESSION,
        position: 1,
        sections: { context: 'C', goal: 'G', inputs: '', outputs: '', approach: 'A', successCriteria: 'S', notes: '' },
        parent: null,
      };
      assert.deepEqual(change(added), []);
      assert.equal(text(), formatPlan(added.sections));
      assert.ok(files.read(SESSION, 'aaaaa')?.isUntouched);
      assert.deepEqual(change(edit('aaaaa', 'A note')), []);
      assert.equal(text(), formatPlan({ ...added.sections, notes: 'A note' }));
      assert.deepEqual(change({ type: 'plan_pulled', plan: 'aaaaa', client: 'tester' }), []);
      assert.deepEqual(change(complete()), []);
      assert.deepEqual(present(), []);
      assert.deepEqual(change({ type: 'plan_requeued', plan: 'aaaaa', position: 1, cause: 'reopened' }), []);
      assert.equal(text(), formatPlan({ ...added.sections, notes: 'A note' }));
      assert.deepEqual(change({ type: 'plan_discarded', plan: 'aaaaa', reason: 'No.' }), []);
      assert.deepEqual(present(), []);
    });

    it('keeps files private to the user and leaves no temporary ones', function () {
      if (WINDOWS) this.skip();
      add();
      assert.equal(fs.statSync(path()).mode & 0o777, 0o600);
      assert.equal(fs.statSync(join(folder, SESSION)).mode & 0o777, 0o700);
      assert.equal(fs.statSync(dirname(path())).mode & 0o777, 0o700);
      assert.deepEqual(present(), ['aaaaa.txt']);
    });

    it('leaves a file alone that says the same in another form, and counts it as its own from then on', () => {
      add();
      const byHand = text().replaceAll('\n', '\r\n').replace('# Inputs\r\n\r\n', '');
      fs.writeFileSync(path(), byHand);
      assert.equal(files.read(SESSION, 'aaaaa')?.isUntouched, false);
      const modified = fs.statSync(path()).mtimeMs;
      assert.deepEqual(change(edit('aaaaa', '', 'file')), []);
      assert.equal(text(), byHand);
      assert.ok(files.read(SESSION, 'aaaaa')?.isUntouched);
      assert.ok(fs.statSync(path()).mtimeMs <= modified, 'an open editor would refuse to save');
    });

    it('writes over a file that is merely behind', () => {
      add();
      const behind = join(folder, 'behind');
      fs.renameSync(path(), behind);
      assert.deepEqual(change(edit('aaaaa', 'Newer')), []);
      fs.renameSync(behind, path());
      assert.ok(files.read(SESSION, 'aaaaa')?.isUntouched);
      assert.deepEqual(files.reflect([edit('aaaaa', 'Newer')], house.view), []);
      assert.match(text(), /Newer/);
    });

    it('writes what a change made of a plan whose file it had taken in', () => {
      add();
      fs.appendFileSync(path(), 'By hand\n');
      const taken = edit('aaaaa', 'By hand', 'file');
      assert.deepEqual(change(taken, edit('aaaaa', 'By hand\nBy an agent')), []);
      assert.match(text(), /# Notes\nBy hand\nBy an agent\n$/);
      assert.ok(files.read(SESSION, 'aaaaa')?.isUntouched);
    });

    it('keeps an edit that came in after the change took the file in', () => {
      add();
      fs.writeFileSync(path(), `${text()}Typed just now\n`);
      const [problem, ...others] = change(edit('aaaaa', 'From an agent'));
      assert.deepEqual(others, []);
      assert.match(problem as string, /aaaaa\.txt holds text that the store doesn't have/);
      assert.match(text(), /Typed just now/);
    });

    it('keeps a file that comes into being while the first is written', () => {
      house.add('aaaaa');
      const { futimesSync } = fs;
      fs.futimesSync = (...times) => {
        fs.futimesSync = futimesSync;
        futimesSync(...times);
        fs.writeFileSync(path(), 'Mine');
      };
      try {
        assert.equal(files.restoreMissing(SESSION, house.view).length, 1);
      } finally {
        fs.futimesSync = futimesSync;
      }
      assert.equal(text(), 'Mine');
      assert.deepEqual(present(), ['aaaaa.txt']);
    });

    it('fills a blank file, and one that a power cut has left full of zeros', () => {
      add();
      const whole = text();
      for (const left of [' \n', '', '\0'.repeat(whole.length)]) {
        fs.writeFileSync(path(), left);
        assert.deepEqual(files.restoreMissing(SESSION, house.view), []);
        assert.equal(text(), whole);
      }
    });

    it('says what stood in the way, and writes the other files', () => {
      fs.mkdirSync(path(), { recursive: true });
      house.add('aaaaa');
      house.add('bbbbb');
      const [problem, ...others] = files.reflect([edit('aaaaa', ''), edit('bbbbb', '')], house.view);
      assert.match(problem as string, /aaaaa\.txt is not an ordinary file/);
      assert.deepEqual(others, []);
      assert.ok(fs.existsSync(path('bbbbb')));
    });

    it('says that a folder may not be written', function () {
      if (WINDOWS || process.getuid?.() === 0) this.skip();
      add();
      fs.chmodSync(dirname(path()), 0o500);
      const problems = change(edit('aaaaa', 'Newer'));
      fs.chmodSync(dirname(path()), 0o700);
      assert.equal(problems.length, 1);
      assert.match(problems[0] as string, /The change is stored/);
    });
  });

  describe('deleting', () => {
    it('keeps a file that the store has not taken in', () => {
      add();
      fs.appendFileSync(path(), 'Half a thought');
      const [problem] = change(complete());
      assert.match(problem as string, /was kept as it is/);
      assert.match(text(), /Half a thought/);
      assert.deepEqual(present(), ['aaaaa.txt']);
    });

    it('deletes one that was taken in, also with text above the first heading', () => {
      add('aaaaa');
      add('bbbbb');
      fs.appendFileSync(path('aaaaa'), 'A thought\n');
      fs.writeFileSync(path('bbbbb'), `Remember me\n\n${text('bbbbb')}`);
      const context: DomainEvent = {
        type: 'plan_edited',
        plan: 'bbbbb',
        sections: { context: 'Remember me' },
        source: 'file',
      };
      assert.deepEqual(change(edit('aaaaa', 'A thought', 'file'), complete('aaaaa'), context, complete('bbbbb')), []);
      assert.deepEqual(present(), []);
    });

    it('keeps what is no UTF-8, and refuses to read it', () => {
      add();
      fs.writeFileSync(path(), Buffer.from(`${text()}caf\xe9`, 'latin1'));
      assert.throws(() => files.read(SESSION, 'aaaaa'), { category: 'FILE_SYSTEM_ERROR', message: /not UTF-8/ });
      assert.equal(change(complete()).length, 1);
      assert.deepEqual(present(), ['aaaaa.txt']);
    });

    it('puts a text back that was saved between the comparison and the deletion', () => {
      add();
      const problems = beforeRenaming(
        () => fs.appendFileSync(path(), 'Saved at the last moment'),
        () => change(complete()),
      );
      assert.equal(problems.length, 1);
      assert.match(text(), /Saved at the last moment/);
      assert.deepEqual(present(), ['aaaaa.txt']);
    });

    it('gives a file its name back that can’t be looked at by then', () => {
      add();
      const enlarge = () => fs.truncateSync(path(), 33 * 1024 * 1024);
      const [problem] = beforeRenaming(enlarge, () => change(complete()));
      assert.match(problem as string, /too large/);
      assert.deepEqual(present(), ['aaaaa.txt']);
    });

    it('keeps a text that was saved between the comparison and the replacement', () => {
      add();
      const problems = beforeRenaming(
        () => fs.appendFileSync(path(), 'Saved at the last moment'),
        () => change(edit('aaaaa', 'Newer')),
      );
      assert.equal(problems.length, 1);
      assert.match(text(), /Newer/);
      const aside = present().find((name) => name.endsWith('.aside'));
      assert.match(fs.readFileSync(join(dirname(path()), aside as string), 'utf8'), /Saved at the last moment/);
      assert.deepEqual(files.list(SESSION), [aside, 'aaaaa'].sort());
    });

    it('deletes the files of a deleted session, hand edits that the change took in too, and its folder', () => {
      for (const id of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd']) add(id);
      house.commit({ type: 'plan_edited', plan: 'ddddd', sections: { context: 'Old' }, source: 'command' });
      fs.appendFileSync(path('aaaaa'), 'Taken in\n');
      fs.writeFileSync(path('bbbbb'), `Above\n\n${text('bbbbb')}`);
      fs.writeFileSync(path('ccccc'), `Above\n\n${text('ccccc').replace('# Context', '# Context\nBelow')}`);
      fs.writeFileSync(path('ddddd'), `Above\n\n${text('ddddd').replace('# Context\n', '')}`);
      const context = (plan: string, context: string): DomainEvent => ({
        type: 'plan_edited',
        plan,
        sections: { context },
        source: 'file',
        fileVersion: files.read(SESSION, plan)?.version,
      });
      const problems = change(
        edit('aaaaa', 'Taken in', 'file'),
        context('bbbbb', 'Above'),
        context('ccccc', 'Above\n\nBelow'),
        context('ddddd', 'Above\n\nOld'),
        { type: 'session_deleted', session: SESSION },
      );
      assert.deepEqual(problems, []);
      assert.equal(fs.existsSync(join(folder, SESSION)), false);
    });

    it('deletes what a killed process left unfinished, too, with the session', () => {
      add();
      fs.writeFileSync(join(dirname(path()), '.aaaaa.00ff00ff00ff.tmp'), '# Con');
      assert.deepEqual(change({ type: 'session_deleted', session: SESSION }), []);
      assert.ok(!fs.existsSync(join(folder, SESSION)));
    });

    it('keeps an edit that came in after the change which deleted the session took others in', () => {
      add();
      fs.appendFileSync(path(), 'Taken in\n');
      const taken = edit('aaaaa', 'Taken in', 'file');
      fs.appendFileSync(path(), 'and more\n');
      const problems = change(taken, { type: 'session_deleted', session: SESSION });
      assert.equal(problems.length, 1);
      assert.match(text(), /and more/);
    });

    it('keeps what the store does not have of a deleted session', () => {
      add('aaaaa');
      add('bbbbb');
      fs.appendFileSync(path('aaaaa'), 'Unknown\n');
      fs.writeFileSync(join(dirname(path()), 'sketch.md'), 'mine');
      const problems = change({ type: 'session_deleted', session: SESSION });
      assert.equal(problems.length, 1);
      assert.match(problems[0] as string, /aaaaa\.txt, sketch\.md/);
      assert.deepEqual(present(), ['aaaaa.txt', 'sketch.md']);
    });
  });

  describe('links', () => {
    let elsewhere: string;
    beforeEach(function () {
      if (WINDOWS) this.skip();
      elsewhere = fs.mkdtempSync(join(tmpdir(), 'elsewhere-'));
    });
    afterEach(() => {
      if (elsewhere) fs.rmSync(elsewhere, { recursive: true, force: true });
    });

    it('neither reads, writes nor deletes through a linked file', () => {
      add();
      const target = join(elsewhere, 'secret.txt');
      fs.writeFileSync(target, text());
      fs.rmSync(path());
      fs.symlinkSync(target, path());
      const before = fs.readFileSync(target);
      assert.throws(() => files.read(SESSION, 'aaaaa'), { category: 'FILE_SYSTEM_ERROR', message: /symbolic link/ });
      assert.equal(change(edit('aaaaa', 'Newer')).length, 1);
      assert.equal(change(complete()).length, 1);
      assert.deepEqual(fs.readFileSync(target), before);
      assert.ok(fs.lstatSync(path()).isSymbolicLink());
    });

    it('does not go through a linked folder', () => {
      fs.symlinkSync(elsewhere, join(folder, SESSION));
      house.add('aaaaa');
      assert.match(files.reflect([edit('aaaaa', '')], house.view)[0] as string, /symbolic link/);
      assert.throws(() => files.list(SESSION), { category: 'FILE_SYSTEM_ERROR' });
      assert.deepEqual(fs.readdirSync(elsewhere), []);
    });

    it('does not wait for a pipe', () => {
      add();
      fs.rmSync(path());
      execFileSync('mkfifo', [path()]);
      assert.throws(() => files.read(SESSION, 'aaaaa'), { category: 'FILE_SYSTEM_ERROR' });
    });
  });

  describe('after a crash', () => {
    it('writes missing files, deletes those of finished plans, and brings the rest up to date', () => {
      for (const id of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd']) add(id);
      house.commit({ type: 'plan_pulled', plan: 'aaaaa', client: 'tester' });
      fs.rmSync(path('aaaaa'));
      fs.rmSync(path('bbbbb'));
      house.commit(complete('ccccc'), edit('ddddd', 'Not written yet'));
      assert.deepEqual(files.restoreMissing(SESSION, house.view), []);
      assert.deepEqual(present(), ['aaaaa.txt', 'bbbbb.txt', 'ddddd.txt']);
      assert.match(text('ddddd'), /Not written yet/);
    });

    it('does not touch hand edits and strangers', () => {
      add();
      fs.appendFileSync(path(), 'By hand\n');
      fs.writeFileSync(join(dirname(path()), 'sketch.md'), 'mine');
      fs.writeFileSync(path('zzzzz'), 'nobody knows');
      assert.equal(files.restoreMissing(SESSION, house.view).length, 1);
      assert.match(text(), /By hand/);
      assert.deepEqual(files.list(SESSION), ['aaaaa', 'sketch.md', 'zzzzz']);
    });

    it('hides unfinished writes, and removes them when they are old', () => {
      add();
      const left = join(dirname(path()), '.aaaaa.00ff00ff00ff.tmp');
      fs.writeFileSync(left, '# Con');
      assert.deepEqual(files.list(SESSION), ['aaaaa']);
      files.restoreMissing(SESSION, house.view);
      assert.ok(fs.existsSync(left), 'another process may be writing it');
      minutesLater(() => files.restoreMissing(SESSION, house.view));
      assert.ok(!fs.existsSync(left));
    });

    it('finishes interrupted deletions, and puts back what the store does not have', () => {
      add('aaaaa');
      add('bbbbb');
      const aside = (plan: string): string => join(dirname(path()), `${plan}.00ff00ff00ff.aside`);
      house.commit(complete('aaaaa'), complete('bbbbb'));
      fs.renameSync(path('aaaaa'), aside('aaaaa'));
      fs.renameSync(path('bbbbb'), aside('bbbbb'));
      fs.appendFileSync(aside('bbbbb'), 'Unknown');
      const problems = minutesLater(() => files.restoreMissing(SESSION, house.view));
      assert.deepEqual(present(), ['bbbbb.txt']);
      assert.match(text('bbbbb'), /Unknown/);
      assert.ok(problems.every((problem) => /bbbbb\.txt/.test(problem)));
      assert.ok(problems.length > 0);
    });
  });

  it('lists nothing and reads nothing where there is no folder', () => {
    assert.deepEqual(files.list(SESSION), []);
    assert.equal(files.read(SESSION, 'aaaaa'), undefined);
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('reads the text as it stands, BOM and line ends included', () => {
    add();
    const raw = `\uFEFF# Goal\r\nÄ 😀 数\r\n`;
    fs.writeFileSync(path(), raw);
    assert.equal(files.read(SESSION, 'aaaaa')?.text, raw);
  });
});
