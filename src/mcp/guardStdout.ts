import { Console } from 'node:console';

// stdout is the protocol: a stray console.log of any dependency must not end up in it. Imported before everything else.
globalThis.console = new Console(process.stderr, process.stderr);
