import type { PlanHeading, QueuedPlan, SessionSummary } from '../planner/model';

import { cut, GOAL_SHOWN } from './excerpts';

/** Domain objects as tools and resources show them (seed, section 6): snake case, few fields. */

export function sessionShape(session: SessionSummary) {
  return {
    name: session.name,
    created: session.createdAt,
    task_description: session.taskDescription && cut(session.taskDescription, GOAL_SHOWN),
    queue_length: session.queueLength,
    completed_count: session.completedCount,
    has_active_plan: session.hasActivePlan,
  };
}

/** `goalShown`: characters of its goal. */
export function queuedShape({ id, goal, queuePosition, waitingFor }: QueuedPlan, goalShown = GOAL_SHOWN) {
  return { id, goal: cut(goal, goalShown), position: queuePosition, waiting_for: waitingFor };
}

export function activeShape(plan: PlanHeading, filePath: string) {
  return { id: plan.id, goal: cut(plan.goal, GOAL_SHOWN), file_path: filePath };
}
