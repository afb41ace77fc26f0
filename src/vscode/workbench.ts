import type * as vscode from 'vscode';
import type { CommittedChange } from '../planner/events';
import type { Log } from '../planner/ports';
import type { MoveTarget } from '../planner/queue';
import { type CommandParts, changes, registerCommands, runCommand } from './commands/command';
import { connectCommands } from './commands/connect';
import { diagnosisCommands } from './commands/diagnosis';
import { exchangeCommands } from './commands/exchange';
import { finishingCommands } from './commands/finishing';
import { historyCommands } from './commands/history';
import { lifecycleCommands } from './commands/lifecycle';
import { planCommands } from './commands/plan';
import { previewCommands } from './commands/preview';
import { queueCommands, reorder } from './commands/queue';
import { repairCommands } from './commands/repair';
import { reviewCommands } from './commands/review';
import { sessionCommands } from './commands/session';
import { skillCommands } from './commands/skill';
import { storeCommands } from './commands/store';
import type { Launcher } from './connect/launcher';
import { PlannerConnection, type PlannerDoor } from './connection';
import { contextSetter, type SetContext } from './contextKeys';
import { DeepLinks } from './deepLinks';
import { DependencyDocuments } from './dependencies/dependencyDocuments';
import { WindowDialogs } from './dialogs';
import { Disposable } from './disposable';
import { Drafts } from './drafts';
import { LastChange } from './lastChange';
import { McpProvider } from './mcpProvider';
import { NextPlanOffer } from './nextPlanOffer';
import { PlanDecorations } from './planDecorations';
import { PlanDocuments } from './planDocuments';
import { PlanEditorDoor } from './planEditor/planEditorDoor';
import { PlanEditors } from './planEditors';
import { PlanningState } from './planningState';
import { PreviewQuestion } from './previewQuestion';
import { ReviewDesk } from './review/reviewDesk';
import { ReviewStatus } from './review/reviewStatus';
import { Settings } from './settings';
import { StatusItem } from './statusItem';
import { HistoryView } from './views/historyView';
import { QueueDragAndDrop } from './views/queueDragAndDrop';
import { QueueView } from './views/queueView';
import { SessionsView } from './views/sessionsView';

export interface WorkbenchOptions {
  door: PlannerDoor;
  memory: vscode.Memento;
  /** Of the person, in any workspace. */
  globalMemory: vscode.Memento;
  /** May not exist yet. */
  globalStorage: vscode.Uri;
  log: Log;
  showLog(): void;
  /** The extension's folder. */
  extension: vscode.Uri;
  /** Absolute path of the MCP server's script. */
  serverScript: string;
  version: string;
}

/** Puts the parts of the editor's face together; each one knows only what it is given here. */
export class Workbench extends Disposable {
  readonly parts: CommandParts;
  readonly mcp: McpProvider;
  readonly links: DeepLinks;
  readonly reviewDesk: ReviewDesk;

  constructor(options: WorkbenchOptions) {
    super();
    const { memory, extension } = options;
    const settings = new Settings();
    const setContext = contextSetter();
    const connection = this.own(new PlannerConnection(options.door, settings, memory, options.log));
    const state = this.own(new PlanningState(connection));
    this.own(state.onDidChange(() => describe(state, setContext)));
    this.own(connection.onDidCommit((change) => logChange(change, options.log)));

    const editors = new PlanEditors(connection);
    const dragAndDrop = new QueueDragAndDrop({
      reorder: (planIds, to) => this.drop(planIds, to),
      files: (planIds) => editors.files(planIds),
    });

    const question = this.own(new PreviewQuestion(setContext));
    this.parts = {
      connection,
      state,
      dialogs: new WindowDialogs(question),
      lastChange: new LastChange(setContext),
      drafts: new Drafts(),
      editors,
      views: {
        queue: this.own(new QueueView(state, connection, dragAndDrop)),
        history: this.own(new HistoryView(state, connection, setContext)),
        sessions: this.own(new SessionsView(state)),
      },
      log: options.log,
      showLog: options.showLog,
    };
    // Plans of the former store can't be put back in this one.
    this.own(connection.onDidMove(() => this.parts.lastChange.forget()));
    this.own(new PlanDocuments(connection));
    this.own(new DependencyDocuments(connection));
    this.own(new NextPlanOffer(this.parts, settings, memory));
    this.own(new PlanEditorDoor({ parts: this.parts, extension, memory }));
    this.own(new PlanDecorations(state));
    this.own(new StatusItem(state));
    this.own(new ReviewStatus(state));
    this.reviewDesk = this.own(new ReviewDesk({ parts: this.parts, settings, memory, extension }));
    this.links = this.own(new DeepLinks(this.parts));
    this.mcp = this.own(new McpProvider(connection, settings, options));
    for (const family of [
      sessionCommands,
      queueCommands,
      planCommands,
      lifecycleCommands,
      finishingCommands,
      historyCommands,
      exchangeCommands,
      storeCommands,
      repairCommands,
    ]) {
      this.own(registerCommands(family(this.parts), this.parts));
    }
    this.own(registerCommands(reviewCommands(this.parts, this.reviewDesk), this.parts));
    this.own(registerCommands(diagnosisCommands(this.parts, this.mcp), this.parts));
    this.own(registerCommands(previewCommands(question), this.parts));
    this.own(registerCommands(skillCommands(this.parts, extension), this.parts));
    const launcher = () => launcherOf(options);
    this.own(registerCommands(connectCommands(this.parts, launcher, options), this.parts));
    this.own(later(() => void state.ready()));
    this.own(later(() => void renewLauncher(launcher, options.log)));
  }

  /** Plans dropped on a row: a command without an id of its own. */
  private drop(planIds: string[], to: MoveTarget): Promise<void> {
    const command = changes(() => reorder(this.parts, planIds, to));
    return runCommand('drop', command, [], this.parts);
  }
}

/** Events of one change; a batch may have very many. */
const MOST_LOGGED = 20;

/** Milliseconds after the start, when the window is drawn and nobody waits for anything. */
const LATER = 1000;

/** Status bar and palette show what there is to do before any view was opened. */
function later(task: () => void): vscode.Disposable {
  const timer = setTimeout(task, LATER);
  return { dispose: () => clearTimeout(timer) };
}

async function launcherOf({ globalStorage, globalMemory, serverScript }: WorkbenchOptions): Promise<Launcher> {
  const { Launcher } = await import('./connect/launcher');
  const target = { runtime: process.execPath, serverScript, platform: process.platform };
  return new Launcher(globalStorage.fsPath, target, globalMemory);
}

async function renewLauncher(launcher: () => Promise<Launcher>, log: Log): Promise<void> {
  try {
    await (await launcher()).renew();
  } catch (error) {
    log.warn({ error }, 'the launcher for other agents could not be renewed');
  }
}

/** Keeps a trace of what was changed from this window, and of every proposal: never the texts, as a proposal's plan is. */
function logChange({ seq, by, own, events }: CommittedChange, log: Log): void {
  for (const event of events.slice(0, MOST_LOGGED)) {
    if (!own && !event.type.startsWith('proposal_')) continue;
    const subject = [
      'session',
      ...(event.type === 'proposal_submitted' ? [] : ['plan']),
      'proposal',
      'decision',
    ].flatMap((key) => {
      const value = (event as Record<string, unknown>)[key];
      return typeof value === 'string' ? [[key, value]] : [];
    });
    log.info({ seq, by, ...Object.fromEntries(subject) }, event.type);
  }
}

function describe(state: PlanningState, setContext: SetContext): void {
  const { planning } = state;
  setContext('nineplan.state', state.current.kind);
  setContext('nineplan.storeLost', planning?.condition === 'deleted' || planning?.condition === 'moved');
  setContext('nineplan.hasSession', planning?.session !== undefined);
  setContext('nineplan.hasSessions', planning?.sessions.some(({ archivedAt }) => !archivedAt) ?? false);
  setContext('nineplan.hasActivePlan', planning?.active !== undefined);
  setContext('nineplan.hasReviews', (planning?.reviews.length ?? 0) > 0);
  setContext('nineplan.hasQueuedPlans', (planning?.session?.queueLength ?? 0) > 0);
}
