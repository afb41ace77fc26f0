import type { IncomingMessage, ServerResponse } from 'node:http';
import { malformed, Refusal } from './refusal';

/** A client that reads so much slower than it is written to is cut off. Bytes. */
const BACKLOG = 64 * 1024 * 1024;

/** Reads a request's body of at most `limit` bytes as JSON. */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const tooLarge = () => new Refusal(413, `Payload too large: a body may have ${limit} bytes`);
  if (Number(request.headers['content-length']) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not close the connection: the refusal goes over it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw malformed('the body is not JSON');
  }
}

/** The request as the SDK reads it; its body has been read already. */
export function webRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  return new Request('http://localhost/mcp', { method: request.method, headers });
}

/** Sends what the SDK answers; a stream until one of the two sides ends it. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const reader = answer.body?.getReader();
  if (reader) {
    response.flushHeaders();
    const cancel = () => void reader.cancel().catch(() => undefined);
    response.once('close', cancel);
    if (response.destroyed) cancel();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      response.write(part.value);
      if (response.writableLength > BACKLOG) response.destroy();
    }
  }
  response.end();
}
