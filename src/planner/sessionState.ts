import type { InSession } from './caller';
import type { PlanHeading, QueuedPlan } from './model';
import type { View } from './ports';

export interface SessionState extends InSession {
  sessionPath: string;
  taskDescription: string | null;
  /** All queued plans, in order. */
  queue: QueuedPlan[];
  queueLength: number;
  activePlan: (PlanHeading & { filePath: string; pulledBy: string | null; pulledAt: string | null }) | null;
  completedCount: number;
}

/** `queueLimit` bounds `queue`, not `queueLength`. */
export function sessionState(view: View, chosen: InSession, queueLimit?: number): SessionState {
  const { session } = chosen;
  const active = view.activePlan(session);
  return {
    ...chosen,
    sessionPath: view.sessionPath(session),
    taskDescription: view.session(session)?.taskDescription ?? null,
    queue: view.queue(session, queueLimit === undefined ? undefined : { offset: 0, limit: queueLimit }),
    queueLength: view.queueLength(session),
    activePlan: active
      ? {
          id: active.id,
          goal: active.goal,
          filePath: view.planPath(session, active.id),
          pulledBy: active.pulledBy,
          pulledAt: active.pulledAt,
        }
      : null,
    completedCount: view.completedCount(session),
  };
}
