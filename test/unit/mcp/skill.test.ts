import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listedTools } from '../../../src/mcp/catalogue';
import { TOOLSETS } from '../../../src/mcp/config';
import { getPrompt, listPrompts } from '../../../src/mcp/prompts';

const root = join(__dirname, '../../..');
const { contributes, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tools = new Map(listedTools().map(({ tool }) => [tool.name, tool]));

/** What looks like the name of a tool. */
const toolNames = (text: string) => text.match(/\b(?:9plan|enter|exit|get|plan|reasoning|task|todo)_[a-z_]+\b/g) ?? [];
/** Fields of the tools' input and output that may stand beside them, and other words with an underscore. */
const fields = new Set([
  ...[...tools.values()].flatMap(({ inputSchema, outputSchema }) => [
    ...Object.keys(inputSchema.properties ?? {}),
    ...Object.keys(outputSchema?.properties ?? {}),
  ]),
]);

function unknownTools(text: string): string[] {
  return toolNames(text).filter((name) => !tools.has(name) && !fields.has(name));
}

describe('the skill', () => {
  const [{ path }] = contributes.chatSkills;
  const text = readFileSync(join(root, path), 'utf8');
  const [, frontmatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(frontmatter)?.[1] ?? '';

  it('is contributed once, and packaged', () => {
    assert.equal(contributes.chatSkills.length, 1);
    assert.ok(files.includes('skill'));
  });

  it('keeps to the format: a name like its folder’s, a description of at most 1,024 characters', () => {
    assert.equal(basename(path), 'SKILL.md');
    assert.equal(field('name'), basename(dirname(join(root, path))));
    assert.match(field('name'), /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.ok(field('description').length > 0 && field('description').length <= 1024);
    // Some readers know no more of YAML than one plain value a line.
    for (const line of frontmatter.split('\n')) assert.match(line, /^[a-z]+: [^'"[{>|&*!%#@`][^\n]*$/);
    assert.doesNotMatch(field('description'), /: | #/);
  });

  it('names only tools that exist, and every tool that a queue and plan mode are worked with', () => {
    assert.deepEqual(unknownTools(body), []);
    const named = new Set(toolNames(body));
    const needed = [...tools.keys()].filter((name) => /_(session|queue|plan_mode|todo)_|^9plan_plan_/.test(`_${name}`));
    assert.deepEqual(
      needed.filter((name) => !named.has(name) && name !== '9plan_queue_move' && name !== '9plan_queue_add'),
      [],
    );
  });

  it('names only fields that a tool has', () => {
    const snake = [...body.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name as string);
    const states = new Set(['changes_requested']);
    assert.deepEqual(
      snake.filter((name) => !tools.has(name) && !fields.has(name) && !states.has(name)),
      [],
    );
  });

  it('is short enough to be read whole', () => {
    assert.ok(text.length < 8_000, `${text.length} characters`);
  });
});

describe('the prompts', () => {
  for (const { name } of listPrompts(TOOLSETS)) {
    it(`${name} names only tools that exist`, () => {
      const [message] = getPrompt({ name }, TOOLSETS, (text) => text).messages;
      assert.equal(message?.content.type, 'text');
      assert.deepEqual(unknownTools(message.content.text), []);
      assert.ok(toolNames(message.content.text).length > 3);
    });
  }
});
