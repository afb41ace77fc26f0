/** The planner's vocabulary: what exists, without how it is stored or shown. */

export type PlanStatus = 'queued' | 'active' | 'completed' | 'discarded';
export type QueueEnd = 'front' | 'back';

/** The seven sections of a plan, in file order. `''` means that a section is empty. Text is LF only, without outer blank lines. */
export interface PlanSections {
  context: string;
  goal: string;
  inputs: string;
  outputs: string;
  approach: string;
  successCriteria: string;
  notes: string;
}

export type SectionName = keyof PlanSections;

export interface Session {
  /** Three words joined by hyphens; unique in the store. */
  name: string;
  taskDescription: string | null;
  /** ISO 8601, UTC, with milliseconds; so are all times here. */
  createdAt: string;
  archivedAt: string | null;
}

export interface SessionSummary extends Session {
  queueLength: number;
  completedCount: number;
  hasActivePlan: boolean;
  /** Time of the last change to the session or one of its plans. */
  changedAt: string;
}

export interface Plan extends PlanSections {
  /** Five characters `[0-9a-z]`; unique in the store. */
  id: string;
  sessionName: string;
  status: PlanStatus;
  /** 1 is the front; null unless queued. */
  queuePosition: number | null;
  outcome: string | null;
  createdAt: string;
  createdBy: string;
  completedAt: string | null;
  /** Who pulled it and when; null unless active. */
  pulledBy: string | null;
  pulledAt: string | null;
  /** Why it was discarded; null unless discarded. */
  discardReason: string | null;
  discardedAt: string | null;
  parentId: string | null;
  /** Free-form JSON object given to `task_update`; null if none was. */
  metadata: Record<string, unknown> | null;
  /** Version of the working copy whose edits were taken in last; null if none ever was. */
  fileVersion: string | null;
}

export interface QueuedPlan {
  id: string;
  goal: string;
  queuePosition: number;
  /** Ids of the unfinished plans this one waits for; empty means ready. */
  waitingFor: string[];
}

export interface PlanHeading {
  id: string;
  goal: string;
}

export interface HistoryMatch {
  id: string;
  goal: string;
  outcome: string | null;
  sessionName: string;
  /** 1 is the best match. */
  relevanceRank: number;
}

export type TodoStatus = 'pending' | 'in_progress' | 'completed';
export type TodoPriority = 'high' | 'medium' | 'low';

export interface Todo {
  content: string;
  status: TodoStatus;
  priority?: TodoPriority;
}

/** What an agent means to do, in its own small steps. */
export interface TodoList {
  owner: Owner;
  todos: Todo[];
  changedAt: string;
}

/** Whose proposal or to-do list it is: one's own are superseded or replaced, never another agent's. */
export interface Owner {
  session: string;
  client: string;
  /** `PLAN_MODE_AGENT_ID`; '' if unset. */
  agent: string;
}

export type ProposalStatus = 'planning' | 'submitted' | 'approved' | 'rejected' | 'superseded';
export type Decision = 'approved' | 'changes_requested' | 'rejected';

export interface ReviewComment {
  /** The passage the comment is about, as it stood in the submitted plan. */
  quote: string;
  comment: string;
  /** Which of the places with this very text it was, from 0; left out means the first. */
  occurrence?: number;
}

/** One submission of a proposal and what was decided about it. */
export interface ProposalRound {
  round: number;
  plan: string;
  todos: Todo[];
  submittedAt: string;
  decision: Decision | null;
  decidedBy: string | null;
  decidedAt: string | null;
  feedback: string | null;
  comments: ReviewComment[];
  /** The text as approved, if the person changed it; else null. */
  approvedPlan: string | null;
  /** Ids of the plans made from the to-dos on approval. */
  queuedPlans: string[];
}

export interface Proposal extends Owner {
  id: string;
  status: ProposalStatus;
  reason: string | null;
  goal: string | null;
  createdAt: string;
  rounds: ProposalRound[];
}
