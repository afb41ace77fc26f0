import { ErrorCode, type JSONRPCErrorResponse } from '@modelcontextprotocol/sdk/types.js';

const SUGGESTED = 3;
const NAME_SHOWN = 100;

/** A request that is answered with a JSON-RPC error. The SDK's own class puts its code into the text, and clients do so again. */
export class ProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'ProtocolError';
  }
}

export interface CallParams {
  name: string;
  arguments?: Record<string, unknown>;
}

/** What a `tools/call` names and gives. Arguments of a tool itself are not looked at here. */
export function callParams(params: unknown): CallParams {
  if (!isObject(params)) throw invalidParams('params must be an object with a name and arguments');
  const { name, arguments: given } = params;
  if (typeof name !== 'string') throw invalidParams('params.name must be a string: the name of a tool');
  if (given !== undefined && !isObject(given)) {
    throw invalidParams('params.arguments must be an object; leave it out for a tool that is given none');
  }
  return { name, arguments: given };
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function unknownTool(name: string, known: readonly string[]): ProtocolError {
  const near = nearest(name, known);
  const hint = near.length > 0 ? `. Did you mean ${near.join(' or ')}?` : '';
  return invalidParams(`Unknown tool: ${name.slice(0, NAME_SHOWN)}${hint}`);
}

/** What a line that is no message is answered with; undefined for what must not be answered: an answer of the client. */
export function answerToNoMessage(line: string): JSONRPCErrorResponse | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return errorAnswer(ErrorCode.ParseError, 'Parse error: the line is not JSON');
  }
  const id = isObject(value) ? value.id : undefined;
  if (isObject(value) && ('result' in value || 'error' in value)) return undefined;
  if (Array.isArray(value)) return errorAnswer(ErrorCode.InvalidRequest, 'Invalid request: batches are not supported');
  return errorAnswer(
    ErrorCode.InvalidRequest,
    'Invalid request: a message is an object with jsonrpc "2.0", a method and, unless it is a notification, an id',
    typeof id === 'string' || typeof id === 'number' ? id : null,
  );
}

/** The protocol's types leave out that the id is null where it could not be read (JSON-RPC 2.0, section 5). */
function errorAnswer(code: number, message: string, id: string | number | null = null): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message } } as JSONRPCErrorResponse;
}

/** The names that share most of their words with `name`. */
function nearest(name: string, known: readonly string[]): string[] {
  const words = new Set(wordsOf(name));
  return known
    .map((candidate) => ({ candidate, shared: wordsOf(candidate).filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || a.candidate.length - b.candidate.length)
    .slice(0, SUGGESTED)
    .map(({ candidate }) => candidate);
}

/** Without what says nothing: the prefix that most names have. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && word !== 'plan' && word !== 'nineplan');
}
