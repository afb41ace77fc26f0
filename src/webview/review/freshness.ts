/**
 * Milliseconds. An agent can hand in another plan at any time, and panels look alike: a click meant for the former plan is
 * no decision.
 */
const TOO_SOON = 1000;

/** Whether a plan has only just come into sight. */
export class Freshness {
  isFresh = false;
  private ripening: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ripened: () => void) {}

  begin(): void {
    this.isFresh = true;
    clearTimeout(this.ripening);
    this.ripening = setTimeout(() => {
      this.isFresh = false;
      this.ripened();
    }, TOO_SOON);
  }
}
