import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { Connection, type Door } from '../connection';
import { Refusal, sessionNotFound } from './refusal';

const RETRY_SECONDS = '60';

/** One client: its connection, and whether it is there. */
export class HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly connection: Connection;
  /** When the last of its requests ended; undefined while one is open, as a stream of notifications is. */
  idleSince: number | undefined = performance.now();
  private open = 0;

  constructor(door: Door, onBegin: (session: HttpSession, id: string) => void) {
    this.connection = new Connection(door);
    this.transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => onBegin(this, id),
    });
  }

  /** Counts a request until its response is over. */
  serve(response: ServerResponse): void {
    this.open += 1;
    this.idleSince = undefined;
    response.once('close', () => {
      this.open -= 1;
      if (this.open === 0) this.idleSince = performance.now();
    });
  }

  /** Ends the requests of a message whose answers reach nobody: no plan is to be pulled for a client that is gone. */
  abandon(message: unknown): void {
    for (const requestId of requestIds(message)) {
      const params = { requestId, reason: 'The connection was lost' };
      this.transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  }
}

function requestIds(message: unknown): (string | number)[] {
  const messages = Array.isArray(message) ? message : [message];
  return messages.flatMap((one) => (isJSONRPCRequest(one) ? [one.id] : []));
}

/** The clients of the server. There may be so many, and one that is idle for long ends. */
export class HttpSessions {
  private readonly sessions = new Map<string, HttpSession>();
  private readonly sweeping: NodeJS.Timeout;

  constructor(
    private readonly door: Door,
    private readonly most: number,
    private readonly idleMs: number,
  ) {
    this.sweeping = setInterval(() => this.endIdle(), Math.min(idleMs / 4, 60_000)).unref();
  }

  get size(): number {
    return this.sessions.size;
  }

  find(id: string): HttpSession {
    const session = this.sessions.get(id);
    if (!session) throw sessionNotFound();
    return session;
  }

  /** A session that counts once its client has sent a valid `initialize`. */
  async begin(): Promise<HttpSession> {
    this.makeRoom();
    const session = new HttpSession(this.door, (begun, id) => {
      this.sessions.set(id, begun);
      void begun.connection.closed.then(() => this.sessions.delete(id));
    });
    await session.connection.server.connect(session.transport);
    return session;
  }

  async close(ms: number): Promise<void> {
    clearInterval(this.sweeping);
    await Promise.all([...this.sessions.values()].map(({ connection }) => connection.close(ms)));
  }

  /** The one that has been idle for longest goes: its client may begin anew. Those with an open stream stay. */
  private makeRoom(): void {
    if (this.sessions.size < this.most) return;
    const [idlest] = this.idle().sort((a, b) => a.since - b.since);
    if (!idlest) {
      throw new Refusal(503, `Too many sessions: ${this.most} are in use`, undefined, { 'retry-after': RETRY_SECONDS });
    }
    this.end(idlest.id, idlest.session);
  }

  private endIdle(): void {
    const now = performance.now();
    for (const { id, session, since } of this.idle()) if (now - since >= this.idleMs) this.end(id, session);
  }

  private idle(): { id: string; session: HttpSession; since: number }[] {
    return [...this.sessions].flatMap(([id, session]) =>
      session.idleSince === undefined ? [] : [{ id, session, since: session.idleSince }],
    );
  }

  private end(id: string, session: HttpSession): void {
    this.sessions.delete(id);
    session.connection.close(0).catch((error) => this.door.log.warn({ error }, 'A session did not end cleanly'));
  }
}
