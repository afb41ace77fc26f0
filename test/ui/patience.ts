// Waiting for what a window will come to: what is read from it once may be what it showed a moment ago.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** Milliseconds; generous, since the machine may be busy with other things. */
const LIMIT = 20_000;

/** Waits for a condition that something else will bring about; `what` is said if it doesn't. */
export async function until(what: string, holds: () => Promise<boolean>, limit = LIMIT): Promise<void> {
  for (const end = Date.now() + limit; !(await holds()); await pause(50)) {
    assert.ok(Date.now() < end, `not within ${limit} ms: ${what}`);
  }
}

/** Waits until what `read` gives equals `expected`, and shows the difference if it doesn't come to that. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  let last = await read();
  for (const end = Date.now() + LIMIT; !isDeepStrictEqual(last, expected) && Date.now() < end; last = await read()) {
    await pause(50);
  }
  assert.deepEqual(last, expected);
}
