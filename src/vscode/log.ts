import type * as vscode from 'vscode';
import type { Log } from '../planner/ports';

/** The planner's log in the "9plan" output channel: the message for people, then the facts. */
export class OutputLog implements Log {
  constructor(
    private readonly channel: vscode.LogOutputChannel,
    private readonly bound: object = {},
  ) {}

  debug(fields: object, message: string): void {
    this.channel.debug(message, ...this.facts(fields));
  }

  info(fields: object, message: string): void {
    this.channel.info(message, ...this.facts(fields));
  }

  warn(fields: object, message: string): void {
    this.channel.warn(message, ...this.facts(fields));
  }

  error(fields: object, message: string): void {
    this.channel.error(message, ...this.facts(fields));
  }

  child(fields: { session: string }): Log {
    return new OutputLog(this.channel, { ...this.bound, ...fields });
  }

  private facts(fields: object): string[] {
    const all = Object.entries({ ...this.bound, ...fields });
    if (all.length === 0) return [];
    // JSON turns an Error into {}: its stack is the very thing one looks for in a log.
    return [JSON.stringify(Object.fromEntries(all), (_, value) => (value instanceof Error ? value.stack : value))];
  }
}
