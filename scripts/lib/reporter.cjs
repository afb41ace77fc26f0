// Mocha's spec reporter, which also writes what it counted to the file in TEST_RESULTS: the whole run adds it up. Tests
// that failed are named, and those that passed only when they were run again, so that a retry hides nothing.

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
 * @property {string[]} failures full name of each test or hook that failed, with its error in one line
 * @property {string[]} retried full names of the tests that failed at first and passed when they were run again
 */

module.exports = class CountingReporter extends reporters.Spec {
  /** @param {import('mocha').Runner} runner @param {import('mocha').MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    /** @type {Set<string>} */
    const retried = new Set();
    runner.on('retry', (test, error) => {
      retried.add(test.fullTitle());
      reporters.Base.consoleLog('%s failed and is run again: %s', test.fullTitle(), error?.stack ?? error);
    });
    /** @type {string[]} */
    const failures = [];
    runner.on('fail', (test, error) => {
      retried.delete(test.fullTitle());
      const message = String(error?.message ?? error).replace(/\s+/g, ' ');
      failures.push(`${test.fullTitle()}: ${message.slice(0, 300)}`);
    });
    const file = process.env.TEST_RESULTS;
    if (!file) return;
    runner.once('end', () => {
      const { passes, failures: failed, pending } = this.stats;
      const counts = { passed: passes, failed, skipped: pending, failures, retried: [...retried] };
      writeFileSync(file, JSON.stringify(counts));
    });
  }
};
