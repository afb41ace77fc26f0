// CHANGELOG.md, in the form of Keep a Changelog.

/**
 * What was unreleased goes below a heading of its own.
 *
 * @param {string} text
 * @param {string} version
 * @param {string} date YYYY-MM-DD
 */
export function released(text, version, date) {
  const unreleased = '## [Unreleased]\n';
  const start = text.indexOf(unreleased);
  if (start < 0) throw new Error('the changelog has no heading "Unreleased"');
  if (text.includes(`## [${version}]`)) throw new Error(`the changelog has a version ${version} already`);
  const after = start + unreleased.length;
  const next = text.indexOf('\n## ', after);
  const changes = text.slice(after, next < 0 ? undefined : next + 1);
  if (!/^- /m.test(changes)) throw new Error('nothing is listed as unreleased');
  return `${text.slice(0, after)}\n## [${version}] - ${date}\n${text.slice(after)}`;
}
