/** Long work gives the event loop a turn after this many milliseconds, so that an editor stays smooth. */
const SLICE = 8;

/** Cuts long work into slices. */
export class TimeSlice {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began > SLICE;
  }

  /** Lets everything else that waits run first. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.began = performance.now();
  }
}

export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
