import * as vscode from 'vscode';
import type { Exported } from '../../planner/exchange/exported';
import type { Outline, PlanOutline, Source } from '../../planner/exchange/outline';
import { firstLine } from '../plainText';
import { remarkText } from './importTexts';

/*
 * Shown as source, never rendered: so the text of plans stands in it as it is.
 */

/** What would be made of a file of another tool, in the order of the queue. */
export function outlinePreview({ source, sessions, remarks }: Outline): string {
  const parts = [`# ${sourceName(source)}`];
  if (remarks.length > 0) parts.push(remarks.map((remark) => `> ${remarkText(remark)}`).join('\n>\n'));
  for (const { title, plans } of sessions) {
    if (title) parts.push(`## ${title}`);
    parts.push(plans.length > 0 ? plans.map((plan) => line(plan, plans)).join('\n') : vscode.l10n.t('No plans.'));
  }
  return `${parts.join('\n\n')}\n`;
}

/** What an export would bring. */
export function exportedPreview({ sessions }: Exported): string {
  const parts = [`# ${vscode.l10n.t('Export of 9plan')}`];
  for (const { name, task_description, plans, proposals } of sessions) {
    const finished = plans.filter(({ finish_rank }) => finish_rank !== null).length;
    const counts = vscode.l10n.t(
      'Open plans: {0}, in the history: {1}, proposals: {2}',
      plans.length - finished,
      finished,
      proposals.length,
    );
    parts.push(`## ${name}`, ...(task_description ? [task_description] : []), counts);
    const open = plans.filter(({ finish_rank }) => finish_rank === null);
    if (open.length > 0) parts.push(open.map(({ goal }, index) => `${index + 1}. ${shown(goal)}`).join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

function line(one: PlanOutline, plans: PlanOutline[]): string {
  const { goal, end, waitsFor } = one;
  const place = end ? '-' : `${plans.filter((plan) => !plan.end).indexOf(one) + 1}.`;
  const blockers = plans.filter((plan) => waitsFor.includes(plan.key) && !plan.end);
  const names = blockers.map((plan) => shown(plan.goal));
  const facts = [
    end?.kind === 'completed' ? vscode.l10n.t('done: goes into the history') : undefined,
    end?.kind === 'discarded' ? vscode.l10n.t('discarded: goes into the history') : undefined,
    names.length > 0 && !end ? vscode.l10n.t('waits for {0}', names.join(', ')) : undefined,
  ].filter((fact) => fact !== undefined);
  return `${place} ${shown(goal)}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}`;
}

function shown(goal: string): string {
  return firstLine(goal, 80);
}

function sourceName(source: Source): string {
  const names: Record<Source, string> = {
    taskMaster: vscode.l10n.t('Tasks of Task Master'),
    beads: vscode.l10n.t('Issues of beads'),
    backlog: vscode.l10n.t('Tasks of Backlog.md'),
    checklist: vscode.l10n.t('A checklist'),
    planDocument: vscode.l10n.t('A plan as a document'),
  };
  return names[source];
}
