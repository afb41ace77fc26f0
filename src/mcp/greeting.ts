import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Config } from './config';
import { instructionText } from './instructions';
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

const initialize = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.literal('initialize'),
  params: z.object({
    protocolVersion: z.string(),
    capabilities: z.object({}),
    clientInfo: z.object({ name: z.string(), version: z.string() }),
  }),
});

/** The answer to an `initialize` request, as the SDK would give it; undefined if `line` is no such request. */
export function greeting(
  line: string,
  config: Config,
  version: string,
): { id: string | number; answer: string } | undefined {
  const request = initialize.safeParse(parseJson(line));
  if (!request.success) return undefined;
  const { id, params } = request.data;
  const result = {
    protocolVersion: PROTOCOL_VERSIONS.includes(params.protocolVersion) ? params.protocolVersion : PROTOCOL_VERSIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(version),
    instructions: instructions(config),
  };
  return { id, answer: JSON.stringify({ jsonrpc: '2.0', id, result }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
