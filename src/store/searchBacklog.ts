/**
 * Rows that the search index has yet to take up: it is brought up to date in larger steps and before each search, since
 * that is much cheaper and nobody who completes a plan need wait for it. Follows the transactions of the database.
 */
export class SearchBacklog {
  private readonly rowids = new Set<number>();
  /** What the open transaction changed here, to be undone if it is rolled back. */
  private changes: { rowid: number; wasThere: boolean }[] = [];

  get size(): number {
    return this.rowids.size;
  }

  add(rowid: number): void {
    if (this.rowids.has(rowid)) return;
    this.changes.push({ rowid, wasThere: false });
    this.rowids.add(rowid);
  }

  /** False if it isn't here. */
  remove(rowid: number): boolean {
    const wasThere = this.rowids.delete(rowid);
    if (wasThere) this.changes.push({ rowid, wasThere });
    return wasThere;
  }

  /** Takes the oldest out; undefined if there is none. */
  take(): number | undefined {
    for (const rowid of this.rowids) {
      this.remove(rowid);
      return rowid;
    }
    return undefined;
  }

  commit(): void {
    this.changes = [];
  }

  rollback(): void {
    for (const { rowid, wasThere } of this.changes.reverse()) {
      if (wasThere) this.rowids.add(rowid);
      else this.rowids.delete(rowid);
    }
    this.changes = [];
  }
}
