import { type Disk, realDisk } from '../../src/store/disk';

export type Fault = Partial<Disk>;

/** The real disk, any of whose operations a test may replace for a while. */
export class FaultyDisk {
  private fault: Fault = {};
  readonly disk: Disk;

  constructor(private readonly beneath: Disk = realDisk) {
    this.disk = new Proxy(this.beneath, {
      get: (target, name: keyof Disk) => this.fault[name] ?? target[name],
    });
  }

  /** From now on; `{}` for a healthy disk. */
  breaks(fault: Fault): void {
    this.fault = fault;
  }

  /** A write that takes only so many bytes (negative: counted from the end), once. */
  cutsNextWrite(taken: number): void {
    this.breaks({
      write: (fd, bytes) => {
        this.breaks({});
        return this.beneath.write(fd, bytes.subarray(0, taken < 0 ? bytes.length + taken : taken));
      },
    });
  }
}

/** A system's error as node:fs throws it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: a test's failure`), { code });
}
