import * as vscode from 'vscode';
import type { Log } from '../planner/ports';
import type { PlannerConnection } from './connection';
import { Disposable } from './disposable';
import { affects, type Settings } from './settings';

export const MCP_PROVIDER_ID = 'nineplan.mcp';
export const MCP_SERVER_LABEL = '9plan';

/**
 * Tells VS Code's agents how to start the MCP server on this window's store. All of it stands in the definition as
 * provided, because some agents never ask to resolve it.
 */
export class McpProvider extends Disposable implements vscode.McpServerDefinitionProvider {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeMcpServerDefinitions = this.changed.event;

  constructor(
    private readonly connection: PlannerConnection,
    private readonly settings: Settings,
    private readonly server: { serverScript: string; version: string; log: Log },
  ) {
    super();
    this.own(connection.onDidMove(() => this.changed.fire()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (affects(event, 'nodePath', 'logLevel', 'toolsets', 'taskBackend', 'approvalTimeout')) this.changed.fire();
      }),
    );
    this.own(vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER_ID, this));
  }

  /** None in Restricted Mode: a folder nobody trusts starts no process. */
  async provideMcpServerDefinitions(): Promise<vscode.McpStdioServerDefinition[]> {
    const storeFolder = vscode.workspace.isTrusted ? await this.connection.storeFolder() : undefined;
    if (storeFolder === undefined) return [];
    const toolsets = this.settings.toolsets().join(',');
    const definition = new vscode.McpStdioServerDefinition(
      MCP_SERVER_LABEL,
      this.settings.nodePath() ?? process.execPath,
      [this.server.serverScript],
      {
        // Makes the editor's own executable a Node; a plain Node ignores it.
        ELECTRON_RUN_AS_NODE: '1',
        NINEPLAN_SESSIONS_PATH: storeFolder,
        NINEPLAN_LOG_LEVEL: this.settings.logLevel(),
        ...present('NINEPLAN_TOOLSETS', toolsets || undefined),
        ...present('NINEPLAN_TASK_BACKEND', this.settings.taskBackend()),
        ...present('PLAN_MODE_ELICIT_TIMEOUT', this.settings.approvalTimeout()?.toString()),
      },
      // VS Code keeps the list of tools as long as this stands, so what changes the list is part of it.
      toolsets ? `${this.server.version}+${toolsets}` : this.server.version,
    );
    // Without it the server would start in the user's home.
    definition.cwd = this.connection.folder?.uri;
    this.server.log.info({ storeFolder, command: definition.command }, 'server definition provided');
    return [definition];
  }
}

function present(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
