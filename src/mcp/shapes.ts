import type { PlanHeading, QueuedPlan, SessionSummary } from '../planner/model';

/** Domain objects as tools and resources show them (seed, section 6): snake case, few fields. */

export function sessionShape(session: SessionSummary) {
  return {
    name: session.name,
    created: session.createdAt,
    task_description: session.taskDescription,
    queue_length: session.queueLength,
    completed_count: session.completedCount,
    has_active_plan: session.hasActivePlan,
  };
}

export function queuedShape({ id, goal, queuePosition }: QueuedPlan) {
  return { id, goal, position: queuePosition };
}

export function activeShape(plan: PlanHeading, filePath: string) {
  return { id: plan.id, goal: plan.goal, file_path: filePath };
}
