/**
 * @typedef {object} Entry what was tried, and what it cost
 * @property {string} part
 * @property {string} fault
 * @property {number} cases
 * @property {number} losses acknowledged work that was gone, doubled, halved or hidden
 * @property {string} [figures] what was measured beside
 * @property {number} [seconds] what it took, from the entry before on
 */

/** As Markdown. @param {readonly Entry[]} rows */
export function tableOf(rows) {
  const sum = (/** @type {'cases' | 'losses' | 'seconds'} */ of) =>
    thousands(rows.reduce((total, row) => total + (row[of] ?? 0), 0));
  const lines = [
    ['part', 'fault', 'cases', 'losses', 'seconds', 'measured'],
    ['---', '---', '---:', '---:', '---:', '---'],
    ...rows.map(({ part, fault, cases, losses, seconds = 0, figures = '' }) => [
      ...[part, fault, thousands(cases), thousands(losses), thousands(seconds), figures],
    ]),
    ['**all**', '', sum('cases'), sum('losses'), sum('seconds'), ''],
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @param {number} count */
function thousands(count) {
  return Math.round(count).toLocaleString('en-US');
}
