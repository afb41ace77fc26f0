import assert from 'node:assert/strict';
import { readmes } from '../../bench/knownItems';
import { ProjectionHouse } from './projectionHouse';

describe('the relevance of history search', () => {
  it('finds the README that a description is about, nearly always first', async () => {
    const items = readmes();
    assert.ok(items.length > 60, `only ${items.length} packages to search in`);
    const house = await ProjectionHouse.furnished();
    for (const [i, { text }] of items.entries()) house.finish(`p${1000 + i}`, { goal: 'Document it' }, text);
    let reciprocalRanks = 0;
    for (const [i, { query }] of items.entries()) {
      const ids = house.view.searchHistory(query, { limit: 10 }).map(({ id }) => id);
      const rank = ids.indexOf(`p${1000 + i}`) + 1;
      if (rank > 0) reciprocalRanks += 1 / rank;
    }
    house.close();
    const mean = reciprocalRanks / items.length;
    assert.ok(mean > 0.9, `mean reciprocal rank ${mean.toFixed(3)} over ${items.length} packages`);
  }).timeout(60_000);
});
