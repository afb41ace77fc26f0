import assert from 'node:assert/strict';
import { listedTools } from '../../../src/mcp/catalogue';

describe('the catalogue of tools', () => {
  it('is computed once: clients ask for it with each conversation', () => {
    assert.equal(listedTools(), listedTools());
  });
});
