import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { PlannerError } from '../planner/errors';
import type { Verdict } from '../planner/proposals';
import { DECISION_SCHEMA, planMessage, rulingOf } from './decisionForm';
import { type Form, sendForm, showsForms } from './form';
import type { ToolCall } from './tool';
import type { Chance } from './tools/verdict';
import { Waiting } from './waiting';

/** Seconds; many clients cut a call off after 60. */
const USUAL_LIMIT = 50;

/** An open editor window can show itself only once there is a store: so long it gets after the first change of one. */
const WINDOW_NEEDS_MS = 2_000;

/** A window that is reloaded is gone for a while, longer on a busy machine; the person in front of it is not. */
const RELOAD_MS = 20_000;

export interface Hearing {
  verdict: Verdict;
  chance: Chance;
}

/**
 * Puts a submitted round before a person, in the editor or by a form, and waits for the decision. It may come back
 * undecided; the proposal then stays as it is, and whoever decides it later does so all the same.
 */
export async function hear(call: ToolCall, submitted: Submitted, plan: string): Promise<Hearing> {
  return new Approval(call, submitted).hear(plan);
}

type Submitted = Verdict & { created: boolean };

class Approval {
  private readonly waiting: Waiting;
  private form: { open: boolean; withdraw(reason: string): Promise<void>; dispose(): Promise<void> } | undefined;
  private windowSeen = false;
  private windowIsOpen = false;
  private windowMayCome = false;
  private expecting: NodeJS.Timeout | undefined;

  constructor(
    private readonly call: ToolCall,
    private readonly submitted: Submitted,
  ) {
    this.waiting = new Waiting(call.planner.store, call.signal);
  }

  async hear(plan: string): Promise<Hearing> {
    const { call, submitted } = this;
    if (submitted.created) this.expectWindow(WINDOW_NEEDS_MS);
    if (await this.needsForm()) {
      await this.openForm(plan).catch((error) => call.log.warn({ error }, 'No form was sent'));
    }
    try {
      const verdict = (await this.decision()) ?? (await call.planner.planMode.verdict(submitted.proposalId));
      return { verdict: { ...verdict, assumed: submitted.assumed }, chance: this.chance };
    } finally {
      await this.closeForm();
    }
  }

  private get chance(): Chance {
    if (this.windowSeen) return 'editor';
    if (!this.form) return 'nothing';
    return this.form.open ? 'overdueForm' : 'closedForm';
  }

  /** Undefined if the time is over or the call was cancelled. */
  private async decision(): Promise<Verdict | undefined> {
    const { call } = this;
    const limit = call.config.elicitTimeout ?? usualLimit(call.server);
    const total = Number.isFinite(limit) ? limit : undefined;
    const report = (elapsed: number) => call.progress(elapsed, total, 'Waiting for a decision on the plan');
    await report(0);
    return this.waiting.forAnswer(
      () => this.outcome(),
      limit,
      async (elapsed) => {
        await report(elapsed);
        // A window that was closed changes nothing in the store.
        this.waiting.notice();
      },
    );
  }

  /** The verdict once there is nothing left to wait for. */
  private async outcome(): Promise<Verdict | undefined> {
    const verdict = await this.call.planner.planMode.verdict(this.submitted.proposalId);
    if (verdict.status !== 'submitted' || verdict.round !== this.submitted.round) return verdict;
    const wasOpen = this.windowIsOpen;
    this.windowIsOpen = (await this.call.windows()).length > 0;
    this.windowSeen ||= this.windowIsOpen;
    if (wasOpen && !this.windowIsOpen) this.expectWindow(RELOAD_MS);
    return this.windowIsOpen || this.form?.open || this.windowMayCome ? undefined : verdict;
  }

  private expectWindow(milliseconds: number): void {
    this.windowMayCome = true;
    clearTimeout(this.expecting);
    this.expecting = setTimeout(() => {
      this.windowMayCome = false;
      this.waiting.notice();
    }, milliseconds).unref();
  }

  /** One question, not two: an editor that shows the proposal itself needs no form. */
  private async needsForm(): Promise<boolean> {
    const { server } = this.call;
    if (!showsForms(server)) return false;
    if (!isEditor(server)) return true;
    return !(await this.call.windows()).some((window) => window.reviewPanel);
  }

  private async openForm(plan: string): Promise<void> {
    const { call } = this;
    const { message, dispose } = await planMessage(call.caller.client, plan);
    const form = await sendForm(call.server, call.requestId, { message, requestedSchema: DECISION_SCHEMA });
    const state = { open: true, withdraw: form.withdraw, dispose };
    this.form = state;
    openForms.add(call.server);
    void this.settleBy(form).finally(() => {
      state.open = false;
      openForms.delete(call.server);
      this.waiting.notice();
    });
  }

  /** However late the answer comes: the first decision about the round counts, wherever it was made. */
  private async settleBy(form: Form): Promise<void> {
    const { planner, caller, log } = this.call;
    try {
      const ruling = rulingOf(await form.answer, form.age());
      if (!ruling) return;
      const { proposalId, round } = this.submitted;
      await planner.planMode.decide(caller, { ...ruling, proposalId, round, decidedBy: caller.client });
    } catch (error) {
      const settledBefore = error instanceof PlannerError && error.category === 'VALIDATION_ERROR';
      log[settledBefore ? 'debug' : 'warn']({ error }, 'The form brought no decision');
    }
  }

  private async closeForm(): Promise<void> {
    const { form } = this;
    if (form === undefined) return;
    const failed = (error: unknown) => this.call.log.debug({ error }, 'The form was not taken back');
    if (form.open) await form.withdraw('The form is no longer needed').catch(failed);
    await form.dispose().catch(failed);
  }
}

/** Connections whose person has a form before them. */
const openForms = new WeakSet<Server>();

export async function chanceLater(call: ToolCall): Promise<Chance> {
  if ((await call.windows()).length > 0) return 'editor';
  return openForms.has(call.server) ? 'openForm' : 'nothing';
}

/** Clients without a limit of their own on a tool call may wait for as long as the person takes. */
function usualLimit(server: Server): number {
  return isEditor(server) || clientName(server) === 'claude-code' ? Number.POSITIVE_INFINITY : USUAL_LIMIT;
}

/** VS Code and its builds name themselves by product. */
function isEditor(server: Server): boolean {
  return /^(visual studio code|vscodium|code - oss|code-server)/.test(clientName(server));
}

function clientName(server: Server): string {
  return server.getClientVersion()?.name.toLowerCase() ?? '';
}
