import * as vscode from 'vscode';
import { describeError } from '../errorText';
import type { McpProvider } from '../mcpProvider';
import { probeServer } from '../serverProbe';
import { type CommandParts, type CommandTable, shows } from './command';

interface Finding {
  fine: boolean;
  label: string;
  detail?: string;
  /** Command that helps. */
  remedy?: { command: string; arguments?: unknown[] };
}

/** "Why doesn't my agent see the tools?": every link of the chain from this window to the agent, in order. */
export function diagnosisCommands(parts: CommandParts, mcp: McpProvider): CommandTable {
  return {
    'nineplan.tools.diagnose': shows(async () => {
      const findings = await vscode.window.withProgress(
        { location: { viewId: 'nineplan.queue' }, title: vscode.l10n.t('Checking the MCP server') },
        () => examine(parts, mcp),
      );
      for (const { fine, label, detail } of findings) parts.log.info({ fine, detail }, label);
      const chosen = await parts.dialogs.pick(
        vscode.l10n.t('Why Does My Agent Not See the Tools?'),
        findings.map((finding) => ({
          label: `$(${finding.fine ? 'pass' : 'error'}) ${finding.label}`,
          detail: finding.detail,
          value: finding,
        })),
        findings.every((finding) => finding.fine)
          ? vscode.l10n.t('All is well here. In the chat, switch to agent mode and look into its list of tools.')
          : vscode.l10n.t('Choose a finding to mend it.'),
      );
      const { command, arguments: args = [] } = chosen?.remedy ?? { command: 'nineplan.log.show' };
      if (chosen) await vscode.commands.executeCommand(command, ...args);
    }),
  };
}

async function examine(parts: CommandParts, mcp: McpProvider): Promise<Finding[]> {
  const findings = [trust(), await store(parts), access(), artificialIntelligence()];
  const [server] = await mcp.provideMcpServerDefinitions();
  findings.push(await serverStarts(server), tools());
  return findings;
}

function trust(): Finding {
  return vscode.workspace.isTrusted
    ? { fine: true, label: vscode.l10n.t('This folder is trusted') }
    : {
        fine: false,
        label: vscode.l10n.t('This folder is not trusted, so no server is started'),
        remedy: { command: 'workbench.trust.manage' },
      };
}

async function store(parts: CommandParts): Promise<Finding> {
  try {
    const { store } = await parts.connection.planner();
    await store.read((view) => view.sessions().length);
    return { fine: true, label: vscode.l10n.t('The plan store can be read'), detail: store.folder };
  } catch (error) {
    const { message, suggestion } = describeError(error);
    const detail = [message, suggestion].filter(Boolean).join(' ');
    const remedy = { command: 'nineplan.store.chooseFolder' };
    return { fine: false, label: vscode.l10n.t('The plan store cannot be read'), detail, remedy };
  }
}

function access(): Finding {
  const setting = 'chat.mcp.access';
  return vscode.workspace.getConfiguration().get(setting) === 'none'
    ? {
        fine: false,
        label: vscode.l10n.t('MCP servers are switched off'),
        detail: setting,
        remedy: { command: 'workbench.action.openSettings', arguments: [setting] },
      }
    : { fine: true, label: vscode.l10n.t('MCP servers are allowed') };
}

function artificialIntelligence(): Finding {
  const setting = ['chat.agent.enabled', 'chat.disableAIFeatures'].find(
    (name) => vscode.workspace.getConfiguration().get(name) === (name === 'chat.disableAIFeatures'),
  );
  return setting
    ? {
        fine: false,
        label: vscode.l10n.t('Agent mode is switched off'),
        detail: setting,
        remedy: { command: 'workbench.action.openSettings', arguments: [setting] },
      }
    : { fine: true, label: vscode.l10n.t('Agent mode is allowed') };
}

async function serverStarts(server: vscode.McpStdioServerDefinition | undefined): Promise<Finding> {
  if (!server) return { fine: false, label: vscode.l10n.t('There is no server for this window') };
  const result = await probeServer(server);
  const command = [server.command, ...server.args].join(' ');
  return result.kind === 'answered'
    ? { fine: true, label: vscode.l10n.t('The server answers in {0} ms', result.milliseconds), detail: command }
    : {
        fine: false,
        label: vscode.l10n.t('The server does not start: {0}', result.reason),
        detail: command,
        remedy: { command: 'workbench.action.openSettings', arguments: ['nineplan.nodePath'] },
      };
}

function listedTools(count: number): string {
  return count === 1
    ? vscode.l10n.t('VS Code lists 1 tool of 9plan')
    : vscode.l10n.t('VS Code lists {0} tools of 9plan', count);
}

function tools(): Finding {
  const count = vscode.lm.tools.filter((tool) => /(9plan|nineplan)_/.test(tool.name)).length;
  return count > 0
    ? { fine: true, label: listedTools(count) }
    : {
        fine: false,
        label: vscode.l10n.t('VS Code lists no tool of 9plan yet'),
        detail: vscode.l10n.t(
          'It starts the server with the first message in agent mode, or from its list of servers.',
        ),
        remedy: { command: 'workbench.mcp.listServer' },
      };
}
