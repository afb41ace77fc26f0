import * as vscode from 'vscode';
import { describeError } from '../errorText';
import type { PlanningState } from '../planningState';
import { CommandNode, type TreeNode } from './tree';

/** Why a view shows less than there should be, or something that can't be changed, and the way out. */
export function trouble({ current, planning }: PlanningState): string | undefined {
  if (current.kind === 'failed') {
    const { message, suggestion } = describeError(current.error);
    return [message, suggestion].filter(Boolean).join(' ');
  }
  switch (planning?.condition) {
    case 'deleted':
      return vscode.l10n.t('The store was deleted while it was in use. This is its last state; it can be restored.');
    case 'moved':
      return vscode.l10n.t('The store was moved while it was in use. This is its last state; move it back to go on.');
    case 'newer':
      return vscode.l10n.t(
        'A newer version of 9plan works on this store. What it did is not shown, and nothing can be changed. Update 9plan.',
      );
    default:
      return undefined;
  }
}

/** What can be done about a store that can't be read. As rows: beside a message VS Code shows no buttons. */
export function waysOut({ current }: PlanningState): TreeNode[] {
  if (current.kind !== 'failed') return [];
  return [
    new CommandNode(vscode.l10n.t('Try Again'), 'nineplan.queue.refresh', 'refresh'),
    new CommandNode(vscode.l10n.t('Validate and Repair…'), 'nineplan.store.repair', 'tools'),
    new CommandNode(vscode.l10n.t('Choose Store Folder…'), 'nineplan.store.chooseFolder', 'folder-opened'),
    new CommandNode(vscode.l10n.t('Show Log'), 'nineplan.log.show', 'output'),
  ];
}

/** Where nothing was planned yet, and a message takes the place of the view's own welcome. */
export function waysIn(): TreeNode[] {
  return [
    new CommandNode(vscode.l10n.t('Start a Session'), 'nineplan.session.create', 'add'),
    new CommandNode(vscode.l10n.t('Import Plans'), 'nineplan.plans.import', 'cloud-download'),
    new CommandNode(vscode.l10n.t('Connect Another Agent'), 'nineplan.agent.connect', 'plug'),
    new CommandNode(vscode.l10n.t('Choose Store Folder…'), 'nineplan.store.chooseFolder', 'folder-opened'),
  ];
}

/** A folder that the person named and that isn't there may be a slip, or a drive that isn't connected. */
export function unmade({ planning }: PlanningState, isStoreChosen: boolean): string | undefined {
  if (planning?.condition !== 'absent' || !isStoreChosen) return undefined;
  return vscode.l10n.t('There is no store in {0}. The first session makes one.', planning.storeFolder);
}

export function restriction(): string | undefined {
  if (vscode.workspace.isTrusted) return undefined;
  return vscode.l10n.t('Restricted Mode: plans are shown but not changed, and agents get no tools.');
}
