import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { newCaller } from '../../../src/planner/caller';
import { Planner } from '../../../src/planner/planner';
import { realDisk } from '../../../src/store/disk';
import { encodeRecord, type GenesisEvent } from '../../../src/store/journalRecord';
import type { WorkspaceStore } from '../../../src/store/workspaceStore';
import { FaultyDisk, systemError } from '../../support/faultyDisk';
import { addSession, isRefusal, newSessionName, StoreBench, sessionsOf } from '../../support/openStore';

/** What a write leaves that takes only so many bytes (negative: counted from the end). */
function cut(line: Buffer, taken: number): Buffer {
  return line.subarray(0, taken < 0 ? line.length + taken : taken);
}

/** A line with other content and the sum that goes with it. */
function rewritten(line: Buffer, from: string, to: string): string {
  const text = line.toString().replace(from, to);
  const body = text.slice(0, text.lastIndexOf(',"sum"'));
  const sum = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return `${body},"sum":"${sum}"}\n`;
}

describe('The journal on a failing disk', () => {
  let bench: StoreBench;
  let faulty: FaultyDisk;
  let store: WorkspaceStore;
  let other: WorkspaceStore;
  let names: string[];

  beforeEach(async () => {
    bench = new StoreBench();
    faulty = new FaultyDisk();
    store = bench.open({ disk: faulty.disk });
    other = bench.open();
    names = [await addSession(store), await addSession(other)];
  });
  afterEach(() => bench.end());

  const journal = () => bench.path('journal-1.ndjson');

  /** Everybody, and whoever opens it now, sees exactly these. */
  async function assertSessions(expected: string[]): Promise<void> {
    faulty.breaks({});
    for (const seen of [store, other, bench.open()]) assert.deepEqual(await sessionsOf(seen), [...expected].sort());
  }

  for (const [how, taken] of [
    ['by half', 60],
    ['by one byte, its newline', -1],
    ['by two bytes', -2],
    ['of all but one byte', 1],
    ['of everything', 0],
  ] as const) {
    it(`writes a change again, once, after a write that came short ${how}`, async () => {
      faulty.cutsNextWrite(taken);
      names.push(await addSession(store));
      names.push(await addSession(other));
      await assertSessions(names);
    });

    it(`counts nothing of what a killed process wrote short ${how}`, async () => {
      appendFileSync(journal(), cut(foreignLine(), taken));
      await assertSessions(names);
      names.push(await addSession(other));
      names.push(await addSession(store));
      await assertSessions(names);
    });
  }

  /** A record of another process that fits after the last one. */
  function foreignLine(session = newSessionName(), number?: number): Buffer {
    const { seq, sum } = JSON.parse(readFileSync(journal(), 'utf8').trimEnd().split('\n').at(-1) ?? '');
    return encodeRecord({
      seq: number ?? seq + 1,
      prev: sum,
      id: session,
      at: new Date().toISOString(),
      by: 'foreign',
      events: [{ type: 'session_created', session, taskDescription: null }],
    }).line;
  }

  it('survives that another process writes right behind a torn line, not having seen it', async () => {
    const torn = foreignLine();
    const next = foreignLine();
    appendFileSync(journal(), Buffer.concat([torn.subarray(0, -1), next]));
    names.push(await addSession(store));
    await assertSessions(names);
  });

  it('takes a foreign record that fits, and lets one that lost its race pass', async () => {
    const [won, lost] = [newSessionName(), newSessionName()];
    const [first, second] = [foreignLine(won), foreignLine(lost)];
    appendFileSync(journal(), Buffer.concat([first, second]));
    await assertSessions([...names, won]);
    names.push(won, await addSession(store));
    await assertSessions(names);
  });

  it('goes on after a change that no record can be made of, and shows nothing of it', async () => {
    const before = readFileSync(journal());
    const session = newSessionName();
    const change = store.transact('test', (tx) => {
      const unwritable = { size: 1n };
      tx.emit({ type: 'session_created', session, taskDescription: null, ...unwritable });
    });
    await assert.rejects(change, /BigInt/);
    assert.deepEqual(readFileSync(journal()), before);
    await assertSessions(names);
    names.push(await addSession(store));
    await assertSessions(names);
  });

  it('refuses a change on a full disk, changes nothing, and goes on when there is room', async () => {
    const before = readFileSync(journal());
    faulty.breaks({
      write: () => {
        throw systemError('ENOSPC');
      },
    });
    await assert.rejects(addSession(store), isRefusal('FILE_SYSTEM_ERROR', /ENOSPC.*Nothing was changed/));
    assert.deepEqual(readFileSync(journal()), before);
    assert.deepEqual(await sessionsOf(store), [...names].sort());
    await assertSessions(names);
    faulty.breaks({});
    names.push(await addSession(store));
    await assertSessions(names);
  });

  it('refuses a change when the disk becomes full in the midst of it', async () => {
    let writes = 0;
    faulty.breaks({
      write: (fd, bytes) => {
        if (writes++ > 0) throw systemError('ENOSPC');
        return realDisk.write(fd, bytes.subarray(0, bytes.length - 1));
      },
    });
    await assert.rejects(addSession(store), isRefusal('FILE_SYSTEM_ERROR', /ENOSPC/));
    await assertSessions(names);
    names.push(await addSession(other), await addSession(store));
    await assertSessions(names);
  });

  it('acknowledges a change whose write reported a failure but is there', async () => {
    faulty.breaks({
      write: (fd, bytes) => {
        faulty.breaks({});
        realDisk.write(fd, bytes);
        throw systemError('EIO');
      },
    });
    names.push(await addSession(store));
    await assertSessions(names);
  });

  it('goes to a new journal when a sync fails, and acknowledges only what is safe there', async () => {
    let failures = 0;
    faulty.breaks({
      syncData: (fd) => (failures++ === 0 ? Promise.reject(systemError('EIO')) : realDisk.syncData(fd)),
    });
    names.push(await addSession(store));
    assert.deepEqual(bench.files(/^journal/), ['journal-1.ndjson', 'journal-2.ndjson']);
    await assertSessions(names);
    names.push(await addSession(other));
    await assertSessions(names);
  });

  it('writes nothing more when no sync succeeds, and says that the outcome is unknown', async () => {
    faulty.breaks({ syncData: () => Promise.reject(systemError('EIO')) });
    const doubtful = newSessionName();
    await assert.rejects(addSession(store, doubtful), isRefusal('FILE_SYSTEM_ERROR', /outcome.*unknown/));
    faulty.breaks({});
    await assert.rejects(addSession(store), isRefusal('FILE_SYSTEM_ERROR', /outcome.*unknown/));
    assert.ok((await sessionsOf(store)).includes(doubtful));
    const found = await sessionsOf(bench.open());
    for (const name of names) assert.ok(found.includes(name));
    await addSession(bench.open());
  });

  it('keeps the change and reports it when only the plan file cannot be written', async () => {
    const session = names[0] as string;
    writeFileSync(bench.path(session), 'in the way');
    const sections = { context: '', goal: 'g', inputs: '', outputs: '', approach: '', successCriteria: '', notes: '' };
    await store.transact('test', (tx) => {
      tx.emit({ type: 'plan_added', plan: 'abc12', session, position: 1, sections, parent: null });
    });
    assert.equal((await bench.open().read((view) => view.plan('abc12')))?.goal, 'g');
    const { issues } = await new Planner(store).integrity.validate(newCaller('test'), { sessionName: session });
    assert.match(issues.join('\n'), /abc12|not a folder/);
  });

  it('refuses to change what a newer version has written, and still reads what came before', async () => {
    appendFileSync(journal(), rewritten(foreignLine(), '{"v":1,', '{"v":2,'));
    const before = readFileSync(journal());
    for (const seen of [store, other, bench.open()]) {
      assert.deepEqual(await sessionsOf(seen), [...names].sort());
      await assert.rejects(addSession(seen), isRefusal('DATABASE_ERROR', /newer version/));
    }
    assert.deepEqual(readFileSync(journal()), before);
    assert.deepEqual(bench.files(/^journal/), ['journal-1.ndjson']);
  });

  for (const [what, seq] of [
    ['after the last number that a record can have', Number.MAX_SAFE_INTEGER],
    ['after the one before', Number.MAX_SAFE_INTEGER - 1],
  ] as const) {
    it(`refuses to write for ever ${what}, and still reads`, async () => {
      const session = newSessionName();
      appendFileSync(journal(), foreignLine(session, seq));
      const { size } = statSync(journal());
      for (const seen of [store, bench.open()]) {
        await assert.rejects(addSession(seen), isRefusal('DATABASE_ERROR', /no change can follow/));
        assert.deepEqual(await sessionsOf(seen), [...names, session].sort());
      }
      assert.ok(statSync(journal()).size < size + 1000);
    });
  }

  it('refuses a beginning that it does not understand, and says so', async () => {
    rmSync(bench.folder, { recursive: true });
    mkdirSync(bench.folder);
    const genesis = { type: 'genesis', batch: 'b', part: 0, parts: 1, rows: null } as unknown as GenesisEvent;
    const { line } = encodeRecord({ seq: 1, prev: '', id: 'b', at: '', by: 'foreign', events: [genesis] });
    writeFileSync(journal(), line);
    await assert.rejects(addSession(bench.open()), isRefusal('DATABASE_ERROR', /newer version/));
  });

  it('refuses to change anything when it meets an event that it does not know', async () => {
    appendFileSync(journal(), rewritten(foreignLine(), 'session_created', 'session_teleported'));
    for (const seen of [store, bench.open()]) {
      assert.deepEqual(await sessionsOf(seen), [...names].sort());
      await assert.rejects(addSession(seen), isRefusal('DATABASE_ERROR', /newer version/));
    }
  });

  it('refuses what it has no right to, and says so', async () => {
    faulty.breaks({
      openAppend: () => {
        throw systemError('EACCES');
      },
    });
    const locked = bench.open({ disk: faulty.disk });
    await assert.rejects(sessionsOf(locked), isRefusal('FILE_SYSTEM_ERROR', /EACCES/));
    faulty.breaks({});
    assert.deepEqual(await sessionsOf(locked), [...names].sort());
  });
});
