import assert from 'node:assert/strict';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { findStoreFolder } from '../../../src/store/location';

describe('where the store lies', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), '9plan-location-')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const folder = (...parts: string[]) => {
    const path = join(root, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  };

  it('is the folder that is named, relative to the working folder', () => {
    assert.equal(findStoreFolder({ from: root, sessionsPath: 'plans' }), join(root, 'plans'));
    assert.equal(findStoreFolder({ from: root, sessionsPath: resolve(sep, 'plans') }), resolve(sep, 'plans'));
  });

  it('is in the home folder if the name says so, since no shell expands it', () => {
    assert.equal(
      findStoreFolder({ from: root, sessionsPath: '~/plans', home: join(root, 'me') }),
      join(root, 'me', 'plans'),
    );
    assert.equal(findStoreFolder({ from: root, sessionsPath: '~plans', home: join(root, 'me') }), join(root, '~plans'));
  });

  it('is the nearest .9plan upwards, before the git root', () => {
    folder('.9plan');
    folder('repo', '.git');
    assert.equal(findStoreFolder({ from: folder('repo', 'src') }), join(root, '.9plan'));
    folder('repo', '.9plan');
    assert.equal(findStoreFolder({ from: folder('repo', 'src') }), join(root, 'repo', '.9plan'));
  });

  it('is nothing that a stranger put into a folder of others', function () {
    if (process.getuid?.() !== 0) this.skip();
    const [me, stranger, other] = [1001, 1002, 1003];
    const planted = folder('.9plan');
    chownSync(planted, stranger, stranger);
    folder('repo', '.git');
    const repo = folder('repo');
    assert.equal(findStoreFolder({ from: repo, user: me }), join(repo, '.9plan'));
    // In a folder of theirs it is what they work on, as in a container whose user is another one.
    chownSync(root, stranger, stranger);
    assert.equal(findStoreFolder({ from: repo, user: me }), planted);
    chownSync(root, other, other);
    assert.equal(findStoreFolder({ from: repo, user: stranger }), planted);
  });

  it('is no file of that name', () => {
    folder('repo', '.git');
    const src = folder('repo', 'src');
    writeFileSync(join(src, '.9plan'), '');
    assert.equal(findStoreFolder({ from: src }), join(root, 'repo', '.9plan'));
  });

  it('is at the git root, also in a linked work tree', () => {
    folder('repo', '.git');
    assert.equal(findStoreFolder({ from: folder('repo', 'a', 'b') }), join(root, 'repo', '.9plan'));
    const tree = folder('tree', 'deep');
    writeFileSync(join(root, 'tree', '.git'), 'gitdir: elsewhere');
    assert.equal(findStoreFolder({ from: tree }), join(root, 'tree', '.9plan'));
  });

  it('is the same through a link', function () {
    if (process.platform === 'win32') this.skip();
    folder('repo', '.git');
    const target = folder('repo', 'package');
    symlinkSync(target, join(root, 'link'));
    assert.equal(findStoreFolder({ from: join(root, 'link') }), join(root, 'repo', '.9plan'));
  });

  it("is in the person's data folder outside of all that", () => {
    const at = (platform: NodeJS.Platform, environment = {}) =>
      findStoreFolder({ from: folder('loose'), home: '/home/me', platform, environment });
    const under = (...parts: string[]) => join('/home/me', ...parts, 'sessions');
    assert.equal(at('linux'), under('.local', 'share', '9plan'));
    assert.equal(at('linux', { XDG_DATA_HOME: '/data' }), join('/data', '9plan', 'sessions'));
    assert.equal(at('darwin'), under('Library', 'Application Support', '9plan'));
    assert.equal(at('win32', { LOCALAPPDATA: '/local' }), join('/local', '9plan', 'Data', 'sessions'));
  });

  it('is only looked for, never made', () => {
    folder('repo', '.git');
    findStoreFolder({ from: join(root, 'repo', 'not', 'there') });
    assert.deepEqual(readdirSync(join(root, 'repo')), ['.git']);
  });

  it('is found from a folder that does not exist', () => {
    folder('repo', '.git');
    assert.equal(findStoreFolder({ from: join(root, 'repo', 'gone') }), join(root, 'repo', '.9plan'));
  });
});
