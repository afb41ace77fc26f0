import * as vscode from 'vscode';
import { EDITOR } from '../../planner/caller';
import type { Plan, QueueEnd } from '../../planner/model';
import { askInChat } from '../chat';
import { planLabel } from '../views/planText';
import { plansIn } from './arguments';
import { activePlanOf, type CommandParts, type CommandTable, changes, editor, planOf } from './command';
import { plansBehind, rememberStart, takingBack } from './undo';

/** What becomes of a plan short of its end: handed to an agent, put back, taken up again. */
export function lifecycleCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;

  async function subject(args: unknown[]): Promise<Plan> {
    const [given] = plansIn(args);
    return given ? planOf(await connection.planner(), given) : activePlanOf(parts);
  }

  return {
    'nineplan.plan.start': changes(async (...args) => {
      const [id] = plansIn(args).length > 0 ? plansIn(args) : parts.views.queue.selectedPlans;
      if (!id) return;
      const planner = await connection.planner();
      const plan = await planOf(planner, id);
      const behind = await plansBehind(planner, plan);
      await planner.queue.start(editor(), { planId: id });
      await rememberStart(parts, planner, plan, behind);
      await state.refresh();
      await parts.editors.open(await planOf(planner, id));
    }),

    'nineplan.plan.defer': changes(async (...args) => {
      const plan = await subject(args);
      const title = vscode.l10n.t('Defer: {0}', planLabel(plan.goal));
      const reason = {
        key: 'reason' as const,
        prompt: vscode.l10n.t('Why later? It goes into the notes of the plan.'),
        required: vscode.l10n.t('A reason is needed.'),
      };
      const question = { title, about: plan.id, fields: [reason] };
      await parts.drafts.use(parts.dialogs, question, async (answers) => {
        const position = await parts.dialogs.pick<QueueEnd>(title, [
          { label: vscode.l10n.t('Back of the queue'), description: vscode.l10n.t('others come first'), value: 'back' },
          { label: vscode.l10n.t('Front of the queue'), description: vscode.l10n.t('it stays next'), value: 'front' },
        ]);
        if (!position) return false;
        await parts.editors.save(plan);
        const planner = await connection.planner();
        await planner.queue.takeInEdits(editor(), { planId: plan.id });
        const before = await planOf(planner, plan.id);
        const target = { sessionName: plan.sessionName, planId: plan.id };
        await planner.queue.defer(editor(), { ...target, ...answers, position });
        const after = await planOf(planner, plan.id);
        const label = vscode.l10n.t('Deferred “{0}”.', planLabel(plan.goal));
        parts.lastChange.remember(label, async () =>
          (await takingBack()).takeBackDeferral(planner.store, editor(), { before, behind: [], after }),
        );
        await state.refresh();
      });
    }),

    'nineplan.plan.release': changes(async (...args) => {
      const plan = await subject(args);
      const sure = await parts.dialogs.confirm(
        vscode.l10n.t('Release “{0}”?', planLabel(plan.goal)),
        plan.pulledBy === EDITOR
          ? vscode.l10n.t('You took it. It goes back to the front of the queue.')
          : vscode.l10n.t(
              '{0} took it. Release it if nobody works on it any more: it goes back to the front of the queue.',
              plan.pulledBy || vscode.l10n.t('Somebody'),
            ),
        vscode.l10n.t('Release'),
      );
      if (!sure) return;
      await parts.editors.save(plan);
      const planner = await connection.planner();
      await planner.queue.release(editor(), { planId: plan.id });
      const label = vscode.l10n.t('Released “{0}”.', planLabel(plan.goal));
      const after = await planOf(planner, plan.id);
      parts.lastChange.remember(label, async () =>
        (await takingBack()).takeBack(planner.store, editor(), [{ before: plan, behind: [], after }]),
      );
      await state.refresh();
    }),

    'nineplan.plan.reopen': changes(async (...args) => {
      const given = plansIn(args);
      const ids = given.length > 0 ? given : parts.views.history.selectedPlans;
      const planner = await connection.planner();
      for (const planId of ids) {
        await planner.queue.reopen(editor(), { planId, position: 'back' });
        parts.lastChange.forget();
        // It is at the end of the queue, which may be another session's: out of sight.
        const label = planLabel((await planOf(planner, planId)).goal);
        vscode.window.setStatusBarMessage(vscode.l10n.t('Queued again: “{0}”.', label), 5000);
      }
      await state.refresh();
    }),

    'nineplan.plan.runInAgent': changes(async () => {
      await askInChat(workRequest(await activePlanOf(parts)), parts);
    }),
  };
}

/** What an agent is asked to do with a plan that is active. */
export function workRequest({ id, sessionName }: Plan): string {
  return vscode.l10n.t(
    'Work on the active plan {0} of the 9plan session {1}. Resume the session, read the whole plan, carry it out, then complete it with its outcome.',
    id,
    sessionName,
  );
}
