import type { Plan, Proposal } from '../model';
import type { View } from '../ports';
import { type Exported, type ExportedPlan, type ExportedProposal, type ExportedSession, newExport } from './exported';

const ALL = { offset: 0, limit: Number.MAX_SAFE_INTEGER };

/** All of the store, or one session of it. */
export function exportStore(view: View, only?: string): Exported {
  const ranks = finishRanks(view);
  const sessions = view
    .sessions({ archived: true })
    .filter(({ name }) => only === undefined || name === only)
    .reverse()
    .map(
      ({ name, taskDescription, createdAt, changedAt, archivedAt }): ExportedSession => ({
        name,
        task_description: taskDescription,
        created_at: createdAt,
        changed_at: changedAt,
        archived_at: archivedAt,
        plans: plansOf(view, name).map((plan) => exportedPlan(view, plan, ranks)),
        proposals: view.proposals({ session: name }).reverse().map(exportedProposal),
        todo_lists: view.todoLists(name).map(({ owner, todos, changedAt: changed }) => ({
          client: owner.client,
          agent: owner.agent,
          changed_at: changed,
          todos,
        })),
      }),
    );
  return newExport(only === undefined ? view.selectedSession() : undefined, sessions);
}

/** The oldest first, completed and discarded ones by themselves. */
function finishRanks(view: View): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const status of ['completed', 'discarded'] as const) {
    const plans = view.history(undefined, { status, ...ALL });
    for (const [index, { id }] of plans.reverse().entries()) ranks.set(id, index + 1);
  }
  return ranks;
}

function plansOf(view: View, session: string): Plan[] {
  const finished = (['completed', 'discarded'] as const).flatMap((status) =>
    view.history(session, { status, ...ALL }).reverse(),
  );
  const active = view.activePlan(session);
  const queued = view.queue(session).map(({ id }) => view.plan(id) as Plan);
  return [...finished, ...(active ? [active] : []), ...queued];
}

function exportedPlan(view: View, plan: Plan, ranks: Map<string, number>): ExportedPlan {
  return {
    id: plan.id,
    status: plan.status,
    goal: plan.goal,
    context: plan.context,
    inputs: plan.inputs,
    outputs: plan.outputs,
    approach: plan.approach,
    success_criteria: plan.successCriteria,
    notes: plan.notes,
    outcome: plan.outcome,
    discard_reason: plan.discardReason,
    created_at: plan.createdAt,
    created_by: plan.createdBy,
    pulled_at: plan.pulledAt,
    pulled_by: plan.pulledBy,
    completed_at: plan.completedAt,
    discarded_at: plan.discardedAt,
    finish_rank: ranks.get(plan.id) ?? null,
    parent: plan.parentId,
    waits_for: view.blockersOf(plan.id).map(({ id }) => id),
    metadata: plan.metadata,
  };
}

function exportedProposal(proposal: Proposal): ExportedProposal {
  return {
    id: proposal.id,
    client: proposal.client,
    agent: proposal.agent,
    status: proposal.status,
    reason: proposal.reason,
    goal: proposal.goal,
    created_at: proposal.createdAt,
    rounds: proposal.rounds.map((round) => ({
      round: round.round,
      plan: round.plan,
      todos: round.todos,
      submitted_at: round.submittedAt,
      decision: round.decision,
      decided_by: round.decidedBy,
      decided_at: round.decidedAt,
      feedback: round.feedback,
      comments: round.comments,
      approved_plan: round.approvedPlan,
      queued_plans: round.queuedPlans,
    })),
  };
}
