import { join } from 'node:path';

/** How a server is started, as every configuration says it in its own way. */
export interface ServerLaunch {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Where configurations are found. All paths are absolute. */
export interface Places {
  home: string;
  /** The workspace folder; undefined if none is open. */
  project: string | undefined;
  platform: NodeJS.Platform;
  environment: Record<string, string | undefined>;
}

/** One key below another, down to the server's own entry. */
export type EntryPath = readonly string[];

export interface Agent {
  readonly id: string;
  /** A product's name, which is not translated. */
  readonly name: string;
  readonly format: 'json' | 'toml';
  /** A project's configuration is for its store alone; a person's serves all folders in which the agent is started. */
  readonly scope: 'project' | 'person';
  /** True if the agent starts servers in the folder it works on, so that they find the store by themselves. */
  readonly startsInProject: boolean;
  /** Absolute path of the configuration; undefined if it belongs to a project and none is open. */
  file(places: Places): string | undefined;
  /** Where the entry belongs in `config`, what the file holds now. */
  entryPath(config: unknown): EntryPath;
  entry(launch: ServerLaunch): Record<string, unknown>;
}

export const SERVER_NAME = '9plan';

const standardPath = () => ['mcpServers', SERVER_NAME];
const standardEntry = ({ command, args, env }: ServerLaunch) => ({
  command,
  args,
  ...(Object.keys(env).length > 0 ? { env } : {}),
});

function projectAgent(id: string, name: string, ...path: string[]): Agent {
  return {
    id,
    name,
    format: 'json',
    scope: 'project',
    startsInProject: false,
    file: ({ project }) => project && join(project, ...path),
    entryPath: standardPath,
    entry: standardEntry,
  };
}

function personAgent(id: string, name: string, file: (places: Places) => string): Agent {
  return { ...projectAgent(id, name), scope: 'person', file };
}

/** The agents whose configuration can be written, in the order of the list. */
export const AGENTS: readonly Agent[] = [
  projectAgent('claude-code', 'Claude Code', '.mcp.json'),
  {
    ...personAgent('codex', 'Codex', ({ home, environment }) =>
      join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml'),
    ),
    format: 'toml',
    startsInProject: true,
    entryPath: () => ['mcp_servers', SERVER_NAME],
  },
  projectAgent('cursor', 'Cursor', '.cursor', 'mcp.json'),
  projectAgent('gemini', 'Gemini CLI', '.gemini', 'settings.json'),
  {
    ...projectAgent('opencode', 'opencode', 'opencode.json'),
    // Version 2 has a level more, but reads what version 1 did unless a file mixes the two.
    entryPath: (config) => (hasOwn(config, 'mcp', 'servers') ? ['mcp', 'servers', SERVER_NAME] : ['mcp', SERVER_NAME]),
    entry: ({ command, args, env }) => ({ type: 'local', command: [command, ...args], environment: env }),
  },
  {
    ...personAgent('copilot-cli', 'Copilot CLI', ({ home }) => join(home, '.copilot', 'mcp-config.json')),
    startsInProject: true,
    entry: (launch) => ({ type: 'local', ...standardEntry(launch), tools: ['*'] }),
  },
  personAgent('windsurf', 'Windsurf', ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json')),
  personAgent('claude-desktop', 'Claude Desktop', (places) =>
    join(claudeDesktop(places), 'claude_desktop_config.json'),
  ),
];

function claudeDesktop({ home, platform, environment }: Places): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Claude');
  if (platform === 'win32') return join(environment.APPDATA || join(home, 'AppData', 'Roaming'), 'Claude');
  return join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'Claude');
}

function hasOwn(config: unknown, ...path: string[]): boolean {
  let at = config;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}
