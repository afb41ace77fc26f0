import * as vscode from 'vscode';
import { type ErrorCategory, type Matter, PlannerError } from '../planner/errors';
import type { PlanStatus } from '../planner/model';
import { goalsInQuotes, planLabel } from './views/planText';

export interface ErrorText {
  message: string;
  /** The next step, if one is known. */
  suggestion: string | undefined;
}

/** What went wrong, for people. The planner speaks to agents, so what people meet often is said anew here. */
export function describeError(error: unknown): ErrorText {
  if (!(error instanceof PlannerError)) {
    return { message: error instanceof Error ? error.message : String(error), suggestion: undefined };
  }
  const { category, matter, message, suggestion } = error;
  if (matter) return ofMatter(matter);
  return {
    message: category === 'PLAN_ALREADY_ACTIVE' ? vscode.l10n.t('The session already has an active plan.') : message,
    suggestion: ofCategory(category) ?? suggestion,
  };
}

function ofMatter(matter: Matter): ErrorText {
  switch (matter.kind) {
    case 'status':
      return ofStatus(planLabel(matter.goal), matter.status);
    case 'waits':
      return {
        message: vscode.l10n.t('“{0}” waits for {1}.', planLabel(matter.goal), goalsInQuotes(matter.waitingFor)),
        suggestion: vscode.l10n.t('Complete or discard that first. Nothing was changed.'),
      };
    case 'emptyText':
      return {
        message:
          matter.field === 'goal' ? vscode.l10n.t('A plan needs a goal.') : vscode.l10n.t('There is no text in it.'),
        suggestion: vscode.l10n.t('Write one, then try again. Nothing was changed.'),
      };
    case 'planFile':
      return {
        message: vscode.l10n.t('What was changed in {0} can’t be taken over.', matter.path),
        suggestion: ofFault(matter.fault),
      };
    case 'notOrdinary':
      return {
        message: vscode.l10n.t('{0} is no ordinary file or folder, so it is neither read nor changed.', matter.path),
        suggestion: vscode.l10n.t('Move it elsewhere, then try again.'),
      };
  }
}

function ofStatus(goal: string, status: PlanStatus): ErrorText {
  const nothing = vscode.l10n.t('Somebody else changed it meanwhile. Nothing was changed now.');
  switch (status) {
    case 'queued':
      return { message: vscode.l10n.t('“{0}” is in the queue.', goal), suggestion: nothing };
    case 'active':
      return { message: vscode.l10n.t('“{0}” is being worked on.', goal), suggestion: nothing };
    case 'completed':
      return { message: vscode.l10n.t('“{0}” is completed.', goal), suggestion: nothing };
    case 'discarded':
      return { message: vscode.l10n.t('“{0}” is discarded.', goal), suggestion: nothing };
  }
}

function ofFault(fault: 'nul' | 'headings' | 'goal' | 'encoding'): string {
  switch (fault) {
    case 'goal':
      return vscode.l10n.t('Write the goal below # Goal, then try again.');
    case 'headings':
      return vscode.l10n.t('Put its text below the headings of a plan, such as # Context and # Goal, then try again.');
    case 'nul':
    case 'encoding':
      return vscode.l10n.t('Save it as plain text in UTF-8, then try again.');
  }
}

function ofCategory(category: ErrorCategory): string | undefined {
  switch (category) {
    case 'PLAN_ALREADY_ACTIVE':
      return vscode.l10n.t('Complete, defer or release it first. Nothing was changed.');
    case 'SESSION_NOT_FOUND':
      return vscode.l10n.t('Choose one in the Sessions view, or start one.');
    case 'PLAN_NOT_FOUND':
      return vscode.l10n.t('It may belong to another folder or to a deleted session.');
    case 'NO_ACTIVE_PLAN':
      return vscode.l10n.t('Pull the next plan from the queue first.');
    default:
      return undefined;
  }
}
