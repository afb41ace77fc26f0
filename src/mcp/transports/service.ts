/** What a service rejects with if its configuration is what is wrong. A mark, since the bundles share no classes. */
export interface ConfigurationError extends Error {
  isConfiguration: true;
}

/** A transport at work. */
export interface Service {
  /** Resolves when the other side is gone for good; never, where clients come and go. */
  readonly ended: Promise<void>;
  /** Lets running calls end for at most `ms`. */
  close(ms: number): Promise<void>;
}
