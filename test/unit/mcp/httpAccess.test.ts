import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpAccess } from '../../../src/mcp/transports/httpAccess';

describe('the token of the HTTP server', () => {
  const compare = crypto.timingSafeEqual;
  afterEach(() => {
    crypto.timingSafeEqual = compare;
  });

  it('is compared in constant time, whatever the length of the wrong one', () => {
    const access = new HttpAccess({ host: '127.0.0.1', port: 0, token: 'the-right-one', allowedHosts: [] });
    const lengths: number[][] = [];
    crypto.timingSafeEqual = (one, other) => {
      lengths.push([one.byteLength, other.byteLength]);
      return compare(one, other);
    };
    const check = (token: string) =>
      access.checkToken({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);
    const wrong = ['t', 'the-right-on', 'the-right-onE', 'the-right-one-', 'x'.repeat(5000)];
    for (const token of wrong) assert.throws(() => check(token), /Unauthorized/);
    check('the-right-one');
    assert.deepEqual(
      lengths,
      [...wrong, 'the-right-one'].map(() => [32, 32]),
    );
  });
});
