import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { readConfig, type WrittenConfig } from './configFile';

const WRITTEN = 'nineplan.connections';

/** The text that a file had after it was connected, as a hash: configurations hold keys. Paths are absolute. */
type Known = Record<string, { sum: string; backup: string | undefined }>;

/** Remembers what configurations were like before an agent was connected in them. */
export class Connections {
  constructor(private readonly memory: vscode.Memento) {}

  async remember({ file, text, backup }: WrittenConfig): Promise<void> {
    const { [file]: _, ...others } = this.known;
    await this.memory.update(
      WRITTEN,
      text === undefined ? others : { ...others, [file]: { sum: sumOf(text), backup } },
    );
  }

  /**
   * What stood in the file before, if it was not written since: then `text` is undefined if there was no file. Undefined if
   * that can't be told (any more).
   */
  async before(file: string, now: string): Promise<{ text: string | undefined } | undefined> {
    const written = this.known[file];
    if (written?.sum !== sumOf(now)) return undefined;
    if (!written.backup) return { text: undefined };
    // A copy that is gone reads as an empty one.
    const text = await readConfig(written.backup).catch(() => '');
    return text === '' ? undefined : { text };
  }

  private get known(): Known {
    return this.memory.get<Known>(WRITTEN, {});
  }
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
