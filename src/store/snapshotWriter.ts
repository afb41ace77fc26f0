import type { Log } from '../planner/ports';
import type { Journal } from './journal';
import type { JournalFolder } from './journalFolder';

/** Milliseconds without a change before a snapshot is written. */
const IDLE = 3000;
/** A snapshot is due when the journal's tail after the last one has grown to this part of the image. */
const DUE_PART = 1 / 20;

/** Keeps `store.db` close behind the journal, so that opening is fast. */
export class SnapshotWriter {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private last = { journal: 0, offset: 0, size: 0 };

  constructor(
    private readonly folder: JournalFolder,
    private readonly current: () => Journal | undefined,
    private readonly log: Log,
  ) {}

  /** To be told of every change. */
  changed(): void {
    if (this.timer) this.timer.refresh();
    else this.timer = setTimeout(() => void this.whenIdle(), IDLE).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    if (this.tail() > 0) await this.write();
  }

  /** Bytes of the journal that the last snapshot doesn't cover. */
  private tail(): number {
    const position = this.current()?.position;
    if (!position) return 0;
    return position.journal === this.last.journal ? position.offset - this.last.offset : position.offset;
  }

  private async whenIdle(): Promise<void> {
    if (this.writing || this.tail() <= this.last.size * DUE_PART) return;
    this.writing = this.write();
    await this.writing;
    this.writing = undefined;
  }

  private async write(): Promise<void> {
    try {
      const journal = this.current();
      if (journal?.status !== 'live' || journal.damage.size > 0 || !journal.file.isInPlace()) return;
      // The image must not be ahead of what a power cut leaves of the journal.
      let synced: number;
      do {
        synced = journal.position.offset;
        await this.folder.makeDurable(journal, synced);
      } while (journal.position.offset > synced);
      if (this.current() !== journal) return;
      const image = journal.projection.export();
      const last = { journal: journal.number, offset: journal.position.offset, size: image.length };
      if (await this.folder.saveSnapshot(image)) this.last = last;
    } catch (error) {
      this.log.warn({ error }, 'store.db could not be written; the journal holds everything.');
    }
  }
}
