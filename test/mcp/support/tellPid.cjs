// Loaded into a server before its own code: says which process it is.
require('node:fs').writeFileSync(process.env.PID_FILE, String(process.pid));
