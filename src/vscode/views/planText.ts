import * as vscode from 'vscode';
import { EDITOR } from '../../planner/caller';
import type { Plan, PlanHeading } from '../../planner/model';
import { plainLine } from '../plainText';

/** A heading that can stand in one row. */
export function planLabel(goal: string, limit?: number): string {
  return plainLine(goal, limit) || vscode.l10n.t('(no goal)');
}

/** What people know plans by, in a sentence. */
export function goalsInQuotes(plans: readonly PlanHeading[]): string {
  return plans.map(({ goal }) => vscode.l10n.t('“{0}”', planLabel(goal))).join(', ');
}

const LONGEST = 600;

/** Everything in it is shown as text, whatever characters it has. */
export function planTooltip(plan: Plan, lines: string[] = []): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(planLabel(plan.goal)).appendMarkdown('**\n\n');
  for (const line of lines) text.appendText(line).appendMarkdown('\n\n');
  const parts: [string, string][] = [
    [vscode.l10n.t('Outcome'), plan.outcome ?? ''],
    [vscode.l10n.t('Why it was discarded'), plan.discardReason ?? ''],
    [vscode.l10n.t('Context'), plan.context],
    [vscode.l10n.t('Success criteria'), plan.successCriteria],
  ];
  for (const [heading, content] of parts) {
    if (content === '') continue;
    text.appendMarkdown(`*${heading}*\n\n`).appendText(cut(content)).appendMarkdown('\n\n');
  }
  text.appendMarkdown('`').appendText(plan.id).appendMarkdown('`');
  return text;
}

/** Who pulled a plan, for the person in this window; '' if nobody is known. */
export function pullerOf({ pulledBy }: Plan): string {
  return pulledBy === EDITOR ? vscode.l10n.t('you') : (pulledBy ?? '');
}

/** As a person writes it: the time alone for today, else the date too. */
export function when(iso: string | null): string {
  if (!iso) return '';
  const time = new Date(iso);
  const today = new Date().toDateString() === time.toDateString();
  return today
    ? time.toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    : time.toLocaleDateString(vscode.env.language, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** Short enough for a tooltip. */
export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${Array.from(text).slice(0, LONGEST).join('').trimEnd()}…`;
}
