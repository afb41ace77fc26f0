import { strict as assert } from 'node:assert';
import { released } from '../../../scripts/lib/changelog.mjs';

const before =
  '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A thing.\n\n## [0.1.0] - 2026-01-02\n\n### Added\n\n- All.\n';

describe('a release in the changelog', () => {
  it('moves what is unreleased below the version', () => {
    assert.equal(
      released(before, '0.2.0', '2026-02-03'),
      before.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n'),
    );
  });

  it('is refused if there is nothing to release, or the version is there', () => {
    const after = released(before, '0.2.0', '2026-02-03');
    assert.throws(() => released(after, '0.3.0', '2026-02-04'), /nothing is listed/);
    assert.throws(() => released(before, '0.1.0', '2026-02-04'), /has a version 0\.1\.0/);
    assert.throws(() => released('# Changelog\n', '0.1.0', '2026-02-04'), /no heading/);
  });
});
