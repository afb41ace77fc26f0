// Loaded before a program: tells every second what it still holds after its garbage is collected, in a file named by
// LIVE_MEMORY. In a program that is there already, `liveMemory` is called.

const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc');

/** Megabytes. */
function liveMemory() {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const file = process.env.LIVE_MEMORY;
if (file) {
  setInterval(() => {
    writeFileSync(`${file}.new`, String(liveMemory()));
    renameSync(`${file}.new`, file);
  }, 1000).unref();
}

module.exports = { liveMemory };
