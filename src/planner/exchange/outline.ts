import type { NewPlan } from '../queueing';

/** A plan as another tool describes it. `key` tells it from the others of its session. */
export interface PlanOutline extends NewPlan {
  key: string;
  /** Keys of the plans that it waits for. */
  waitsFor: string[];
  /** Key of the plan that it is a part of. */
  parent?: string;
  /** What became of it there; open if absent. */
  end?: { kind: 'completed' | 'discarded'; text: string };
  metadata?: Record<string, unknown>;
}

export interface SessionOutline {
  /** What it is called there, if it has a name; a session here gets a name of its own. */
  title: string | null;
  taskDescription: string | null;
  /** In the order in which they are to be queued. */
  plans: PlanOutline[];
}

export type Source = 'taskMaster' | 'beads' | 'backlog' | 'checklist' | 'planDocument';

export interface Outline {
  source: Source;
  sessions: SessionOutline[];
  /** What could not be taken over as it was, each in a sentence. */
  remarks: string[];
}

/** A text that can't be imported, with the reason in a sentence. */
export class UnreadableImport extends Error {
  override readonly name = 'UnreadableImport';
}
