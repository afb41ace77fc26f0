import * as vscode from 'vscode';
import type { CommittedChange, PlainEvent } from '../planner/events';
import { askInChat } from './chat';
import { type CommandParts, changes, planOf, runCommand } from './commands/command';
import { workRequest } from './commands/lifecycle';
import { pullNext } from './commands/queue';
import { Disposable } from './disposable';
import type { Settings } from './settings';
import { planLabel } from './views/planText';

/** Milliseconds in which an agent that goes on by itself has taken the plan. */
const PATIENCE = 3_000;

const OFFERED = 'nineplan.offeredPlans';
const MOST_REMEMBERED = 500;

/** After these another plan may be next. */
const MAKES_READY: ReadonlySet<PlainEvent['type']> = new Set([
  'plan_added',
  'plan_completed',
  'plan_discarded',
  'plan_requeued',
  'plan_unlinked',
] as const);

/**
 * Offers to run the next plan in agent mode when another process made one ready and nobody took it; only to those who
 * switched it on, and once a plan.
 */
export class NextPlanOffer extends Disposable {
  private waiting: NodeJS.Timeout | undefined;

  constructor(
    private readonly parts: CommandParts,
    private readonly settings: Settings,
    private readonly memory: vscode.Memento,
  ) {
    super();
    this.own(parts.connection.onDidCommit((change) => this.follow(change)));
    this.own({ dispose: () => this.stopWaiting() });
  }

  private follow({ own, events }: CommittedChange): void {
    // Who changes the queue in this window is told there what is next.
    if (own) this.stopWaiting();
    else if (this.settings.offersNextPlan() && events.some(({ type }) => MAKES_READY.has(type))) this.wait();
  }

  private wait(): void {
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      void this.offer().catch((error) => this.parts.log.warn({ error }, 'the next plan was not offered'));
    }, PATIENCE);
  }

  private stopWaiting(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  private async offer(): Promise<void> {
    const { connection, state } = this.parts;
    await state.refresh();
    const session = state.planning?.session?.name;
    if (session === undefined || state.planning?.active || !vscode.workspace.isTrusted) return;
    const { store } = await connection.planner();
    const next = await store.read((view) => view.firstReady(session));
    const offered = this.memory.get<string[]>(OFFERED, []);
    if (!next || offered.includes(next.id)) return;
    await this.memory.update(OFFERED, [...offered, next.id].slice(-MOST_REMEMBERED));
    const run = vscode.l10n.t('Run in Agent Mode');
    const answer = await this.parts.dialogs.tell(
      'info',
      vscode.l10n.t('“{0}” is next in the queue.', planLabel(next.goal)),
      run,
    );
    if (answer === run)
      await runCommand(
        'offer',
        changes(() => this.run(session)),
        [],
        this.parts,
      );
  }

  /** By now another plan may be next: that one, then. */
  private async run(sessionName: string): Promise<void> {
    const planner = await this.parts.connection.planner();
    const result = await pullNext(this.parts, sessionName);
    await this.parts.state.refresh();
    if (result.kind === 'pulled') await askInChat(workRequest(await planOf(planner, result.plan.id)), this.parts);
    else void this.parts.dialogs.tell('info', vscode.l10n.t('Somebody else was faster: no plan is ready now.'));
  }
}
