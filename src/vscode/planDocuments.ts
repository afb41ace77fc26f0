import * as vscode from 'vscode';
import type { Plan } from '../planner/model';
import type { PlannerConnection } from './connection';
import { Disposable } from './disposable';
import { plainLine } from './plainText';
import { type PlanWords, planMarkdown } from './planMarkdown';

export const PLAN_SCHEME = 'nineplan';

/** Address of the read-only document; its last part becomes the tab's title. */
export function planDocumentUri(plan: Plan): vscode.Uri {
  const title =
    plainLine(plan.goal, 40)
      .replace(/[\\/:*?"<>|#%]+/g, ' ')
      .trim() || plan.id;
  return vscode.Uri.from({ scheme: PLAN_SCHEME, path: `/${plan.id}/${title}.md` });
}

/** Read-only, rendered plans: finished ones have no file any more. */
export class PlanDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly connection: PlannerConnection) {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(PLAN_SCHEME, this));
    this.own(
      connection.onDidCommit((change) => {
        const touched = new Set(change.events.map((event) => ('plan' in event ? event.plan : undefined)));
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme === PLAN_SCHEME && touched.has(planInDocument(uri))) this.changed.fire(uri);
        }
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const id = planInDocument(uri) ?? '';
    const planner = await this.connection.planner();
    const plan = await planner.store.read((view) => view.plan(id));
    return plan ? planMarkdown(plan, planWords()) : vscode.l10n.t('This plan is no longer there.');
  }
}

/** The id of the plan that a read-only document shows; undefined for other documents. */
export function planInDocument(uri: vscode.Uri): string | undefined {
  return uri.scheme === PLAN_SCHEME ? uri.path.split('/')[1] : undefined;
}

export function planWords(): PlanWords {
  return {
    heading: {
      outcome: vscode.l10n.t('Outcome'),
      discardReason: vscode.l10n.t('Why it was discarded'),
      context: vscode.l10n.t('Context'),
      goal: vscode.l10n.t('Goal'),
      inputs: vscode.l10n.t('Inputs'),
      outputs: vscode.l10n.t('Outputs'),
      approach: vscode.l10n.t('Approach'),
      successCriteria: vscode.l10n.t('Success criteria'),
      notes: vscode.l10n.t('Notes'),
    },
    status: {
      queued: vscode.l10n.t('queued'),
      active: vscode.l10n.t('active'),
      completed: vscode.l10n.t('completed'),
      discarded: vscode.l10n.t('discarded'),
    },
  };
}
