import * as vscode from 'vscode';
import { EDITOR } from '../../planner/caller';
import type { Plan, PlanHeading } from '../../planner/model';
import { parsePlan } from '../../planner/planDocument';
import type { Planner } from '../../planner/planner';
import type { View } from '../../planner/ports';
import { SECTION_NAMES } from '../../planner/text';
import type { PlanAction, PlanHeader } from '../../webview/protocol';
import { plainLine } from '../plainText';

/** The plan that a file belongs to, as the store has it. */
export interface PlanOfFile {
  plan: Plan;
  /** What its session is about. */
  task: string;
  waitingFor: PlanHeading[];
  queueLength: number;
  /** Its session has an active plan, this one or another. */
  isBusy: boolean;
}

/** `<store>/<session>/plans/<id>.txt`, below whatever folder the store is in. */
const PLAN_PATH = /\/([^/]+)\/plans\/([0-9a-z]{5})\.txt$/;

/** Session and id that a plan file's path names; undefined if it is no such path. */
export function namesInPath(path: string): { session: string; id: string } | undefined {
  const [, session, id] = PLAN_PATH.exec(path.replaceAll('\\', '/')) ?? [];
  return session && id ? { session, id } : undefined;
}

/** Undefined if the store has no such plan. `samePath` tells whether two absolute paths mean one file. */
export async function planOfFile(
  planner: Planner,
  path: string,
  samePath: (a: string, b: string) => boolean,
): Promise<PlanOfFile | 'foreign' | 'missing'> {
  const names = namesInPath(path);
  if (!names) return 'foreign';
  return planner.store.read((view) => {
    if (!samePath(view.planPath(names.session, names.id), path)) return 'foreign';
    const plan = view.plan(names.id);
    return plan?.sessionName === names.session ? withSurroundings(view, plan) : 'missing';
  });
}

/** A plan with what an editor shows of the queue around it. */
export function withSurroundings(view: View, plan: Plan): PlanOfFile {
  const isUnfinished = ({ id }: PlanHeading) => ['queued', 'active'].includes(view.plan(id)?.status ?? '');
  return {
    plan,
    task: view.session(plan.sessionName)?.taskDescription ?? '',
    waitingFor: plan.status === 'queued' ? view.blockersOf(plan.id).filter(isUnfinished) : [],
    queueLength: view.queueLength(plan.sessionName),
    isBusy: view.activePlan(plan.sessionName) !== undefined,
  };
}

export function isFinished(found: PlanOfFile | 'foreign' | 'missing' | undefined): found is PlanOfFile {
  return typeof found === 'object' && (found.plan.status === 'completed' || found.plan.status === 'discarded');
}

/** Whether a file says what the stored plan says, which a file that the planner is about to delete does. */
export function isRecorded(text: string, plan: Plan): boolean {
  const { sections, preamble } = parsePlan(text);
  return preamble === '' && SECTION_NAMES.every((name) => (sections[name] ?? plan[name]) === plan[name]);
}

/** What the editor shows above the sections. */
export function headerOf(found: PlanOfFile | 'foreign' | 'missing' | undefined, path: string): PlanHeader {
  const empty: PlanHeader = {
    state: 'loading',
    id: namesInPath(path)?.id ?? '',
    session: '',
    task: '',
    queuePosition: null,
    queueLength: 0,
    waitingFor: [],
    pulledBy: null,
    pulledAt: null,
    finishedAt: null,
    outcome: null,
    actions: [],
  };
  if (found === undefined) return empty;
  if (typeof found === 'string') return { ...empty, state: found };
  const { plan } = found;
  return {
    state: plan.status,
    id: plan.id,
    session: plan.sessionName,
    task: plainLine(found.task, 40),
    queuePosition: plan.queuePosition,
    queueLength: found.queueLength,
    waitingFor: found.waitingFor.map(({ id, goal }) => ({ id, goal: plainLine(goal) })),
    pulledBy: plan.pulledBy === EDITOR ? vscode.l10n.t('You') : plan.pulledBy,
    pulledAt: plan.pulledAt,
    finishedAt: plan.completedAt ?? plan.discardedAt,
    outcome: plan.outcome ?? plan.discardReason,
    actions: actionsFor(found),
  };
}

function actionsFor({ plan, waitingFor, isBusy, queueLength }: PlanOfFile): PlanAction[] {
  if (plan.status === 'active') return ['complete', 'defer', 'release', 'discard'];
  if (plan.status !== 'queued') return ['reopen'];
  const moves: PlanAction[] = [
    ...(plan.queuePosition === 1 ? [] : (['moveToFront'] as const)),
    ...(plan.queuePosition === queueLength ? [] : (['moveToBack'] as const)),
  ];
  const canStart = !isBusy && waitingFor.length === 0;
  return [...(canStart ? (['start'] as const) : []), ...moves, 'discard'];
}
