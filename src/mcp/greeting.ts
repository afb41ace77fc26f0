import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Config } from './config';
import { instructionText } from './instructions';
import { type ListedTool, toolList } from './toolList';
import { withPrefix } from './toolNames';

export const CAPABILITIES: ServerCapabilities = {
  tools: {},
  prompts: {},
  resources: { subscribe: true, listChanged: true },
  completions: {},
};

/** What the SDK speaks, the newest first; a test compares it, since asking the SDK means loading it. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export function serverInfo(version: string): { name: string; version: string } {
  return { name: '9plan', version };
}

export function instructions(config: Config): string {
  return withPrefix(instructionText(config.toolsets), config.toolPrefix);
}

const request = z.object({ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.number()]) });
const initialize = request.extend({
  method: z.literal('initialize'),
  params: z.object({
    protocolVersion: z.string(),
    capabilities: z.object({}),
    clientInfo: z.object({ name: z.string(), version: z.string() }),
  }),
});
const initialized = z.object({ jsonrpc: z.literal('2.0'), method: z.literal('notifications/initialized') });
const listTools = request.extend({
  method: z.literal('tools/list'),
  params: z.strictObject({ _meta: z.object({}).optional() }).optional(),
});

/** What can be said of a client's first lines without the SDK. */
export type Greeting =
  | { kind: 'initialize'; id: string | number; answer: string }
  | { kind: 'initialized' }
  | { kind: 'tools'; answer: string };

/** The answer to one of a client's first lines, as the SDK would give it; undefined if `line` is none of them. */
export function greeting(
  line: string,
  config: Config,
  version: string,
  tools: () => readonly ListedTool[],
): Greeting | undefined {
  const message = parseJson(line);
  const opening = initialize.safeParse(message);
  if (opening.success) {
    const { id, params } = opening.data;
    return { kind: 'initialize', id, answer: answer(id, welcome(params.protocolVersion, config, version)) };
  }
  if (initialized.safeParse(message).success) return { kind: 'initialized' };
  const listing = listTools.safeParse(message);
  if (!listing.success) return undefined;
  return { kind: 'tools', answer: answer(listing.data.id, { tools: toolList(tools(), config) }) };
}

function welcome(protocolVersion: string, config: Config, version: string): object {
  return {
    protocolVersion: PROTOCOL_VERSIONS.includes(protocolVersion) ? protocolVersion : PROTOCOL_VERSIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(version),
    instructions: instructions(config),
  };
}

function answer(id: string | number, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
