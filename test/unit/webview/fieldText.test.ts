import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editBetween } from '../../../src/planner/textEdit';
import { FieldText } from '../../../src/vscode/planEditor/fieldText';

/** The webview's half of the protocol: takes a text only if nothing was typed since the host last heard of it. */
class Typist {
  text: string;
  revision = 0;
  number = 0;

  constructor(field: FieldText) {
    this.text = field.shown.text;
  }

  type(text: string) {
    const edit = editBetween(this.text, text) ?? { start: 0, end: 0, insert: '' };
    this.text = text;
    this.number++;
    return { revision: this.revision, number: this.number, edit, length: text.length };
  }

  hear(message: FieldText['shown']): void {
    if (message.seen !== this.number) return;
    this.text = message.text;
    this.revision = message.revision;
  }
}

describe('a field between a webview and a document', () => {
  it('has nothing to write until somebody types, and then just that', () => {
    const field = new FieldText('goal', 'one');
    const typist = new Typist(field);
    assert.equal(field.unwritten, undefined);
    assert.deepEqual(field.receive(typist.type('one two')), { kind: 'none' });
    assert.equal(field.unwritten, 'one two');
    assert.deepEqual(field.documentIs('one two', true), { kind: 'none' });
    assert.equal(field.unwritten, undefined);
  });

  it('keeps the blank line at the end that a person is about to write on', () => {
    const field = new FieldText('goal', 'one');
    field.receive(new Typist(field).type('one\n'));
    assert.equal(field.unwritten, undefined);
    assert.deepEqual(field.documentIs('one', false), { kind: 'none' });
    assert.equal(field.shown.text, 'one\n');
  });

  it('goes on when its own write comes back after more was typed', () => {
    const field = new FieldText('goal', '');
    const typist = new Typist(field);
    field.receive(typist.type('a'));
    field.receive(typist.type('ab'));
    assert.deepEqual(field.documentIs('a', true), { kind: 'none' });
    assert.equal(field.unwritten, 'ab');
  });

  it('shows what changed elsewhere', () => {
    const field = new FieldText('goal', 'one');
    assert.deepEqual(field.documentIs('two', false), { kind: 'tell' });
    assert.deepEqual(field.shown, { text: 'two', revision: 1, seen: 0 });
    assert.equal(field.unwritten, undefined);
  });

  it('merges what changed elsewhere with what is not written yet', () => {
    const field = new FieldText('approach', 'a\nb\nc');
    field.receive(new Typist(field).type('a\nb\nC'));
    assert.deepEqual(field.documentIs('A\nb\nc', false), { kind: 'tell' });
    assert.equal(field.shown.text, 'A\nb\nC');
    assert.equal(field.unwritten, 'A\nb\nC');
  });

  it('keeps mine on a conflict and hands out theirs', () => {
    const field = new FieldText('goal', 'one');
    field.receive(new Typist(field).type('mine'));
    assert.deepEqual(field.documentIs('theirs', false), { kind: 'conflict', mine: 'mine', theirs: 'theirs' });
    assert.equal(field.shown.text, 'mine');
    assert.equal(field.unwritten, 'mine');
  });

  it('merges keys that were on their way when the document changed', () => {
    const field = new FieldText('approach', 'a\nb\nc');
    const typist = new Typist(field);
    const onTheWay = [typist.type('a\nb\nc1'), typist.type('a\nb\nc12')];
    field.documentIs('A\nb\nc', false);
    typist.hear(field.shown);
    assert.equal(typist.text, 'a\nb\nc12');
    for (const edit of onTheWay) assert.equal(field.receive(edit).kind, 'tell');
    typist.hear(field.shown);
    assert.equal(typist.text, 'A\nb\nc12');
    assert.equal(field.unwritten, 'A\nb\nc12');
  });

  it('hands out theirs when keys on their way contradict it', () => {
    const field = new FieldText('goal', 'one');
    const typist = new Typist(field);
    const onTheWay = typist.type('mine');
    field.documentIs('theirs', false);
    assert.deepEqual(field.receive(onTheWay), { kind: 'conflict', mine: 'mine', theirs: 'theirs' });
    typist.hear(field.shown);
    assert.equal(typist.text, 'mine');
    assert.equal(field.unwritten, 'mine');
  });

  it('asks for the whole text when an edit does not fit', () => {
    const field = new FieldText('goal', 'one');
    const lost = { kind: 'lost' };
    const edit = { start: 0, end: 9, insert: 'x' };
    assert.deepEqual(field.receive({ revision: 0, number: 1, edit, length: 1 }), lost);
    assert.deepEqual(field.receive({ revision: 7, number: 1, edit: { ...edit, end: 1 }, length: 3 }), lost);
    assert.deepEqual(field.receive({ revision: 0, number: 1, edit: { ...edit, end: 1 }, length: 4 }), lost);
    assert.equal(field.shown.text, 'one');
    assert.deepEqual(field.receive({ revision: 0, number: 2, text: 'whole' }), { kind: 'none' });
    assert.equal(field.unwritten, 'whole');
  });

  it('takes no edit twice', () => {
    const field = new FieldText('goal', 'one');
    const edit = new Typist(field).type('one!');
    field.receive(edit);
    assert.deepEqual(field.receive(edit), { kind: 'lost' });
    assert.deepEqual(field.receive({ revision: 0, number: 1, text: 'older' }), { kind: 'lost' });
    assert.equal(field.unwritten, 'one!');
  });

  it('keeps what was typed when the webview is loaded anew', () => {
    const field = new FieldText('goal', 'one');
    field.receive(new Typist(field).type('two'));
    const again = field.restarted();
    assert.deepEqual(again.shown, { text: 'two', revision: 0, seen: 0 });
    assert.equal(again.unwritten, 'two');
  });

  /** Messages are delayed and typing goes on: in the end both sides and the document hold the same, with every key in it. */
  it('comes to rest with every key and every change in it, whatever the order', () => {
    const step = fc.constantFrom('type', 'deliver', 'hear', 'elsewhere', 'write');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let document = 'mine\n\n-\n\ntheirs';
        const field = new FieldText('approach', document);
        const typist = new Typist(field);
        const up: ReturnType<Typist['type']>[] = [];
        const down: FieldText['shown'][] = [];
        let typed = 0;
        let changed = 0;
        const take = (change: { kind: string }) => {
          assert.ok(change.kind === 'none' || change.kind === 'tell', change.kind);
          if (change.kind === 'tell') down.push(field.shown);
        };
        const run: Record<(typeof steps)[number], () => void> = {
          type: () => up.push(typist.type(typist.text.replace(/^mine.*/, `mine ${++typed}`))),
          deliver: () => {
            const message = up.shift();
            if (message) take(field.receive(message));
          },
          hear: () => {
            const message = down.shift();
            if (message) typist.hear(message);
          },
          elsewhere: () => {
            document = document.replace(/theirs.*$/, `theirs ${++changed}`);
            take(field.documentIs(document, false));
          },
          write: () => {
            const text = field.unwritten;
            if (text === undefined) return;
            document = text;
            take(field.documentIs(document, true));
          },
        };
        for (const name of steps) run[name]();
        while (up.length > 0 || down.length > 0) {
          run.deliver();
          run.hear();
        }
        run.write();
        assert.equal(typist.text, document);
        assert.ok(document.startsWith(typed ? `mine ${typed}\n` : 'mine\n'));
        assert.ok(document.endsWith(changed ? `\ntheirs ${changed}` : '\ntheirs'));
      }),
      { numRuns: 3000 },
    );
  });
});
