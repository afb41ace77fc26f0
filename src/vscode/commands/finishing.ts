import * as vscode from 'vscode';
import type { Plan } from '../../planner/model';
import type { FinishedPlan } from '../../planner/queue';
import type { PlanChange } from '../../planner/takingBack';
import type { LastChange } from '../lastChange';
import { planLabel } from '../views/planText';
import { meansSelection, plansIn } from './arguments';
import { activePlanOf, type CommandParts, type CommandTable, changes, editor, planOf } from './command';
import { plansBehind, takingBack } from './undo';

/** The two ends of a plan, and the way back from them. */
export function finishingCommands(parts: CommandParts): CommandTable {
  const { connection, state, lastChange } = parts;

  /** The plans given or selected, else the active one. */
  async function subjects(args: unknown[]): Promise<Plan[]> {
    const ids = meansSelection(args) ? parts.views.queue.selectedPlans : plansIn(args);
    if (ids.length === 0) return meansSelection(args) ? [] : [await activePlanOf(parts)];
    const planner = await connection.planner();
    return Promise.all(ids.map((id) => planOf(planner, id)));
  }

  /** Ends one plan and returns what takes that back. What stands unsaved in the plan's editor goes with it. */
  async function finish(
    plan: Plan,
    end: (target: { sessionName: string; planId: string }) => Promise<FinishedPlan>,
  ): Promise<{ result: FinishedPlan; change: PlanChange }> {
    await parts.editors.save(plan);
    const planner = await connection.planner();
    // It may have been pulled while the person wrote.
    const before = await planOf(planner, plan.id);
    const behind = await plansBehind(planner, before);
    const result = await end({ sessionName: plan.sessionName, planId: plan.id });
    const after = await planOf(planner, plan.id);
    await parts.editors.close(plan);
    return { result, change: { before, behind, after } };
  }

  /** Says what is next. The answer is not waited for: the command is done, whether or not somebody reads this. */
  async function report(done: string, result: FinishedPlan, undo: () => Promise<void>): Promise<void> {
    const change = lastChange.remember(done, undo);
    await state.refresh();
    const undoAction = vscode.l10n.t('Undo');
    const pullAction = vscode.l10n.t('Pull Next');
    const actions = result.next && !state.planning?.active ? [pullAction, undoAction] : [undoAction];
    void parts.dialogs.tell('info', `${done} ${outlook(result)}`, ...actions).then((answer) => {
      if (answer === undoAction) void vscode.commands.executeCommand('nineplan.change.undo', change);
      if (answer === pullAction) void vscode.commands.executeCommand('nineplan.queue.pull');
    });
  }

  return {
    'nineplan.plan.complete': changes(async (...args) => {
      const [plan] = await subjects(args);
      if (!plan) return;
      const outcome = {
        key: 'outcome' as const,
        prompt: vscode.l10n.t('Outcome: what was done, and what came of it? Later plans find it in the history.'),
        required: vscode.l10n.t('The history needs an outcome.'),
      };
      const question = {
        title: vscode.l10n.t('Complete: {0}', planLabel(plan.goal)),
        about: plan.id,
        fields: [outcome],
      };
      await parts.drafts.use(parts.dialogs, question, async (answers) => {
        const planner = await connection.planner();
        const { result, change } = await finish(plan, (target) =>
          planner.queue.complete(editor(), { ...target, ...answers }),
        );
        const done = vscode.l10n.t('Completed “{0}”.', planLabel(plan.goal));
        await report(done, result, async () => (await takingBack()).takeBack(planner.store, editor(), [change]));
      });
    }),

    'nineplan.plan.discard': changes(async (...args) => {
      const plans = await subjects(args);
      const [first] = plans;
      if (!first) return;
      const what = plans.length === 1 ? planLabel(first.goal) : vscode.l10n.t('{0} plans', plans.length);
      const reason = {
        key: 'reason' as const,
        prompt: vscode.l10n.t('Why is it not done after all?'),
        required: vscode.l10n.t('A reason is needed.'),
      };
      const question = {
        title: vscode.l10n.t('Discard: {0}', what),
        about: plans.map(({ id }) => id).join(),
        fields: [reason],
      };
      await parts.drafts.use(parts.dialogs, question, async (answers) => {
        const planner = await connection.planner();
        const made: PlanChange[] = [];
        const undoThem = async () => (await takingBack()).takeBack(planner.store, editor(), made);
        let last: FinishedPlan | undefined;
        for (const plan of plans) {
          const { result, change } = await finish(plan, (target) =>
            planner.queue.discard(editor(), { ...target, ...answers }),
          );
          // Last discarded, first restored: those behind each are back before it.
          made.unshift(change);
          last = result;
          // At once: the next one may be refused.
          lastChange.remember(discarded(made.length, first), undoThem);
        }
        if (last) await report(discarded(plans.length, first), last, undoThem);
      });
    }),

    'nineplan.change.undo': changes(async (only: unknown) => {
      const named = typeof only === 'number' ? only : undefined;
      const undone = await lastChange.undo(named);
      if (undone) vscode.window.setStatusBarMessage(vscode.l10n.t('Undone: {0}', undone), 5000);
      else void parts.dialogs.tell('info', nothingToUndo(lastChange.lastUndone, named));
      await state.refresh();
    }),
  };
}

/** `named`: the change that an old message offered to undo. */
function nothingToUndo(lastUndone: LastChange['lastUndone'], named: number | undefined): string {
  if (lastUndone && (named ?? lastUndone.number) === lastUndone.number) {
    return vscode.l10n.t('Already undone: {0}', lastUndone.label);
  }
  if (named !== undefined)
    return vscode.l10n.t('Other changes came after this one, so it can’t be undone from here any more.');
  return vscode.l10n.t('There is nothing to undo in this window.');
}

function discarded(count: number, first: Plan): string {
  if (count === 1) return vscode.l10n.t('Discarded “{0}”.', planLabel(first.goal));
  return vscode.l10n.t('Discarded {0} plans.', count);
}

function outlook({ next, queueLength }: FinishedPlan): string {
  if (next) return vscode.l10n.t('Next: “{0}”.', planLabel(next.goal));
  if (queueLength === 0) return vscode.l10n.t('The queue is empty.');
  return vscode.l10n.t('The plans left wait for others.');
}
