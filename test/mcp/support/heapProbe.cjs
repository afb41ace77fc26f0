// Loaded into a server with NODE_OPTIONS. On SIGUSR2 it collects garbage and writes to stderr what memory is left, in bytes.

const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
let asked = 0;

process.on('SIGUSR2', () => {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.stderr.write(`${JSON.stringify({ probe: asked++, heapUsed, arrayBuffers })}\n`);
});
