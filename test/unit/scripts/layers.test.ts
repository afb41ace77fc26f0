import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
const source = join(root, 'src');
/** The files that a door consists of, beside the one that bears its name. */
const DOORS = { extension: /^extension[A-Z]\w*$/, mcpServer: /^(mcp[A-Z]\w*|lazyPlanner)$/ };

describe('the picture of the architecture', () => {
  const picture = arrowsOf(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));

  it('has an arrow for each import between the parts, and no other', () => {
    assert.deepEqual(picture, importsOf(source));
  });

  it('has arrows that run down only', () => {
    const below = (part: string): string[] =>
      picture.filter((arrow) => arrow.startsWith(`${part} `)).map((arrow) => arrow.split(' ')[2] as string);
    const reaches = (part: string, seen: string[] = []): string[] => {
      assert.ok(!seen.includes(part), `${[...seen, part].join(' -> ')}`);
      return below(part).flatMap((next) => reaches(next, [...seen, part]));
    };
    for (const part of ['extension', 'mcpServer']) reaches(part);
    assert.deepEqual(below('planner'), []);
  });
});

/** Of the Mermaid drawing. */
function arrowsOf(text: string): string[] {
  const drawing = /```mermaid\n(.*?)```/s.exec(text)?.[1] ?? '';
  const arrows = [...drawing.matchAll(/^\s*(\w+)(?:\["[^"]*"\])? --> (\w+)/gm)].map(
    ([, from, to]) => `${from} -> ${to}`,
  );
  return arrows.sort();
}

function importsOf(folder: string): string[] {
  const arrows = new Set<string>();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  for (const name of names.map((one) => one.replaceAll('\\', '/'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, path] of text.matchAll(/(?:from |import\(|import )'(\.[^']+)'/g)) {
      const target = join(dirname(name), path as string).replaceAll('\\', '/');
      const [from, to] = [partOf(name), partOf(target)];
      if (from !== to && !target.startsWith('..')) arrows.add(`${from} -> ${to}`);
    }
  }
  return [...arrows].sort();
}

function partOf(path: string): string {
  const [first] = path.split('/') as [string];
  const part = first.replace(/\.tsx?$/, '');
  return Object.entries(DOORS).find(([, files]) => files.test(part))?.[0] ?? part;
}
