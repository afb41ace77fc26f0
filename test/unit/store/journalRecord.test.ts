import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BREAK_TORN_LINE, decodeRecord, encodeRecord, type JournalRecord } from '../../../src/store/journalRecord';
import { isRefusal } from '../../support/openStore';

const SAMPLE: Omit<JournalRecord, 'v' | 'sum'> = {
  seq: 7,
  prev: 'f'.repeat(32),
  id: 'a-command',
  at: '2026-01-02T03:04:05.678Z',
  by: 'test',
  events: [{ type: 'session_created', session: 'one-two-three', taskDescription: 'Überholen, 漢字, 🎉, "sum":"x"}' }],
};

function withoutNewline(line: Buffer): Buffer {
  return line.subarray(0, -1);
}

describe('A journal record', () => {
  it('comes back as it was written, on one line', () => {
    const { line, sum } = encodeRecord(SAMPLE);
    assert.equal(line.indexOf('\n'), line.length - 1);
    assert.deepEqual(decodeRecord(withoutNewline(line)), { v: 1, ...SAMPLE, sum });
  });

  it('has its fields in the frozen order, and the sum over all bytes before', () => {
    const { line, sum } = encodeRecord(SAMPLE);
    const text = line.toString();
    assert.match(
      text,
      /^\{"v":1,"seq":7,"prev":"f{32}","id":"a-command","at":"[^"]+","by":"test","events":\[.*\],"sum":"[0-9a-f]{32}"\}\n$/s,
    );
    assert.ok(text.endsWith(`,"sum":"${sum}"}\n`));
  });

  it('carries any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (goal, by) => {
        const record = {
          ...SAMPLE,
          by,
          events: [{ type: 'session_described' as const, session: 'x', taskDescription: goal }],
        };
        assert.deepEqual(decodeRecord(withoutNewline(encodeRecord(record).line))?.events, record.events);
      }),
    );
  });

  it('is not made if nobody could read it again', () => {
    const { line } = encodeRecord(SAMPLE);
    const longest = line.length - 1;
    assert.deepEqual(encodeRecord(SAMPLE, longest).line, line);
    assert.throws(() => encodeRecord(SAMPLE, longest - 1), isRefusal('VALIDATION_ERROR', /too large/));
  });

  it('is refused with any single byte changed, missing or added', () => {
    const line = withoutNewline(encodeRecord(SAMPLE).line);
    for (let at = 0; at < line.length; at++) {
      for (const bit of [0, 3, 7]) {
        const flipped = Buffer.from(line);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        assert.equal(decodeRecord(flipped), undefined, `byte ${at}, bit ${bit}`);
      }
      assert.equal(decodeRecord(Buffer.concat([line.subarray(0, at), line.subarray(at + 1)])), undefined);
      assert.equal(decodeRecord(line.subarray(0, at)), undefined);
    }
    assert.equal(decodeRecord(Buffer.concat([line, Buffer.from(' ')])), undefined);
    assert.equal(decodeRecord(Buffer.concat([Buffer.from(' '), line])), undefined);
  });

  it('of which only the newline was missing can never become whole', () => {
    const torn = withoutNewline(encodeRecord(SAMPLE).line);
    const next = encodeRecord({ ...SAMPLE, seq: 8 }).line;
    const broken = Buffer.concat([torn, BREAK_TORN_LINE, next]).toString('latin1').split('\n');
    assert.equal(decodeRecord(Buffer.from(broken[0] as string, 'latin1')), undefined);
    assert.equal(decodeRecord(Buffer.from(broken[1] as string, 'latin1'))?.seq, 8);
    const merged = withoutNewline(Buffer.concat([torn, next]));
    assert.equal(decodeRecord(merged), undefined);
  });

  it('is never an exception, whatever the line holds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.equal(decodeRecord(Buffer.from(bytes)), undefined);
      }),
    );
    for (const events of ['null', '{}', '[null]', '[{}]', '[{"type":1}]', '"x"']) {
      const record = { ...SAMPLE, events: JSON.parse(events) };
      assert.equal(decodeRecord(withoutNewline(encodeRecord(record).line)), undefined, events);
    }
    for (const seq of [0, -1, 1.5, '7', null]) {
      assert.equal(decodeRecord(withoutNewline(encodeRecord({ ...SAMPLE, seq: seq as number }).line)), undefined);
    }
  });
});
