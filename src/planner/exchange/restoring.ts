import type { PlainEvent } from '../events';
import type { Owner } from '../model';
import type { Transaction } from '../ports';
import { enteringPlan } from '../queueing';
import type { Exported, ExportedPlan, ExportedProposal, ExportedSession } from './exported';
import { Names } from './names';

export interface Restored {
  /** The names that the sessions have here. */
  sessions: string[];
  plans: number;
}

/** When and by whom it was done the first time. */
interface Past {
  at: string;
  by: string;
}

/**
 * Does again what led to the state that was exported, with the times and authors of then: in an empty store that gives the
 * same state. Names and ids that are taken here are replaced, everywhere they occur.
 */
export function restore(tx: Transaction, { sessions, selected_session }: Exported): Restored {
  const names = new Names(tx, sessions);
  const emit = (event: PlainEvent, restored: Past) => tx.emit({ ...event, restored });
  const plans = sessions.flatMap(({ name, plans: own }) => own.map((plan) => ({ session: names.session(name), plan })));

  for (const session of sessions) begin(emit, names, session);
  // Finished ones first, each by itself: a queue that all had to pass through would be long.
  for (const { session, plan } of plans.sort(byFinish)) {
    add(emit, names, { session, plan, position: tx.queueLength(session) + 1 });
    settle(emit, names, plan);
  }
  for (const { plan } of plans) relate(emit, names, plan);
  for (const session of sessions) {
    for (const one of session.proposals) propose(emit, names, session.name, one);
    for (const { client, agent, changed_at, todos } of session.todo_lists) {
      const owner: Owner = { session: names.session(session.name), client, agent };
      emit({ type: 'todos_replaced', owner, todos }, { at: changed_at, by: client });
    }
    end(emit, names, session);
  }
  if (selected_session !== null && names.knows(selected_session) && tx.selectedSession() === undefined) {
    tx.emit({ type: 'session_selected', session: names.session(selected_session) });
  }
  return { sessions: sessions.map(({ name }) => names.session(name)), plans: plans.length };
}

type Emit = (event: PlainEvent, restored: Past) => void;

function begin(emit: Emit, names: Names, { name, task_description, created_at }: ExportedSession): void {
  const session = names.session(name);
  emit({ type: 'session_created', session, taskDescription: task_description }, { at: created_at, by: '' });
}

function end(emit: Emit, names: Names, { name, task_description, archived_at, changed_at }: ExportedSession): void {
  const session = names.session(name);
  if (archived_at !== null) {
    emit({ type: 'session_archived', session, archived: true }, { at: archived_at, by: '' });
  }
  // Says nothing new, but when something was last new.
  emit({ type: 'session_described', session, taskDescription: task_description }, { at: changed_at, by: '' });
}

interface Placed {
  session: string;
  plan: ExportedPlan;
}

/** Those that have no rank, which are open, keep their order after the others. */
function byFinish({ plan: a }: Placed, { plan: b }: Placed): number {
  const rank = (plan: ExportedPlan) => plan.finish_rank ?? Number.MAX_SAFE_INTEGER;
  return rank(a) - rank(b);
}

function add(emit: Emit, names: Names, { session, plan, position }: Placed & { position: number }): void {
  const { context, goal, inputs, outputs, approach, success_criteria: successCriteria, notes } = plan;
  const texts = { context, goal, inputs, outputs, approach, successCriteria, notes };
  // What a person wrote into a plan file may be of any length.
  const sections = enteringPlan(texts, `${plan.id}.`, Number.POSITIVE_INFINITY);
  const past = { at: plan.created_at, by: plan.created_by };
  emit({ type: 'plan_added', plan: names.plan(plan.id), session, position, sections, parent: null }, past);
}

function relate(emit: Emit, names: Names, { id, parent, waits_for, metadata, created_at, created_by }: ExportedPlan) {
  const plan = names.plan(id);
  const past = { at: created_at, by: created_by };
  if (parent !== null && names.knowsPlan(parent)) {
    emit({ type: 'plan_reparented', plan, parent: names.plan(parent) }, past);
  }
  for (const blocker of waits_for.filter((one) => names.knowsPlan(one))) {
    emit({ type: 'plan_linked', plan, waitsFor: names.plan(blocker) }, past);
  }
  if (metadata !== null) emit({ type: 'plan_annotated', plan, metadata }, past);
}

/** What became of it. */
function settle(emit: Emit, names: Names, one: ExportedPlan): void {
  const plan = names.plan(one.id);
  const by = one.pulled_by ?? '';
  if (one.status === 'active') {
    emit({ type: 'plan_pulled', plan, client: by }, { at: one.pulled_at ?? one.created_at, by });
  } else if (one.status === 'completed') {
    emit({ type: 'plan_completed', plan, outcome: one.outcome ?? '' }, { at: one.completed_at ?? one.created_at, by });
  } else if (one.status === 'discarded') {
    const reason = one.discard_reason ?? '';
    emit({ type: 'plan_discarded', plan, reason }, { at: one.discarded_at ?? one.created_at, by });
  }
}

function propose(emit: Emit, names: Names, sessionName: string, one: ExportedProposal): void {
  const proposal = names.proposal(one.id);
  const { client, agent, reason, goal } = one;
  const owner: Owner = { session: names.session(sessionName), client, agent };
  emit({ type: 'proposal_opened', proposal, owner, reason, goal }, { at: one.created_at, by: client });
  for (const { round, plan, todos, submitted_at, decision, decided_at, ...said } of one.rounds) {
    emit({ type: 'proposal_submitted', proposal, round, plan, todos }, { at: submitted_at, by: client });
    if (decision === null) continue;
    const { decided_by, feedback, comments, approved_plan: approvedPlan, queued_plans } = said;
    const decidedBy = decided_by ?? '';
    const queuedPlans = queued_plans.filter((id) => names.means(id)).map((id) => names.plan(id));
    const past = { at: decided_at ?? submitted_at, by: decidedBy };
    emit(
      { type: 'proposal_decided', proposal, round, decision, decidedBy, feedback, comments, approvedPlan, queuedPlans },
      past,
    );
  }
  if (one.status === 'superseded') emit({ type: 'proposal_superseded', proposal }, { at: one.created_at, by: client });
}
