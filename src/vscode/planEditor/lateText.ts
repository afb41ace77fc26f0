import * as vscode from 'vscode';
import type { CommandParts } from '../commands/command';
import type { PlanEditorCommands } from './planEditorActions';
import { isRecorded, type PlanOfFile } from './planOfFile';

/**
 * A text was saved to the file of a plan that has ended or is gone. To whoever saved it that looks like any other save, so
 * they are told that no plan has it, and what can become of it.
 */
export async function offerWaysOut(
  document: vscode.TextDocument,
  found: PlanOfFile | 'missing',
  actions: PlanEditorCommands,
  { dialogs }: CommandParts,
): Promise<void> {
  const text = document.getText();
  if (found !== 'missing' && isRecorded(text, found.plan)) return;
  const copy = vscode.l10n.t('Copy Text');
  const again = vscode.l10n.t('Queue Plan Again');
  const asNew = vscode.l10n.t('Add as New Plan');
  const offered = found === 'missing' ? [copy, asNew] : [copy, again, asNew];
  const answer = await dialogs.tell('warning', whatHappened(found), ...offered);
  if (answer === copy) await vscode.env.clipboard.writeText(text);
  if (answer === asNew) await actions.addAsNew(document.uri, text);
  // The planner takes the saved text in with that.
  if (answer === again && found !== 'missing') {
    await vscode.commands.executeCommand('nineplan.plan.reopen', found.plan.id);
  }
}

function whatHappened(found: PlanOfFile | 'missing'): string {
  if (found === 'missing') return vscode.l10n.t('The text is saved in its file, but its plan was deleted.');
  return found.plan.status === 'completed'
    ? vscode.l10n.t('The text is saved in its file, but the plan was completed before and doesn’t have it.')
    : vscode.l10n.t('The text is saved in its file, but the plan was discarded before and doesn’t have it.');
}
