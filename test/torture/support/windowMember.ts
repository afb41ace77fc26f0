import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostOrders } from './hostOrders';
import type { Member } from './member';
import type { Change } from './mixedWork';

const ROOT = join(__dirname, '../../..');
/** Milliseconds between two looks into its diary. */
const LOOK = 50;

/**
 * VS Code at work on a shared store (test/torture/host/atWork.test.ts). What can be killed is its extension host; the
 * rest of it ends then, too.
 */
export class WindowMember implements Member {
  /** Resolves to false if it was killed. */
  readonly gone: Promise<boolean>;
  readonly acknowledged: Change[] = [];
  private readonly orders: HostOrders;
  private readonly diary: number;
  private pid: number | undefined;
  private isKilled = false;
  private rest = Buffer.alloc(0);

  constructor(
    what: Pick<HostOrders, 'folder' | 'sessions' | 'prefix' | 'seed'>,
    files: string,
    private readonly take: (change: Change) => void,
    private readonly fail: (why: string) => void,
  ) {
    this.orders = { ...what, diary: `${files}.diary`, rest: `${files}.rest`, show: `${files}.show` };
    this.diary = openSync(this.orders.diary, 'a+');
    this.gone = this.work();
  }

  get isAtWork(): boolean {
    return this.acknowledged.length > 0;
  }

  signal(signal: NodeJS.Signals): boolean {
    const { pid } = this;
    if (pid === undefined) return false;
    if (signal === 'SIGKILL') {
      this.isKilled = true;
      this.pid = undefined;
    }
    return process.kill(pid, signal);
  }

  /** It changes no more, and follows the others. */
  pause(): void {
    writeFileSync(this.orders.rest, '');
  }

  finish(): void {
    this.pause();
    writeFileSync(this.orders.show, '');
  }

  private async work(): Promise<boolean> {
    const script = ['scripts/test-host.mjs', '--tests', 'test/torture/host', '--grep', 'An editor host'];
    const env = { ...process.env, HOST_ORDERS: JSON.stringify(this.orders), TEST_MINUTES: '30', TEST_RESULTS: '' };
    const child = spawn(process.execPath, script, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const looking = setInterval(() => this.look(), LOOK);
    const [code] = await once(child, 'close');
    clearInterval(looking);
    this.pid = undefined;
    this.look();
    closeSync(this.diary);
    if (code !== 0 && !this.isKilled) this.fail(output);
    return !this.isKilled;
  }

  private look(): void {
    const chunk = Buffer.alloc(65_536);
    for (let length = readSync(this.diary, chunk); length > 0; length = readSync(this.diary, chunk)) {
      this.rest = Buffer.concat([this.rest, chunk.subarray(0, length)]);
    }
    const end = this.rest.lastIndexOf('\n') + 1;
    const lines = this.rest.toString('utf8', 0, end).split('\n');
    this.rest = this.rest.subarray(end);
    for (const line of lines) if (line) this.read(JSON.parse(line));
  }

  private read(told: Change | { pid: number }): void {
    if ('pid' in told) this.pid = told.pid;
    else {
      if (told.acknowledged) this.acknowledged.push(told);
      this.take(told);
    }
  }
}
