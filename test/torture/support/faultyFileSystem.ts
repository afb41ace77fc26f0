import fs from 'node:fs';
import { sep } from 'node:path';
import { systemError } from '../../support/faultyDisk';

/** What a call does, which says how it can go wrong. */
export type Kind = 'look' | 'read' | 'open' | 'write' | 'sync' | 'change' | 'close';

export interface Step {
  call: string;
  kind: Kind;
  /** File or folder, for people. */
  path: string;
}

/** What happens at one step. From `killed` on, nothing happens any more: the process is dead. */
export type Fault =
  | { what: 'error'; code: string; lasting: boolean }
  /** The call did its work and says that it failed. */
  | { what: 'false alarm'; code: string }
  /** A read or write that takes only a part (negative: but for so many bytes) and says so. */
  | { what: 'short'; part: number }
  /** With `part`, a write has got that far. */
  | { what: 'killed'; part?: number };

type Sync = (...args: unknown[]) => unknown;
type Patched = Record<string, Sync>;

const KINDS: Record<string, Kind> = {
  statSync: 'look',
  lstatSync: 'look',
  fstatSync: 'look',
  readdirSync: 'look',
  readFileSync: 'read',
  readSync: 'read',
  openSync: 'open',
  writeSync: 'write',
  writeFileSync: 'write',
  fdatasync: 'sync',
  fdatasyncSync: 'sync',
  mkdirSync: 'change',
  renameSync: 'change',
  unlinkSync: 'change',
  linkSync: 'change',
  rmSync: 'change',
  rmdirSync: 'change',
  utimesSync: 'change',
  futimesSync: 'change',
  closeSync: 'close',
};
const PROMISED: Record<string, Kind> = { open: 'open', copyFile: 'change', statfs: 'look' };

export class Killed extends Error {
  constructor() {
    super('the process is dead');
  }
}

/**
 * node:fs below one folder, call by call: every call that the store makes is a step, and any of them can be made to
 * fail. What other folders are asked for passes untouched.
 */
export class FaultyFileSystem {
  readonly steps: Step[] = [];
  private readonly opened = new Map<number, string>();
  private readonly before = new Map<string, Sync>();
  private readonly promised = new Map<string, Sync>();
  private isInside = false;
  private fault: { at: number; fault: Fault } | undefined;
  /** Whether the process was killed. */
  isDead = false;
  private broken: { path: string; code: string } | undefined;
  hasStruck = false;

  constructor(private readonly folder: string) {}

  /** Takes node:fs over, with `fault` at the step of that number, counted from 0. */
  begin(fault?: { at: number; fault: Fault }): void {
    this.fault = fault;
    const sync = fs as unknown as Patched;
    for (const [call, kind] of Object.entries(KINDS)) {
      const original = sync[call] as Sync;
      this.before.set(call, original);
      sync[call] = (...args) => this.run(call, kind, original, args);
    }
    const promised = fs.promises as unknown as Patched;
    for (const [call, kind] of Object.entries(PROMISED)) {
      const original = promised[call] as Sync;
      this.promised.set(call, original);
      promised[call] = async (...args) => this.run(call, kind, original, args);
    }
  }

  /** Takes node:fs over: this one file can't be opened or read. */
  breaks(path: string, code: string): void {
    this.broken = { path, code };
    this.begin();
  }

  /** Gives node:fs back; what a dead process still has open is closed, as the system does it. */
  end(): void {
    Object.assign(fs, Object.fromEntries(this.before));
    Object.assign(fs.promises, Object.fromEntries(this.promised));
    if (this.isDead) for (const fd of this.opened.keys()) fs.closeSync(fd);
  }

  private run(call: string, kind: Kind, original: Sync, args: unknown[]): unknown {
    const path = this.concerns(args[0]);
    if (this.isInside || path === undefined) return original(...args);
    const number = this.steps.length;
    this.steps.push({ call, kind, path });
    const work = () => this.inside(call, path, original, args);
    if (this.isDead) return fail(new Killed(), call, args);
    if (this.broken?.path === path && (kind === 'open' || kind === 'read')) throw systemError(this.broken.code);
    const { at = Number.POSITIVE_INFINITY, fault } = this.fault ?? {};
    if (fault === undefined || number < at) return work();
    if (fault.what === 'error' && fault.lasting && kindOfFault(fault.code).includes(kind)) {
      this.hasStruck = true;
      return fail(systemError(fault.code), call, args);
    }
    if (number > at) return work();
    this.hasStruck = true;
    return this.strike(fault, call, args, work);
  }

  private strike(fault: Fault, call: string, args: unknown[], work: () => unknown): unknown {
    if (fault.what === 'error') {
      if (call === 'closeSync') work();
      return fail(systemError(fault.code), call, args);
    }
    if (fault.what === 'false alarm') {
      work();
      return fail(systemError(fault.code), call, args);
    }
    const isPartial = ['readSync', 'writeSync', 'writeFileSync'].includes(call);
    if (fault.what === 'short') return isPartial ? this.shortened(call, args, fault.part) : work();
    if (fault.part !== undefined && isPartial) this.shortened(call, args, fault.part);
    this.isDead = true;
    return fail(new Killed(), call, args);
  }

  /** Of a `writeFileSync`, which makes several calls, only the first arrives before the process dies. */
  private shortened(call: string, args: unknown[], part: number): unknown {
    const [fd, bytes] = args as [number, Uint8Array];
    if (call === 'readSync') {
      const [, target, offset, length, position] = args as [number, Uint8Array, number, number, number];
      return (this.before.get('readSync') as Sync)(fd, target, offset, Math.min(length, part), position);
    }
    const taken = part < 0 ? Math.max(0, bytes.length + part) : Math.min(part, bytes.length);
    return (this.before.get('writeSync') as Sync)(fd, bytes.subarray(0, taken));
  }

  private inside(call: string, path: string, original: Sync, args: unknown[]): unknown {
    this.isInside = true;
    try {
      const result = original(...args);
      if (call === 'openSync') this.opened.set(result as number, path);
      if (call === 'closeSync') this.opened.delete(args[0] as number);
      if (call === 'open')
        return (result as Promise<fs.promises.FileHandle>).then((handle) => this.watch(handle, path));
      return result;
    } finally {
      this.isInside = false;
    }
  }

  /** The handle of a folder, of which all that is wanted is to sync it. */
  private watch(handle: fs.promises.FileHandle, path: string): Pick<fs.promises.FileHandle, 'sync' | 'close'> {
    return {
      sync: async () => this.run('fsync', 'sync', () => handle.sync(), [path]) as Promise<void>,
      // Always, since a handle that is left open is closed by the collector, with a warning.
      close: () => handle.close(),
    };
  }

  private concerns(what: unknown): string | undefined {
    if (typeof what === 'number') return this.opened.get(what);
    if (typeof what !== 'string') return undefined;
    return what === this.folder || what.startsWith(this.folder + sep) ? what : undefined;
  }
}

/** `fdatasync` tells by its callback, the others by throwing. */
function fail(error: Error, call: string, args: unknown[]): undefined {
  if (call !== 'fdatasync') throw error;
  const callback = args.at(-1) as (error: Error) => void;
  setImmediate(() => callback(error));
  return undefined;
}

/** The calls that go on failing while the disk is full, the rights are missing or the medium is broken. */
function kindOfFault(code: string): Kind[] {
  if (code === 'ENOSPC') return ['write', 'change'];
  if (code === 'EACCES') return ['open', 'change'];
  return ['write', 'sync'];
}

/** Every way in which a step of that kind can go wrong. */
export function faultsOf({ kind, call }: Step): Fault[] {
  const once = (...codes: string[]): Fault[] => codes.map((code) => ({ what: 'error', code, lasting: false }));
  const lasting = (...codes: string[]): Fault[] => codes.map((code) => ({ what: 'error', code, lasting: true }));
  const killed: Fault = { what: 'killed' };
  switch (kind) {
    case 'look':
      return [...once('EIO', 'EACCES'), killed];
    case 'read':
      return [...once('EIO'), ...(call === 'readSync' ? [{ what: 'short', part: 1 } as const] : []), killed];
    case 'open':
      return [...once('EACCES', 'EMFILE'), ...lasting('EACCES'), killed];
    case 'sync':
      return [...once('EIO'), ...lasting('EIO'), { what: 'false alarm', code: 'EIO' }, killed];
    case 'close':
      return [...once('EIO'), killed];
    case 'change':
      return [
        ...once('EIO', 'EACCES', 'ENOSPC'),
        ...lasting('ENOSPC', 'EACCES'),
        { what: 'false alarm', code: 'EIO' },
        killed,
      ];
    case 'write': {
      const parts = [0, 1, 60, -2, -1];
      const shorts: Fault[] = call === 'writeSync' ? parts.map((part) => ({ what: 'short', part })) : [];
      const dying: Fault[] = parts.slice(1).map((part) => ({ what: 'killed', part }));
      return [
        ...once('EIO', 'ENOSPC'),
        ...lasting('ENOSPC', 'EIO'),
        { what: 'false alarm', code: 'EIO' },
        ...shorts,
        killed,
        ...dying,
      ];
    }
  }
}

export function nameOf(fault: Fault): string {
  if (fault.what === 'error') return `${fault.code} ${fault.lasting ? 'from then on' : 'once'}`;
  if (fault.what === 'false alarm') return `${fault.code}, though it was done`;
  if (fault.what === 'short') return 'short read or write';
  return fault.part === undefined ? 'killed before' : 'killed in the midst of a write';
}
