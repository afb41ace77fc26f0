import type { Tool as AdvertisedTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Config } from './config';
import type { Tool } from './tool';
import { isChosen, type ListedTool } from './toolList';
import { adminTools } from './tools/admin';
import { historyTools } from './tools/history';
import { planModeTools } from './tools/planMode';
import { queueTools } from './tools/queue';
import { reasoningTools } from './tools/reasoning';
import { sessionTools } from './tools/session';
import { taskTools } from './tools/task';

const FAMILIES: Tool[][] = [
  sessionTools,
  queueTools,
  historyTools,
  adminTools,
  planModeTools,
  reasoningTools,
  taskTools,
];

/** The tools of the chosen toolsets, by their `9plan_` or plain name. */
export function chosenTools(toolsets: Config['toolsets']): Map<string, Tool> {
  const chosen = FAMILIES.flat().filter((tool) => isChosen(tool, toolsets));
  return new Map(chosen.map((tool) => [tool.name, tool]));
}

/** Every tool as data alone. The build writes it to a file, so that a server can show its tools before it has loaded them. */
export function listedTools(): readonly ListedTool[] {
  listed ??= FAMILIES.flat().map((tool) => ({ toolset: tool.toolset, tool: advertise(tool) }));
  return listed;
}

/** Schemas take a while to compute, and clients ask again for each conversation. */
let listed: readonly ListedTool[] | undefined;

function advertise(tool: Tool): AdvertisedTool {
  const { readOnly = false, destructive = false, idempotent = readOnly } = tool.hints;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input),
    ...(tool.output ? { outputSchema: jsonSchema(tool.output) } : {}),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  };
}

function jsonSchema(shape: z.ZodObject): AdvertisedTool['inputSchema'] {
  // Draft 7 is what most clients validate with. As input, an object that isn't strict stays open to new fields.
  const { $schema, ...schema } = z.toJSONSchema(shape, { target: 'draft-7', io: 'input' });
  return schema as AdvertisedTool['inputSchema'];
}
