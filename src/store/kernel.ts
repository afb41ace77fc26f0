import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Which kernel this process runs on: two on one folder (network mounts, containers on a virtual machine) may overwrite each other's appends. */
export const bootId: string =
  firstOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? hostname();

/** Process ids mean the same only within one of these. */
const processSpace: string = firstOf(() => readlinkSync('/proc/self/ns/pid')) ?? '';

export interface ProcessMark {
  pid: number;
  bootId: string;
  processSpace: string;
}

export function markOfThisProcess(): ProcessMark {
  return { pid: process.pid, bootId, processSpace };
}

/** True only if it is certain: of another kernel's or container's processes nothing is known. */
export function isCertainlyDead(mark: ProcessMark): boolean {
  if (mark.bootId !== bootId || mark.processSpace !== processSpace) return false;
  try {
    process.kill(mark.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function firstOf(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
