import type { Tool as AdvertisedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Config, Toolset } from './config';
import { withPrefix } from './toolNames';

/** A tool as `tools/list` shows it, and what it belongs to. */
export interface ListedTool {
  readonly toolset: Toolset | 'session';
  readonly tool: AdvertisedTool;
}

/** `session` can't be narrowed away. */
export function isChosen({ toolset }: Pick<ListedTool, 'toolset'>, toolsets: Config['toolsets']): boolean {
  return toolset === 'session' || toolsets.includes(toolset);
}

/** The tools of the chosen toolsets, named as this server advertises them. */
export function toolList(all: readonly ListedTool[], { toolsets, toolPrefix }: Config): AdvertisedTool[] {
  return all
    .filter((listed) => isChosen(listed, toolsets))
    .map(({ tool }) => ({
      ...tool,
      name: withPrefix(tool.name, toolPrefix),
      description: withPrefix(tool.description ?? '', toolPrefix),
    }));
}
