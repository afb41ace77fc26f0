import type { ServerResponse } from 'node:http';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';

/** What the protocol's own transports use where JSON-RPC has no code. */
const NOT_ACCEPTED = -32_000;
const SESSION_NOT_FOUND = -32_001;

/** A request that is not served: an HTTP status with a JSON-RPC error as its body, so that a client can show why. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: number = NOT_ACCEPTED,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }

  send(response: ServerResponse): void {
    const error = { code: this.code, message: this.message };
    const body = JSON.stringify({ jsonrpc: '2.0', error, id: null });
    response.writeHead(this.status, { 'content-type': 'application/json', ...this.headers }).end(body);
  }
}

/** Asks the client to begin anew, as the protocol has it. */
export function sessionNotFound(): Refusal {
  return new Refusal(404, 'Session not found: it has ended. Send a new initialize request.', SESSION_NOT_FOUND);
}

export function methodNotAllowed(): Refusal {
  return new Refusal(405, 'Method not allowed', undefined, { allow: 'GET, POST, DELETE' });
}

export function malformed(message: string): Refusal {
  return new Refusal(400, `Parse error: ${message}`, ErrorCode.ParseError);
}
