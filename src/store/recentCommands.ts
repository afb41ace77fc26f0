/** As many belong to the state. */
const REMEMBERED = 1000;

/** The ids of the last commands, the oldest first. */
export class RecentCommands implements Iterable<string> {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    if (this.ids.size <= REMEMBERED) return;
    for (const oldest of this.ids) {
      this.ids.delete(oldest);
      break;
    }
  }

  [Symbol.iterator](): Iterator<string> {
    return this.ids.values();
  }
}
