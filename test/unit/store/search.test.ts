import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PlanSections } from '../../../src/planner/model';
import { indexText, termsOf } from '../../../src/store/searchText';
import { ProjectionHouse, SESSION } from './projectionHouse';

describe('history search', () => {
  let house: ProjectionHouse;
  let count: number;
  beforeEach(async () => {
    count = 0;
    house = await ProjectionHouse.furnished();
  });
  afterEach(() => house.close());

  /** Ids of the matches, best first. */
  const find = (query: string, limit = 10): string[] => house.view.searchHistory(query, { limit }).map(({ id }) => id);
  /** Completed plans with these goals: p0000, p0001, … */
  const plans = (...goals: (string | (Partial<PlanSections> & { outcome?: string }))[]): void => {
    for (const goal of goals) {
      const { outcome = '', ...sections } = typeof goal === 'string' ? { goal } : goal;
      house.finish(`p${String(count++).padStart(4, '0')}`, sections, outcome);
    }
  };

  describe('what is found', () => {
    it('is completed plans alone, from the moment they are until they are reopened', () => {
      house.add('aaaaa', { goal: 'Migrate the walrus' });
      assert.deepEqual(find('walrus'), []);
      house.commit({ type: 'plan_pulled', plan: 'aaaaa', client: 'tester' });
      assert.deepEqual(find('walrus'), []);
      house.commit({ type: 'plan_completed', plan: 'aaaaa', outcome: 'Herd moved' });
      assert.deepEqual(find('walrus'), ['aaaaa']);
      assert.deepEqual(find('herd'), ['aaaaa']);
      house.commit({
        type: 'plan_edited',
        plan: 'aaaaa',
        sections: { goal: 'Migrate the narwhal' },
        source: 'command',
      });
      assert.deepEqual(find('walrus'), []);
      assert.deepEqual(find('narwhal'), ['aaaaa']);
      house.commit({ type: 'plan_requeued', plan: 'aaaaa', position: 1, cause: 'reopened' });
      assert.deepEqual(find('narwhal'), []);
      house.commit({ type: 'plan_discarded', plan: 'aaaaa', reason: 'narwhal' });
      assert.deepEqual(find('narwhal'), []);
    });

    it('is what a match needs to be shown', () => {
      plans({ goal: 'Migrate the walrus', outcome: 'Moved.' });
      assert.deepEqual(house.view.searchHistory('walrus', { limit: 1 }), [
        { id: 'p0000', goal: 'Migrate the walrus', outcome: 'Moved.', sessionName: SESSION, relevanceRank: 1 },
      ]);
    });

    it('is text of every section, the outcome and the id', () => {
      const fields = ['context', 'goal', 'inputs', 'outputs', 'approach', 'successCriteria', 'notes', 'outcome'];
      plans(...fields.map((field) => ({ goal: 'Plain', [field]: `special${field} word` })));
      for (const [i, field] of fields.entries()) assert.deepEqual(find(`special${field}`), [`p000${i}`], field);
      assert.deepEqual(find('p0003'), ['p0003']);
    });

    it('can be of one session or of all', () => {
      house.commit({ type: 'session_created', session: 'second', taskDescription: null });
      house.finish('aaaaa', { goal: 'One walrus' });
      house.finish('bbbbb', { goal: 'Two walrus' }, 'x', 'second');
      const inSession = house.view.searchHistory('walrus', { session: 'second', limit: 10 });
      assert.deepEqual(
        inSession.map(({ id, relevanceRank }) => [id, relevanceRank]),
        [['bbbbb', 1]],
      );
      assert.deepEqual(find('walrus').sort(), ['aaaaa', 'bbbbb']);
    });

    it('is at most as many as asked for', () => {
      plans(...Array.from({ length: 8 }, (_, i) => `Walrus number ${i}`));
      assert.equal(find('walrus', 3).length, 3);
      assert.equal(find('walrus', 0).length, 0);
    });
  });

  describe('order', () => {
    it('puts the goal before the outcome and outputs, and these before the rest', () => {
      const filler = 'some other words of about the same length';
      plans(
        { goal: filler, context: 'walrus', outcome: filler },
        { goal: filler, context: filler, outcome: 'walrus' },
        { goal: 'walrus', context: filler, outcome: filler },
      );
      assert.deepEqual(find('walrus'), ['p0002', 'p0001', 'p0000']);
    });

    it('puts plans with all words first, then those with any', () => {
      plans('walrus walrus walrus', 'feed the walrus some fish', 'fish fish fish', 'nothing of it');
      const [first, ...others] = find('walrus fish');
      assert.equal(first, 'p0001');
      assert.deepEqual(others.sort(), ['p0000', 'p0002']);
    });

    it('puts rare words before common ones', () => {
      plans(...Array.from({ length: 30 }, (_, i) => `common thing ${i}`), 'rare walrus');
      assert.equal(find('common walrus')[0], 'p0030');
    });

    it('does not let stop words drown what is meant', () => {
      const chatter = 'and then the team did how it was to be done for the users of the product';
      plans(...Array.from({ length: 150 }, () => chatter), 'Rotate signing keys');
      assert.deepEqual(find('how do we rotate the signing keys for the users'), ['p0150']);
      assert.equal(find('the').length, 10);
    });

    it('prefers a short text to a long one', () => {
      plans({ goal: 'x', outcome: `walrus ${'padding words '.repeat(80)}` }, { goal: 'x', outcome: 'walrus at last' });
      assert.deepEqual(find('walrus'), ['p0001', 'p0000']);
    });

    it('prefers the newer of equals', () => {
      plans('walrus', 'walrus', 'walrus');
      assert.deepEqual(find('walrus'), ['p0002', 'p0001', 'p0000']);
    });
  });

  describe('words', () => {
    const cases: [text: string, ...queries: string[]][] = [
      [
        'getUserById',
        'getUserById',
        'getuserbyid',
        'get_user_by_id',
        'get-user-by-id',
        'user',
        'getUser',
        'user by id',
      ],
      ['user_id', 'user_id', 'userId', 'user', 'id', 'USER_ID'],
      ['XMLHttpRequest', 'XMLHttpRequest', 'xml', 'http request', 'HttpRequest'],
      ['see src/planner/model.ts for it', 'src/planner/model.ts', 'planner/model', 'model.ts', 'planner', 'model'],
      ['C:\\Users\\anna\\plan.txt', 'anna', 'C:\\Users', 'plan.txt'],
      ['node.fs.readFile', 'node.fs', 'readFile', 'fs.readFile', 'read'],
      ['std::vector->push_back', 'std::vector', 'push_back', 'vector'],
      ['@scope/package-name', '@scope/package-name', 'package-name', 'scope'],
      ['a well-known problem', 'well-known', 'wellknown', 'well known', 'known'],
      ['version v2.10.3 of utf8', 'v2.10.3', '2.10', 'utf8'],
      ['it doesn’t work', "doesn't", 'doesnt'],
      ['Crème brûlée in Łódź, Straße', 'creme brulee', 'CRÈME', 'Lodz', 'strasse', 'Straße'],
      ['Ёлка и Ὀδυσσεύς', 'елка', 'οδυσσευς', 'ΟΔΥΣΣΕΥΣ'],
      ['データベースの移行計画', 'データベース', '移行', '移行計画', 'ベース', '画', '移'],
      ['用户认证模块重构', '认证', '认证模块', '重构', '构', '用户认证模块重构'],
      ['사용자 인증을 추가', '사용자', '인증', '용자'],
      ['API設計v2', 'api', '設計', 'v2'],
      ['การพัฒนา', 'พัฒ'],
      ['हिन्दी भाषा', 'हिन्दी', 'भाषा'],
      ['ship it 🚀', '🚀', 'ship 🚀'],
      ['ｆｕｌｌｗｉｄｔｈ', 'fullwidth'],
      ['authentication of migrations', 'auth', 'authent', 'migr', 'authentic migrat'],
    ];
    for (const [text, ...queries] of cases) {
      it(`of ${text} are found by ${queries.join(', ')}`, () => {
        plans('entirely unrelated', text, 'another thing');
        for (const query of queries) assert.deepEqual(find(query), ['p0001'], query);
      });
    }

    it('of one script do not match another by accident', () => {
      plans('数据库迁移', '据点');
      assert.deepEqual(find('数据'), ['p0000']);
      assert.deepEqual(find('库迁'), ['p0000']);
      assert.deepEqual(find('移数'), []);
    });

    it('in full come before longer ones that begin with them', () => {
      plans('authentication authentication', 'auth');
      assert.deepEqual(find('auth'), ['p0001', 'p0000']);
    });

    it('become the same terms of a whole text and of its plain lines, which the index takes as they are', () => {
      const piece = fc.oneof(
        fc.constantFrom(..."aZ09_-./:@'>\\ \n"),
        fc.constantFrom(
          '->',
          '::',
          'HTTPServer',
          'getUserById',
          'ABC',
          'x'.repeat(60),
          'Y'.repeat(120),
          '–',
          'é',
          'ß',
          '数据',
        ),
        fc.string({ unit: 'binary', maxLength: 3 }),
      );
      // What the index's own tokenizer does.
      const tokens = (text: string) =>
        [...text.matchAll(/[A-Za-z0-9\u{80}-\u{10ffff}]+/gu)].map(([token]) =>
          token.replace(/[A-Z]+/g, (all) => all.toLowerCase()),
        );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
          const text = pieces.join('');
          assert.deepEqual(tokens(indexText(text)), tokens(termsOf(text)));
        }),
        { numRuns: 2000 },
      );
    });

    it('become terms of letters, digits and pictographs', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
          // The radicals of Han characters count as symbols, but are as good as letters here.
          assert.match(termsOf(text), /^(?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{sc=Han}ー]+(?: |$))*$/u);
        }),
      );
    });
  });

  describe('any string', () => {
    it('is a query', () => {
      plans('needle in a haystack', 'AND OR NOT NEAR');
      const hard = [
        '',
        ' ',
        '"',
        '""',
        "'",
        '*',
        'needle*',
        '-needle',
        'needle -haystack',
        'goal:needle',
        'a AND',
        'AND',
        'OR OR OR',
        'NOT needle',
        'NEAR/2',
        'needle NEAR haystack',
        '(needle',
        'needle)',
        '^needle',
        '{needle}',
        'needle\0haystack',
        '\ud800needle',
        ';DROP TABLE plans;--',
        '%_\\',
        '👩‍👩‍👧‍👦',
        `${'needle '.repeat(1500)}`,
        'x'.repeat(10_000),
        Array.from({ length: 2000 }, (_, i) => `word${i}`).join(' '),
        '数'.repeat(4000),
        'a.b'.repeat(3000),
        'Aa'.repeat(5000),
        '数'.repeat(300_000),
        'aB.'.repeat(300_000),
      ];
      for (const query of hard) {
        const found = find(query);
        if (query.includes('needle')) assert.equal(found[0], 'p0000', query.slice(0, 40));
      }
      assert.deepEqual(find('AND'), ['p0001']);
      assert.deepEqual(find('NEAR'), ['p0001']);
      fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (query) => find(query).length <= 10));
    });

    it('can be the text of a plan, however long its words are', () => {
      for (const part of ['数', 'aB', 'É.']) plans({ goal: 'needle', notes: part.repeat(150_000) });
      assert.equal(find('needle').length, 3);
    });

    it('is found by itself, if it has words at all', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (any) => {
          const text = any.replaceAll('\0', ' ');
          const id = `q${String(count++).padStart(4, '0')}`;
          house.finish(id, { goal: text });
          assert.equal(find(text, 100_000).includes(id), termsOf(text) !== '');
        }),
        { numRuns: 150 },
      );
    });
  });
});
