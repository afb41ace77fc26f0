import * as vscode from 'vscode';
import { PlannerError } from '../../planner/errors';
import type { MoveTarget, PullResult } from '../../planner/queue';
import { goalsInQuotes, planLabel } from '../views/planText';
import { plansIn } from './arguments';
import { type CommandParts, type CommandTable, changes, editor, planningOf, planOf, shows } from './command';
import { plansBehind, rememberStart, takingBack } from './undo';

export function queueCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;

  /** The whole queue of the current session, and of it the plans to move. */
  async function chosen(args: unknown[]): Promise<{ ids: string[]; order: string[] }> {
    const order = await queueOrder(parts);
    const named = plansIn(args);
    const wanted = new Set(named.length > 0 ? named : parts.views.queue.selectedPlans);
    const ids = order.filter((id) => wanted.has(id));
    if (ids.length > 0) return { ids, order };
    throw new PlannerError(
      'VALIDATION_ERROR',
      vscode.l10n.t('No queued plan is selected.'),
      vscode.l10n.t('Select one or more plans in the queue, then try again.'),
    );
  }

  /** Moves the chosen plans as a block by one place. */
  async function step(args: unknown[], direction: -1 | 1): Promise<void> {
    const { ids, order } = await chosen(args);
    const edge = direction < 0 ? ids[0] : ids.at(-1);
    const neighbour = order[order.indexOf(edge as string) + direction];
    if (neighbour) await reorder(parts, ids, direction < 0 ? { before: neighbour } : { after: neighbour });
  }

  return {
    'nineplan.queue.pull': changes(async () => {
      const { session } = await planningOf(parts);
      const planner = await connection.planner();
      const result = await pullNext(parts, session?.name);
      await state.refresh();
      if (result.kind === 'pulled') {
        await parts.editors.open(await planOf(planner, result.plan.id));
      } else if (result.kind === 'empty') {
        void parts.dialogs.tell('info', nothingLeft(result.completedCount));
      } else {
        const [first] = result.blocked;
        const ids = new Set(first?.waitingFor);
        const blockers = await planner.store.read((view) => (first ? view.blockersOf(first.id) : []));
        void parts.dialogs.tell(
          'info',
          vscode.l10n.t(
            'Every plan in the queue waits for another one. The first, “{0}”, waits for {1}.',
            planLabel(first?.goal ?? ''),
            goalsInQuotes(blockers.filter(({ id }) => ids.has(id))),
          ),
        );
      }
    }),

    'nineplan.queue.moveUp': changes((...args) => step(args, -1)),
    'nineplan.queue.moveDown': changes((...args) => step(args, 1)),
    'nineplan.queue.moveToFront': changes(async (...args) => {
      await reorder(parts, (await chosen(args)).ids, { position: 'front' });
    }),
    'nineplan.queue.moveToBack': changes(async (...args) => {
      await reorder(parts, (await chosen(args)).ids, { position: 'back' });
    }),

    'nineplan.queue.refresh': shows(async () => {
      if (state.current.kind === 'failed') await connection.reopen();
      await state.refresh();
    }),
    'nineplan.queue.showMore': shows(() => state.showMoreOfQueue()),
  };
}

function nothingLeft(completed: number): string {
  if (completed === 0) return vscode.l10n.t('The queue is empty.');
  if (completed === 1) return vscode.l10n.t('The queue is empty: its one plan is done.');
  return vscode.l10n.t('The queue is empty: all {0} plans are done.', completed);
}

/** Makes the next plan the active one and remembers how it stood. */
export async function pullNext(parts: CommandParts, sessionName: string | undefined): Promise<PullResult> {
  const planner = await parts.connection.planner();
  const next = await planner.store.read((view) => {
    const ready = sessionName === undefined ? undefined : view.firstReady(sessionName);
    return ready && view.plan(ready.id);
  });
  const behind = next && (await plansBehind(planner, next));
  const result = await planner.queue.pull(editor(), { sessionName });
  if (result.kind !== 'pulled') return result;
  if (behind && result.plan.id === next.id) await rememberStart(parts, planner, next, behind);
  else parts.lastChange.forget();
  return result;
}

/** Moves queued plans, which stay together in the given order, and remembers how they stood. */
export async function reorder(parts: CommandParts, planIds: string[], to: MoveTarget): Promise<void> {
  const planner = await parts.connection.planner();
  const before = await queueOrder(parts);
  await planner.queue.move(editor(), { planIds, to });
  parts.lastChange.remember(vscode.l10n.t('Reorder the queue'), async () =>
    (await takingBack()).takeBackMove(planner.store, editor(), before, planIds),
  );
  await parts.state.refresh();
}

/** Ids of the current session's queued plans: all of them, where the view holds only the first. */
async function queueOrder(parts: CommandParts): Promise<string[]> {
  const { session } = await planningOf(parts);
  if (!session) return [];
  const { store } = await parts.connection.planner();
  return store.read((view) => view.queue(session.name).map((plan) => plan.id));
}
