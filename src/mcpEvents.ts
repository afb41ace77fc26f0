import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { Config } from './mcp/config';
import { jsonLine, textLine } from './mcp/eventLines';
import { ChangeStream } from './store/changeStream';
import { realDisk } from './store/disk';
import { JournalFolder } from './store/journalFolder';
import { findStoreFolder } from './store/location';
import { StoreWatcher } from './store/watcher';

const EXIT_USAGE = 2;
/** The longest delay that a timer takes. */
const LONG_MS = 2 ** 31 - 1;

const USAGE = `Usage: 9plan-mcp events [--follow] [--since SEQ] [--json]

Writes the changes of the store in their order, one a line.
  --follow     goes on with whatever any process changes; without --since it begins now
  --since SEQ  only what comes after that number, which a former line began with; 0 for all that is kept
  --json       {"seq", "at", "by", "events"}, or {"seq", "notice", "message"} for what changes can't tell

The store is the one that NINEPLAN_SESSIONS_PATH names, else it is found from the working folder.
`;

export interface EventsOptions {
  /** What comes after `events` on the command line. */
  args: string[];
  config: Config;
  output: Writable;
  complain(text: string): void;
}

/**
 * The program `9plan-mcp events`. Resolves to its exit code; when it follows, only once nobody reads it any more.
 * Rejects if the store can't be read.
 */
export async function writeEvents({ args, config, output, complain }: EventsOptions): Promise<number> {
  const options = parse(args);
  if (typeof options === 'string') {
    complain(`${options}\n\n${USAGE}`);
    return EXIT_USAGE;
  }
  if (options.help) {
    await write(output, USAGE);
    return 0;
  }
  const folder = findStoreFolder({ from: process.cwd(), sessionsPath: config.sessionsPath });
  const stream = new ChangeStream(new JournalFolder(realDisk, folder), options.since);
  const toLine = options.json ? jsonLine : textLine;
  const look = new Bell();
  const watcher = new StoreWatcher(folder, () => look.ring());
  let isRead = true;
  output.on('error', () => {
    isRead = false;
    look.ring();
  });
  // What else waits here doesn't keep a process alive.
  const alive = setInterval(() => undefined, LONG_MS);
  try {
    if (options.follow) watcher.start();
    do {
      for await (const item of stream.news()) {
        if (isRead) await write(output, `${toLine(item)}\n`);
      }
      if (options.follow && isRead) await look.rung();
    } while (options.follow && isRead);
    return 0;
  } finally {
    clearInterval(alive);
    watcher.stop();
    await stream.close();
  }
}

interface Options {
  follow: boolean;
  json: boolean;
  help: boolean;
  since: number | undefined;
}

/** Or what is wrong with them. */
function parse(args: string[]): Options | string {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      args,
      options: { follow: flag, json: flag, help: { ...flag, short: 'h' }, since: { type: 'string' } },
    });
    const { follow, json, help, since = follow ? undefined : '0' } = values;
    if (since !== undefined && !/^\d{1,15}$/.test(since)) return `--since must be a whole number, not ${since}`;
    return { follow, json, help, since: since === undefined ? undefined : Number(since) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Resolves when it is out, or can't be. */
function write(output: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    output.write(text, () => resolve());
  });
}

/** Rung before somebody waits for it, it is heard all the same. */
class Bell {
  private isRung = false;
  private heard: () => void = () => undefined;

  ring(): void {
    this.isRung = true;
    this.heard();
  }

  async rung(): Promise<void> {
    if (!this.isRung) await new Promise<void>((resolve) => (this.heard = resolve));
    this.isRung = false;
  }
}
