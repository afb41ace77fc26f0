import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectionHouse } from './projectionHouse';

interface Known {
  description: string;
  readme: string;
}

const MODULES = join(__dirname, '../../../node_modules');

/** The installed packages that have a README and say in a sentence what they are. */
function knownItems(): Known[] {
  const folders = readdirSync(MODULES).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(MODULES, name)).map((inner) => join(MODULES, name, inner))
      : join(MODULES, name),
  );
  return folders.flatMap((folder) => {
    const manifest = join(folder, 'package.json');
    const readme = join(folder, 'README.md');
    if (!existsSync(manifest) || !existsSync(readme)) return [];
    const { description } = JSON.parse(readFileSync(manifest, 'utf8')) as { description?: string };
    const text = readFileSync(readme, 'utf8').slice(0, 20_000);
    return description && description.split(' ').length > 3 && text.length > 300 ? [{ description, readme: text }] : [];
  });
}

describe('the relevance of history search', () => {
  it('finds the README that a description is about, nearly always first', async () => {
    const items = knownItems();
    assert.ok(items.length > 60, `only ${items.length} packages to search in`);
    const house = await ProjectionHouse.furnished();
    for (const [i, { readme }] of items.entries()) house.finish(`p${1000 + i}`, { goal: 'Document it' }, readme);
    let reciprocalRanks = 0;
    for (const [i, { description }] of items.entries()) {
      const ids = house.view.searchHistory(description, { limit: 10 }).map(({ id }) => id);
      const rank = ids.indexOf(`p${1000 + i}`) + 1;
      if (rank > 0) reciprocalRanks += 1 / rank;
    }
    house.close();
    const mean = reciprocalRanks / items.length;
    assert.ok(mean > 0.9, `mean reciprocal rank ${mean.toFixed(3)} over ${items.length} packages`);
  }).timeout(60_000);
});
