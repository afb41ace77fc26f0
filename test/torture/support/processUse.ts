import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What a process holds at a moment; zeros where the system doesn't tell. */
export interface Use {
  /** Megabytes that are still referred to. */
  live: number;
  /** Megabytes that are resident, garbage included. */
  resident: number;
  /** Open files, pipes and sockets. */
  handles: number;
  /** Files and folders that the kernel watches for it. */
  watchers: number;
}

function useOf(pid: number, live: number): Use {
  if (process.platform !== 'linux') return { live, resident: 0, handles: 0, watchers: 0 };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const descriptors = readdirSync(`/proc/${pid}/fd`);
  const watchers = descriptors
    .filter((fd) => leadsTo(`/proc/${pid}/fd/${fd}`) === 'anon_inode:inotify')
    .reduce((sum, fd) => sum + watchesOf(`/proc/${pid}/fdinfo/${fd}`), 0);
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  return { live, resident, handles: descriptors.length, watchers };
}

function leadsTo(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // It was closed while we looked.
    return '';
  }
}

function watchesOf(path: string): number {
  try {
    return readFileSync(path, 'utf8').match(/^inotify wd:/gm)?.length ?? 0;
  } catch {
    return 0;
  }
}

/** What a program says of itself that was started with `liveMemory.cjs`. */
export function liveMemoryIn(file: string): () => number | undefined {
  return () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined);
}

/** Growth that noise doesn't explain: a part of what is there, and an amount, whichever is more. */
const ALLOWED = {
  live: { part: 0.03, amount: 2.5 },
  resident: { part: 0.35, amount: 50 },
  handles: { part: 0, amount: 3 },
  watchers: { part: 0, amount: 1 },
};
const KINDS = ['live', 'resident', 'handles', 'watchers'] as const;

/** Samples of one process under a load that is always the same. */
export class Trend {
  private readonly samples: Use[] = [];

  constructor(
    private readonly name: string,
    private readonly pid: number,
    /** Undefined while it isn't known yet. */
    private readonly live: () => number | undefined,
  ) {}

  sample(): void {
    const live = this.live();
    if (live !== undefined) this.samples.push(useOf(this.pid, live));
  }

  /** What has grown from the second quarter to the last, in sentences. The first quarter is warming up. */
  growth(): string[] {
    return KINDS.flatMap((kind) => {
      const [early, late] = this.ends(kind);
      const { part, amount } = ALLOWED[kind];
      if (late <= early + Math.max(amount, early * part)) return [];
      return [`${this.name}: ${kind} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`];
    });
  }

  get figures(): string {
    const of = (kind: (typeof KINDS)[number]) =>
      this.ends(kind)
        .map((value) => value.toFixed(0))
        .join(' → ');
    return `${this.name}: live memory ${of('live')} MB, resident ${of('resident')} MB, handles ${of('handles')}, watchers ${of('watchers')}`;
  }

  /** The least of a quarter: what comes and goes, as garbage does, is no growth. */
  private ends(kind: (typeof KINDS)[number]): [number, number] {
    const quarter = Math.floor(this.samples.length / 4);
    const least = (from: number, to: number) => Math.min(...this.samples.slice(from, to).map((use) => use[kind]));
    return [least(quarter, 2 * quarter), least(3 * quarter, this.samples.length)];
  }
}
