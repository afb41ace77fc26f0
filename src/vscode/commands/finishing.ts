import * as vscode from 'vscode';
import type { Plan } from '../../planner/model';
import type { FinishedPlan } from '../../planner/queue';
import { planLabel } from '../views/planText';
import { meansSelection, plansIn } from './arguments';
import { activePlanOf, type CommandParts, type CommandTable, changes, editor, planOf } from './command';
import { followerOf, restorePlan } from './undo';

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
  ): Promise<{ result: FinishedPlan; undo: () => Promise<void> }> {
    await parts.editors.save(plan);
    const planner = await connection.planner();
    const follower = await followerOf(planner, plan);
    const result = await end({ sessionName: plan.sessionName, planId: plan.id });
    await parts.editors.close(plan);
    return { result, undo: () => restorePlan(planner, plan, follower) };
  }

  /** Says what is next. The answer is not waited for: the command is done, whether or not somebody reads this. */
  async function report(done: string, result: FinishedPlan, undo: () => Promise<void>): Promise<void> {
    lastChange.remember(done, undo);
    await state.refresh();
    const undoAction = vscode.l10n.t('Undo');
    const pullAction = vscode.l10n.t('Pull Next');
    const actions = result.next && !state.planning?.active ? [pullAction, undoAction] : [undoAction];
    void parts.dialogs.tell('info', `${done} ${outlook(result)}`, ...actions).then((answer) => {
      if (answer === undoAction) void vscode.commands.executeCommand('nineplan.change.undo', done);
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
        const { queue } = await connection.planner();
        const { result, undo } = await finish(plan, (target) => queue.complete(editor(), { ...target, ...answers }));
        await report(vscode.l10n.t('Completed “{0}”.', planLabel(plan.goal)), result, undo);
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
      const question = { title: vscode.l10n.t('Discard: {0}', what), about: first.id, fields: [reason] };
      await parts.drafts.use(parts.dialogs, question, async (answers) => {
        const { queue } = await connection.planner();
        const undoAll: (() => Promise<void>)[] = [];
        const undoThem = () => inOrder(undoAll);
        let last: FinishedPlan | undefined;
        for (const plan of plans) {
          const { result, undo } = await finish(plan, (target) => queue.discard(editor(), { ...target, ...answers }));
          // Last discarded, first restored: each one's follower is back before it.
          undoAll.unshift(undo);
          last = result;
          // At once: the next one may be refused.
          lastChange.remember(discarded(undoAll.length, first), undoThem);
        }
        if (last) await report(discarded(plans.length, first), last, undoThem);
      });
    }),

    'nineplan.change.undo': changes(async (only: unknown) => {
      const named = typeof only === 'string' ? only : undefined;
      const undone = await lastChange.undo(named);
      if (undone) vscode.window.setStatusBarMessage(vscode.l10n.t('Undone: {0}', undone), 5000);
      else void parts.dialogs.tell('info', nothingToUndo(lastChange.lastUndone, named));
      await state.refresh();
    }),
  };
}

/** `named`: the change that an old message offered to undo. */
function nothingToUndo(lastUndone: string | undefined, named: string | undefined): string {
  if (lastUndone && (named ?? lastUndone) === lastUndone) return vscode.l10n.t('Already undone: {0}', lastUndone);
  if (named) return vscode.l10n.t('Other changes came after this one, so it can’t be undone from here any more.');
  return vscode.l10n.t('There is nothing to undo in this window.');
}

function discarded(count: number, first: Plan): string {
  if (count === 1) return vscode.l10n.t('Discarded “{0}”.', planLabel(first.goal));
  return vscode.l10n.t('Discarded {0} plans.', count);
}

async function inOrder(steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}

function outlook({ next, queueLength }: FinishedPlan): string {
  if (next) return vscode.l10n.t('Next: “{0}”.', planLabel(next.goal));
  if (queueLength === 0) return vscode.l10n.t('The queue is empty.');
  return vscode.l10n.t('The plans left wait for others.');
}
