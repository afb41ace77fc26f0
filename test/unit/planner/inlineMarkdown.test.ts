import assert from 'node:assert/strict';
import { withoutMarks } from '../../../src/planner/inlineMarkdown';

describe('a line of Markdown in a label', () => {
  const read: [string, string][] = [
    ['Write `Outbox.drain` and *its* test', 'Write Outbox.drain and its test'],
    ['**Move** the ***whole*** ~~old~~ service', 'Move the whole old service'],
    ['**Call `drain()` first**, then *wait*.', 'Call drain() first, then wait.'],
    ['**bold *and* more**', 'bold and more'],
    ['Keep ``a ` tick`` and `a*b*c`', 'Keep a ` tick and a*b*c'],
    ['Read [the *guide*](https://a.b/c_(d)) and ![a picture](x.png)', 'Read the guide and a picture'],
    ['修复**登录**问题', '修复登录问题'],
  ];
  for (const [line, shown] of read) it(`reads ${line}`, () => assert.equal(withoutMarks(line), shown));

  const kept = [
    'Lint src/**/*.ts and test/**/*.ts',
    'Delete *.log and *.tmp, then **/*.bak',
    'Rename __init__ to snake_case_name in _private_',
    '5 * 3 * 2 = 30, 2**3**4, a*b*c',
    'f(*args, **kwargs)',
    'An `open tick, a *lone star, a ~tilde~',
    'Costs $15,000 \\*roughly\\* [ ] (later)',
    '',
  ];
  for (const line of kept) it(`leaves ${line || 'nothing'} alone`, () => assert.equal(withoutMarks(line), line));

  it('takes no time that grows out of hand with the line', () => {
    for (const mark of ['*a ', '`a ', '[a', '**a', '~~']) {
      const start = process.cpuUsage();
      withoutMarks(mark.repeat(400));
      assert.ok(process.cpuUsage(start).user < 200_000, mark);
    }
  });
});
