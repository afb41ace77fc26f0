import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ErrorCode, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Door } from '../connection';
import { HttpAccess } from './httpAccess';
import { readJson, sendWebResponse, webRequest } from './httpMessages';
import { type HttpSession, HttpSessions } from './httpSessions';
import { methodNotAllowed, Refusal } from './refusal';
import type { Service } from './service';

const ENDPOINT = '/mcp';
const METHODS = ['GET', 'POST', 'DELETE'];

export interface HttpLimits {
  bodyBytes: number;
  headersMs: number;
  /** For a whole request, its body included; answers may take as long as they like. */
  requestMs: number;
  connections: number;
  sessions: number;
  /** Generous: an agent may work on a plan for hours without a word to us, and few clients begin anew by themselves. */
  idleMs: number;
}

const LIMITS: HttpLimits = {
  bodyBytes: 8 * 1024 * 1024,
  headersMs: 10_000,
  requestMs: 60_000,
  connections: 4_000,
  sessions: 1_000,
  idleMs: 8 * 60 * 60 * 1000,
};

/**
 * Longer than common clients keep a quiet connection. With Node's 5 s it would end just when some of them send the next
 * request over it, which they then report as lost.
 */
const KEEP_ALIVE_MS = 75_000;

export interface HttpService extends Service {
  readonly url: string;
}

/** Serves MCP over Streamable HTTP at `/mcp` to any number of clients, on one store. */
export async function serveHttp(door: Door, limits: HttpLimits = LIMITS): Promise<HttpService> {
  const { host, port } = door.config.http;
  const endpoint = new Endpoint(door, limits);
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => void endpoint.serve(request, response),
  );
  server.maxConnections = limits.connections;
  await listen(server, port, host);
  server.on('error', (error) => door.log.error({ error }, 'The HTTP server failed'));
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}${ENDPOINT}`;
  door.log.info({ url, token: door.config.http.token !== undefined }, 'Serving MCP over HTTP');
  return {
    url,
    ended: new Promise(() => undefined),
    close: async (ms) => {
      const closed = once(server, 'close');
      server.close();
      await endpoint.close(ms);
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), ms);
      await closed;
      clearTimeout(cut);
    },
  };
}

class Endpoint {
  private readonly access: HttpAccess;
  private readonly sessions: HttpSessions;
  private isClosing = false;

  constructor(
    private readonly door: Door,
    private readonly limits: HttpLimits,
  ) {
    this.access = new HttpAccess(door.config.http);
    this.sessions = new HttpSessions(door, limits.sessions, limits.idleMs);
  }

  /** Never rejects: what goes wrong is an answer. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await sendWebResponse(await this.answer(request, response), response);
    } catch (error) {
      this.refuse(error, request, response);
    }
  }

  async close(ms: number): Promise<void> {
    this.isClosing = true;
    await this.sessions.close(ms);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<Response> {
    this.access.checkNames(request);
    if (request.url?.split('?', 1)[0] !== ENDPOINT) throw new Refusal(404, `Not found: the endpoint is ${ENDPOINT}`);
    this.access.checkToken(request);
    if (!METHODS.includes(request.method ?? '')) throw methodNotAllowed();
    if (this.isClosing) throw new Refusal(503, 'The server is ending', undefined, { connection: 'close' });
    const id = request.headers['mcp-session-id'];
    const known = id === undefined ? undefined : this.sessions.find(String(id));
    known?.serve(response);
    const parsedBody = request.method === 'POST' ? await readJson(request, this.limits.bodyBytes) : undefined;
    const session = known ?? (await this.begin(parsedBody, response));
    response.once('close', () => {
      if (!response.writableFinished) session.abandon(parsedBody);
    });
    return session.transport.handleRequest(webRequest(request), { parsedBody });
  }

  private async begin(body: unknown, response: ServerResponse): Promise<HttpSession> {
    if (!isInitializeRequest(Array.isArray(body) ? body[0] : body)) {
      throw new Refusal(400, 'Bad request: the header Mcp-Session-Id is missing, or begin with initialize');
    }
    const session = await this.sessions.begin();
    session.serve(response);
    return session;
  }

  private refuse(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const { method, url } = request;
    // What is left of the body is not kept, but it must be read for the connection to go on.
    request.resume();
    if (response.destroyed) {
      this.door.log.debug({ method, url, error }, 'A client went away');
      return;
    }
    const known = error instanceof Refusal;
    const refusal = known ? error : new Refusal(500, 'Internal error', ErrorCode.InternalError);
    if (known) this.door.log.debug({ method, url, status: error.status, error: error.message }, 'Request refused');
    else this.door.log.error({ method, url, error }, 'A request failed');
    if (response.headersSent) response.destroy();
    else refusal.send(response);
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw Object.assign(new Error(reason(port, host), { cause: error }), { isConfiguration: true });
  }
}

const noSuchHost = (_port: number, host: string) => `NINEPLAN_HTTP_HOST: ${host} is no address of this machine`;
const REASONS: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port, host) => `NINEPLAN_HTTP_PORT: port ${port} of ${host} is in use, choose another one`,
  EACCES: (port) => `NINEPLAN_HTTP_PORT: this user may not listen on port ${port}, choose one above 1023`,
  EADDRNOTAVAIL: noSuchHost,
  ENOTFOUND: noSuchHost,
};
