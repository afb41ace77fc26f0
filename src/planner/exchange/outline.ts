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
  /** What could not be taken over as it was. */
  remarks: Remark[];
}

/** `list` is what the tool calls the plans that belong together, `key` and `other` are what it calls two of them. */
export type Remark =
  | { kind: 'repeated'; list: string; key: string }
  | { kind: 'missing'; list: string; key: string; blockers: string[] }
  | { kind: 'circle'; list: string; key: string; other: string }
  | { kind: 'leftOut'; lines: number };

/** Why a text can't be imported; `detail` is in the words of whoever tried to read it. */
export type ImportFault =
  | { kind: 'empty' | 'unknown' | 'newer' | 'encoding' }
  | { kind: 'json' | 'shape'; detail: string }
  | { kind: 'line'; line: number; detail: string }
  | { kind: 'tag'; tag: string; detail: string };

/** A text that can't be imported. */
export class UnreadableImport extends Error {
  override readonly name = 'UnreadableImport';

  constructor(readonly fault: ImportFault) {
    super(`the import can't be read: ${JSON.stringify(fault)}`);
  }
}
