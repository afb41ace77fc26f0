/** One process at work, until it is killed or told to stop. */
export interface Member {
  /** False if the process is not there yet or no more. */
  signal(signal: NodeJS.Signals): boolean;
  /** Resolves when the process is gone and all it wrote is read. */
  gone: Promise<unknown>;
  /** Lets it end by itself. */
  finish(): void;
}
