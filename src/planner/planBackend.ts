import type { Caller } from './caller';

/** A step of a plan, in topological order: all of `after` stand before it. */
export interface OrderedStep {
  /** `q1`, `q2`, … by that order. */
  id: string;
  title: string;
  description: string;
  acceptanceCriteria: string;
  after: string[];
}

export interface OrderedPlan {
  goal: string;
  steps: OrderedStep[];
}

export type BackendKind = 'queue' | 'task_backend';

export type BackendAnswer =
  /** `ids` are the backend's own, one a step, in the plan's order. `session` is null if the steps went elsewhere. */
  | { ids: string[]; session: string | null; assumed: boolean }
  /** This backend takes no plans at all, so the next one may: `unavailable` says why. */
  | { unavailable: string };

/** Where the steps of a plan outlive the conversation. */
export interface PlanBackend {
  readonly kind: BackendKind;

  /** Stores all steps or none. Rejects if it should have and could not: the plan then stays in the conversation alone. */
  createPlan(caller: Caller, input: { sessionName?: string; plan: OrderedPlan }): Promise<BackendAnswer>;
}
