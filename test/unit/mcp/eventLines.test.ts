import assert from 'node:assert/strict';
import { type EventItem, jsonLine, textLine } from '../../../src/mcp/eventLines';

const STRANGE = '\u001b]0;title\u0007\u009b31m\u202Eyb\nnext';

describe('a line of the event stream', () => {
  const items: EventItem[] = [
    { seq: 1, notice: 'damage', message: STRANGE },
    {
      ...{ seq: 2, at: '2026-01-01T00:00:00.000Z', by: STRANGE },
      events: [{ type: 'session_created', session: STRANGE, taskDescription: STRANGE }],
    },
  ];

  it('is one line and nothing that acts on a terminal, whatever stands in the store', () => {
    for (const item of items)
      for (const line of [textLine(item), jsonLine(item)]) {
        assert.doesNotMatch(line, /[\p{Cc}\u202E]/u);
      }
  });

  it('means the same as JSON', () => {
    for (const item of items) assert.deepEqual(JSON.parse(jsonLine(item)), item);
  });
});
