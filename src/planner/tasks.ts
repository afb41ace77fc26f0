import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import { takeInReadableEdits, withEdits } from './fileEdits';
import { discardPlan } from './lifecycle';
import type { Plan, PlanHeading, PlanSections } from './model';
import { quoted } from './names';
import { appendPlan } from './newPlan';
import { unfinishedBlockers } from './planChoice';
import { editPlan, type FileOutcome } from './planEdits';
import type { PlanStore, Transaction, View } from './ports';
import { chooseSession } from './sessionChoice';
import { sessionForWork, settle } from './sessionForWork';
import { checkNoCircle, checkNoOwnAncestor, knownTask } from './taskGraph';
import { mergedMetadata } from './taskMetadata';
import { moveTask, type TaskStatus, taskStatus } from './taskStatus';
import { enteringText, requiredText } from './text';

export interface TaskHeading {
  id: string;
  title: string;
  status: TaskStatus;
  parent: string | null;
  /** Unfinished tasks it waits for. */
  waitingFor: string[];
}

export interface Task extends InSession {
  plan: Plan;
  status: TaskStatus;
  planPath: string;
  /** Direct ones, finished or not. */
  dependsOn: PlanHeading[];
  blocks: PlanHeading[];
  children: PlanHeading[];
}

export interface UpdatedTask extends Task {
  /** What it still waited for when this call finished it. */
  finishedBefore: PlanHeading[];
  /** It was done before, with another outcome than this call gives: that one stays. */
  outcomeStays: boolean;
}

/** A list answer stays readable; older finished tasks are found through the history. */
export const LIST_LIMIT = 100;

/**
 * The queue as other planning agents expect it: a task is a plan, its title the goal, its body the approach. Tasks are
 * named by id across sessions.
 */
export class Tasks {
  constructor(private readonly store: PlanStore) {}

  /** Adds a task at the end of the queue. Makes a session if there is none. */
  async create(
    caller: Caller,
    input: { sessionName?: string; title: string; body?: string; parent?: string; dependsOn?: readonly string[] },
  ): Promise<InSession & { id: string }> {
    const goal = requiredText('title', input.title);
    const approach = enteringText('body', input.body ?? '');
    const created = await this.store.transact(caller.client, (tx) => {
      const parent = input.parent ? knownTask(tx, input.parent, 'parent').id : null;
      const waitsFor = new Set((input.dependsOn ?? []).map((id) => knownTask(tx, id, 'depends_on').id));
      const session = sessionForWork(tx, caller, input.sessionName, null);
      const id = appendPlan(tx, session.session, { goal, approach }, parent);
      for (const blocker of waitsFor) tx.emit({ type: 'plan_linked', plan: id, waitsFor: blocker });
      return { ...session, id };
    });
    return settle(caller, created);
  }

  /** Unfinished tasks in working order, then finished ones, newest first; at most LIST_LIMIT of them. */
  list(
    caller: Caller,
    input: { sessionName?: string; status?: TaskStatus },
  ): Promise<InSession & { tasks: TaskHeading[]; more: boolean }> {
    return this.store.read((view) => {
      const session = chooseSession(view, caller, input.sessionName);
      const found = [...headings(view, session.session, input.status)];
      return { ...session, tasks: found.slice(0, LIST_LIMIT), more: found.length > LIST_LIMIT };
    });
  }

  read(input: { id: string }): Promise<Task> {
    return this.store.read((view) => {
      const task = taskIn(view, input.id);
      return { ...task, plan: withEdits(view, task.plan) };
    });
  }

  /**
   * Moves a task to another status and merges `metadata` into its own (null removes a key). The outcome of a finished task is
   * `metadata.outcome`. VALIDATION_ERROR for a transition that the queue does not know.
   */
  async update(
    caller: Caller,
    input: { id: string; status?: TaskStatus; metadata?: Readonly<Record<string, unknown>> },
  ): Promise<UpdatedTask> {
    const task = await this.store.transact(caller.client, (tx) => {
      const plan = knownTask(tx, input.id);
      const finishes = input.status === 'done' && taskStatus(plan) !== 'done';
      const { outcome, rest } = finishes
        ? splitOutcome({ ...said(plan.metadata), ...input.metadata })
        : { outcome: undefined, rest: input.metadata };
      const given = input.status === 'done' && !finishes ? rest?.outcome : undefined;
      // The same call again, after an answer that got lost.
      const isRepeated = given !== undefined && given === plan.outcome;
      const outcomeStays = typeof given === 'string' && !isRepeated;
      const finishedBefore = finishes ? unfinishedBlockers(tx, plan.id) : [];
      if (input.status) moveTask(tx, caller, plan, input.status, outcome);
      const metadata = mergedMetadata(plan.metadata, {
        ...rest,
        ...(finishes || isRepeated ? { outcome: null } : {}),
      });
      if (metadata !== plan.metadata) tx.emit({ type: 'plan_annotated', plan: plan.id, metadata });
      return { ...taskIn(tx, plan.id), finishedBefore, outcomeStays };
    });
    if (input.status) followActive(caller, task);
    return task;
  }

  /** Revises title, body or parent of an unfinished task. An empty `parent` takes it out of its parent. */
  async edit(
    caller: Caller,
    input: { id: string; title?: string; body?: string; parent?: string },
  ): Promise<Task & Partial<FileOutcome>> {
    const sections: Partial<PlanSections> = {};
    if (input.title !== undefined) sections.goal = requiredText('title', input.title);
    if (input.body !== undefined) sections.approach = enteringText('body', input.body);
    if (Object.keys(sections).length === 0 && input.parent === undefined) {
      throw new PlannerError('VALIDATION_ERROR', 'Nothing to change was given.', 'Give a title, a body or a parent.');
    }
    return this.store.transact(caller.client, (tx) => {
      const plan = unfinishedTask(tx, input.id, 'edited');
      const changesText = Object.keys(sections).length > 0;
      const edited = changesText ? editPlan(tx, plan, sections) : undefined;
      if (!changesText) takeInReadableEdits(tx, plan);
      if (input.parent !== undefined) reparent(tx, plan, input.parent);
      return { ...taskIn(tx, plan.id), ...edited };
    });
  }

  /** Discards an unfinished task; a cancelled one stays so. A done one is refused: completed work stays in the history. */
  async delete(caller: Caller, input: { id: string; reason?: string }): Promise<Task> {
    const reason = enteringText('reason', input.reason ?? '') || 'Deleted with task_delete.';
    const task = await this.store.transact(caller.client, (tx) => {
      if (taskStatus(knownTask(tx, input.id)) !== 'cancelled') {
        discardPlan(tx, unfinishedTask(tx, input.id, 'deleted'), reason);
      }
      return taskIn(tx, input.id);
    });
    followActive(caller, task);
    return task;
  }

  /** Makes the task wait for each in `add`, and no longer for each in `remove`. What is so already stays so. */
  async dep(caller: Caller, input: { id: string; add?: readonly string[]; remove?: readonly string[] }): Promise<Task> {
    const both = input.add?.find((id) => input.remove?.includes(id));
    if (both !== undefined) {
      throw new PlannerError(
        'VALIDATION_ERROR',
        `${quoted(both)} stands in add and in remove.`,
        'Name each task in one of the two.',
      );
    }
    return this.store.transact(caller.client, (tx) => {
      const plan = input.add?.length ? unfinishedTask(tx, input.id, 'made to wait') : knownTask(tx, input.id);
      const blockers = new Set(tx.blockersOf(plan.id).map(({ id }) => id));
      for (const id of new Set(input.remove)) {
        if (blockers.delete(knownTask(tx, id, 'remove').id)) {
          tx.emit({ type: 'plan_unlinked', plan: plan.id, waitsFor: id });
        }
      }
      for (const id of new Set(input.add)) {
        checkNoCircle(tx, plan.id, knownTask(tx, id, 'add').id);
        if (!blockers.has(id)) tx.emit({ type: 'plan_linked', plan: plan.id, waitsFor: id });
      }
      return taskIn(tx, plan.id);
    });
  }
}

function taskIn(view: View, id: string): Task {
  const plan = knownTask(view, id);
  return {
    session: plan.sessionName,
    assumed: false,
    plan,
    status: taskStatus(plan),
    planPath: view.planPath(plan.sessionName, plan.id),
    dependsOn: view.blockersOf(plan.id),
    blocks: view.blockedBy(plan.id),
    children: view.childrenOf(plan.id),
  };
}

/** One more than LIST_LIMIT of each status at most, to tell that there are more. */
function* headings(view: View, session: string, status: TaskStatus | undefined): Generator<TaskHeading> {
  const wanted = (candidate: TaskStatus) => status === undefined || status === candidate;
  const active = view.activePlan(session);
  if (active && wanted('in_progress')) yield headingOf(active);
  if (wanted('open')) {
    for (const { id, waitingFor } of view.queue(session, { offset: 0, limit: LIST_LIMIT + 1 })) {
      const plan = view.plan(id);
      if (plan) yield headingOf(plan, waitingFor);
    }
  }
  for (const finished of ['completed', 'discarded'] as const) {
    if (!wanted(finished === 'completed' ? 'done' : 'cancelled')) continue;
    const plans = view.history(session, { status: finished, offset: 0, limit: LIST_LIMIT + 1 });
    for (const plan of plans) yield headingOf(plan);
  }
}

function headingOf(plan: Plan, waitingFor: string[] = []): TaskHeading {
  return { id: plan.id, title: plan.goal, status: taskStatus(plan), parent: plan.parentId, waitingFor };
}

function unfinishedTask(view: View, id: string, change: string): Plan {
  const plan = knownTask(view, id);
  if (plan.status === 'queued' || plan.status === 'active') return plan;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `Task ${id} is ${taskStatus(plan)} and can't be ${change}.`,
    plan.status === 'completed' ? 'Reopen it first with task_update, status open.' : 'Create a new task instead.',
    { session: plan.sessionName },
  );
}

function reparent(tx: Transaction, plan: Plan, to: string): void {
  const parent = to === '' ? null : knownTask(tx, to, 'parent').id;
  if (parent !== null) checkNoOwnAncestor(tx, plan.id, parent);
  if (parent !== plan.parentId) tx.emit({ type: 'plan_reparented', plan: plan.id, parent });
}

/** Keeps track of the connection's own active plan, as a pull and its end do. */
function followActive(caller: Caller, task: Task): void {
  const { id, pulledAt } = task.plan;
  if (pulledAt !== null) caller.pulled = { plan: id, at: pulledAt };
  else if (caller.pulled?.plan === id) caller.pulled = undefined;
}

/** The outcome, if it was given before the task was done. */
function said(metadata: Readonly<Record<string, unknown>> | null): { outcome?: string } {
  const outcome = metadata?.outcome;
  return typeof outcome === 'string' ? { outcome } : {};
}

/** The outcome of a task that finishes goes into the history, not into the metadata. */
function splitOutcome(metadata: Readonly<Record<string, unknown>> = {}): {
  outcome: string | undefined;
  rest: Record<string, unknown>;
} {
  const { outcome, ...rest } = metadata;
  if (outcome === undefined || outcome === null) return { outcome: undefined, rest };
  if (typeof outcome === 'string') return { outcome, rest };
  throw new PlannerError('VALIDATION_ERROR', 'metadata.outcome is no text.', 'Give metadata.outcome as a string.');
}
