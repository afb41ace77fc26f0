import * as vscode from 'vscode';
import { dependencyGraph } from '../../planner/dependencyGraph';
import type { PlannerConnection } from '../connection';
import { Disposable } from '../disposable';
import { mermaid } from './mermaid';
import { type PictureWords, picture } from './picture';

const SCHEME = 'nineplan-dependencies';

/** Milliseconds that many changes at once have to come together. */
const SETTLE = 200;

/** How the plans of a session depend on each other: documents for VS Code's own Markdown preview, which follow every change. */
export class DependencyDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private settling: NodeJS.Timeout | undefined;

  constructor(private readonly connection: PlannerConnection) {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    for (const event of [
      connection.onDidCommit,
      connection.onDidReplace,
      connection.onDidMove,
    ] as vscode.Event<unknown>[]) {
      this.own(event(() => this.redrawSoon()));
    }
    this.own({ dispose: () => clearTimeout(this.settling) });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const session = uri.path.split('/')[1] ?? '';
    const planner = await this.connection.planner();
    return planner.store.read((view) => {
      if (!view.session(session)) return vscode.l10n.t('This session is no longer there.');
      return picture(dependencyGraph(view, session), words());
    });
  }

  private redrawSoon(): void {
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.changed.fire(uri);
    }, SETTLE);
  }
}

/** Opens the document of a session in the Markdown preview. */
export async function showDependencies(session: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${session}/${vscode.l10n.t('Dependencies')}.md` });
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

/** The picture's source, for documents elsewhere. */
export async function dependencySource(connection: PlannerConnection, session: string): Promise<string> {
  const { store } = await connection.planner();
  return store.read((view) => `${mermaid(dependencyGraph(view, session), words())}\n`);
}

function words(): PictureWords {
  return {
    title: (task) => vscode.l10n.t('Dependencies: {0}', task),
    legend: vscode.l10n.t(
      'An arrow leads from a plan to one that waits for it; it is dotted when there is nothing left to wait for. Round ends: active; rounded corners: ready; hexagon: waits; double sides: completed; slanted: discarded.',
    ),
    list: vscode.l10n.t('The plans'),
    empty: vscode.l10n.t('There is no plan in this session.'),
    waitsFor: (plans) => vscode.l10n.t('waits for {0}', plans),
    leftOut: (plans, edges) => vscode.l10n.t('Not shown: plans of the queue: {0}, arrows: {1}.', plans, edges),
    position: (number) => vscode.l10n.t('no. {0}', number),
    noGoal: vscode.l10n.t('(no goal)'),
    state: {
      active: vscode.l10n.t('active'),
      ready: vscode.l10n.t('ready'),
      waiting: vscode.l10n.t('waits'),
      completed: vscode.l10n.t('completed'),
      discarded: vscode.l10n.t('discarded'),
    },
  };
}
