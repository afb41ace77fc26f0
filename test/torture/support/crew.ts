import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { SERVER } from '../../mcp/support/build';
import { seededRandom } from '../../support/crashDisk';
import { LineClient } from '../../support/lineClient';
import { agentHands } from './hands';
import type { Member } from './member';
import { type Change, MixedWork } from './mixedWork';
import { WindowMember } from './windowMember';
import type { Orders } from './worker';

/** Processes on one store, of both kinds, and what they say they did. */
export class Crew {
  readonly folder: string;
  readonly changes = new Map<string, Change>();
  readonly failures: string[] = [];
  readonly parent = mkdtempSync(join(tmpdir(), '9plan-crew-'));
  acknowledged = 0;
  private readonly program: string;
  private readonly members = new Set<Member>();
  private count = 0;
  private isStopped: () => void = () => undefined;

  constructor(private readonly seed: number) {
    this.folder = join(this.parent, '.9plan');
    this.program = this.build('worker');
    copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), join(this.parent, 'sql-wasm.wasm'));
  }

  /** Makes a program of a file beside this one; its path. */
  build(name: string): string {
    const outfile = join(this.parent, `${name}.js`);
    const entryPoints = [join(__dirname, `${name}.ts`)];
    buildSync({ entryPoints, bundle: true, platform: 'node', outfile, logLevel: 'error' });
    return outfile;
  }

  /** What an editor window does to a store. */
  startEditor(orders: Pick<Orders, 'sessions' | 'rolloverSize'> & Partial<Orders>): Member {
    const number = this.count++;
    const whole: Orders = { folder: this.folder, prefix: `w${number}`, seed: this.seed + number, ...orders };
    const child = spawn(process.execPath, [this.program, JSON.stringify(whole)], { stdio: ['pipe', 'pipe', 'pipe'] });
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.take(JSON.parse(line));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.failures.push(text));
    const signal = (name: NodeJS.Signals) => child.kill(name);
    return this.enlist({ signal, gone: once(child, 'close'), finish: () => child.stdin.end() });
  }

  /** An agent with a server of its own. */
  async startServer(sessions: readonly string[]): Promise<Member> {
    const number = this.count++;
    const env = { NINEPLAN_SESSIONS_PATH: this.folder, NINEPLAN_LOG_LEVEL: 'error' };
    const client = new LineClient(process.execPath, [SERVER], env);
    client.child.stdin?.on('error', () => undefined);
    let isFinishing = false;
    const left = once(client.child, 'close').then(() => {
      throw new Error('the server is gone');
    });
    const diary = { begin: (change: Change) => this.take(change), acknowledge: (change: Change) => this.take(change) };
    const random = seededRandom(this.seed + number);
    const work = new MixedWork(agentHands(client), sessions, `w${number}`, diary, random);
    const all = async () => {
      await client.initialize();
      while (!isFinishing) await work.step();
      await client.close();
    };
    const gone = Promise.race([all(), left]).catch((error: Error) => {
      if (error.message !== 'the server is gone') this.failures.push(String(error.stack));
      if (client.child.exitCode === null) client.child.kill('SIGKILL');
    });
    return this.enlist({
      signal: (name) => client.child.kill(name),
      gone,
      finish: () => {
        isFinishing = true;
      },
    });
  }

  /** VS Code itself with our extension; it works in the first of the sessions. */
  startWindow(sessions: readonly string[]): WindowMember {
    const number = this.count++;
    const member = new WindowMember(
      { folder: this.folder, sessions: [...sessions], prefix: `w${number}`, seed: this.seed + number },
      join(this.parent, `window-${number}`),
      (change) => this.take(change),
      (failure) => this.failures.push(failure),
    );
    this.enlist(member);
    return member;
  }

  /** Resolves when the next process has stopped itself. */
  nextStop(): Promise<void> {
    return new Promise((resolve) => {
      this.isStopped = resolve;
    });
  }

  async end(): Promise<void> {
    for (const member of this.members) if (!member.signal('SIGKILL')) member.finish();
    await Promise.all([...this.members].map(({ gone }) => gone));
    await rm(this.parent, { recursive: true, force: true, maxRetries: 10 });
  }

  private enlist(member: Member): Member {
    this.members.add(member);
    void member.gone.then(() => this.members.delete(member));
    return member;
  }

  private take(told: Change | { stopped: true }): void {
    if ('stopped' in told) this.isStopped();
    else {
      if (told.acknowledged) this.acknowledged++;
      this.changes.set(told.key, told);
    }
  }
}
