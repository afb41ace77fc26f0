// Mocha's spec reporter, which also writes what it counted to the file in TEST_RESULTS: the whole run adds it up.

const { writeFileSync } = require('node:fs');
const { format } = require('node:util');
const { reporters } = require('mocha');

// The log of a VS Code window shows formats as they are, so they are filled in here. In front of each line goes what
// TEST_LINE_MARK says, by which the launcher tells the tests' lines from the window's own.
const mark = process.env.TEST_LINE_MARK;
if (mark !== undefined) {
  reporters.Base.useColors = false;
  reporters.Base.consoleLog = (...parts) => {
    for (const line of format(...parts).split('\n')) console.log(mark + line);
  };
}

/**
 * @typedef {object} Results
 * @property {number} passed
 * @property {number} failed counts a failed hook as one
 * @property {number} skipped
 */

module.exports = class CountingReporter extends reporters.Spec {
  /** @param {import('mocha').Runner} runner @param {import('mocha').MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TEST_RESULTS;
    if (!file) return;
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
