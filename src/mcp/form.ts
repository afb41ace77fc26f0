import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type ElicitRequestFormParams,
  type ElicitResult,
  ElicitResultSchema,
  EmptyResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** The longest delay a timer takes. Forms are ended by us, never by the SDK's 60 seconds. */
const NO_TIMEOUT = 2 ** 31 - 1;
const PING_MS = 1_000;

/** A form that the client shows its user. */
export interface Form {
  /** Settles when the client answers, however late: also after `withdraw`, which not every client can follow. */
  readonly answer: Promise<ElicitResult>;
  /** Milliseconds since the form was sent. */
  age(): number;
  withdraw(reason: string): Promise<void>;
}

export function showsForms(server: Server): boolean {
  return server.getClientCapabilities()?.elicitation?.form !== undefined;
}

/** Sends a form that belongs to the running call `callId`. */
export async function sendForm(
  server: Server,
  callId: string | number,
  form: Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>,
): Promise<Form> {
  const related = { relatedRequestId: callId };
  await spendFirstId(server, related);
  const sent = performance.now();
  // Aborting through the SDK would drop a late answer, so the cancellation is sent by hand and needs the request's id.
  const requestId = nextRequestId(server);
  const answer = server.request(
    { method: 'elicitation/create', params: { mode: 'form', ...form } },
    ElicitResultSchema,
    { ...related, timeout: NO_TIMEOUT },
  );
  return {
    answer,
    age: () => performance.now() - sent,
    withdraw: (reason) =>
      server.notification({ method: 'notifications/cancelled', params: { requestId, reason } }, related),
  };
}

/** Clients built on the SDK overlook the cancellation of request 0, so something that needs none takes that id. */
async function spendFirstId(server: Server, related: { relatedRequestId: string | number }): Promise<void> {
  if (nextRequestId(server) > 0) return;
  await server.request({ method: 'ping' }, EmptyResultSchema, { ...related, timeout: PING_MS }).catch(() => undefined);
}

function nextRequestId(server: Server): number {
  // biome-ignore lint/complexity/useLiteralKeys: private in the SDK's types, which have no other way to it.
  return server['_requestMessageId'];
}
