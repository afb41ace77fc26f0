import type { Plan, PlanHeading, Session } from './model';
import type { View } from './ports';

export type GraphState = 'active' | 'ready' | 'waiting' | 'completed' | 'discarded';

export interface GraphPlan {
  id: string;
  goal: string;
  session: string;
  state: GraphState;
  /** 1 is the front; null unless queued. */
  queuePosition: number | null;
}

/** `to` waits for `from`; `holds` until that one is completed or discarded. */
export interface GraphEdge {
  from: string;
  to: string;
  holds: boolean;
}

export interface DependencyGraph {
  /** The one that the graph is about comes first. */
  sessions: Session[];
  /** The open ones as they will be worked off, then what they are connected with. */
  plans: GraphPlan[];
  edges: GraphEdge[];
  /** Plans of the queue, and edges, that there was no room for. */
  leftOut: { plans: number; edges: number };
}

/** More than this nobody can read, nor do renderers draw it. */
const MOST_PLANS = 200;
const MOST_EDGES = 500;
/** Shown where nothing is open any more. */
const FINISHED_SHOWN = 50;

/**
 * The open plans of a session, all that they wait for, over any number of steps and in any session, and what elsewhere waits
 * for them. A session without open plans shows its last finished ones.
 */
export function dependencyGraph(view: View, session: string): DependencyGraph {
  const active = view.activePlan(session);
  const queue = view.queue(session, { offset: 0, limit: MOST_PLANS - (active ? 1 : 0) });
  const open = [...(active ? [active.id] : []), ...queue.map(({ id }) => id)];
  const ids = connected(view, open.length > 0 ? open : lastFinished(view, session));
  const plans = new Map([...ids].flatMap((id) => keyed(view.plan(id))));
  const edges = [...plans.keys()].flatMap((to) =>
    view
      .blockersOf(to)
      .map(({ id: from }): GraphEdge => ({ from, to, holds: isOpen(plans.get(from) ?? view.plan(from)) })),
  );
  const drawn = edges.filter(({ from }) => plans.has(from));
  const waiting = new Set(edges.flatMap(({ to, holds }) => (holds ? [to] : [])));
  const sessions = new Set([session, ...[...plans.values()].map(({ sessionName }) => sessionName)]);
  return {
    sessions: [...sessions].flatMap((name) => view.session(name) ?? []),
    plans: [...plans.values()].map((plan) => graphPlan(plan, waiting.has(plan.id))),
    edges: drawn.slice(0, MOST_EDGES),
    leftOut: { plans: view.queueLength(session) - queue.length, edges: Math.max(0, drawn.length - MOST_EDGES) },
  };
}

function connected(view: View, from: string[]): Set<string> {
  const found = new Set(from);
  const follow = (ids: Iterable<string>, next: (id: string) => PlanHeading[]) => {
    for (const id of ids) for (const other of next(id)) if (found.size < MOST_PLANS) found.add(other.id);
  };
  // A set hands out what is added while it is walked through.
  follow(found, (id) => view.blockersOf(id));
  follow([...found], (id) => view.blockedBy(id));
  return found;
}

/** In the order in which they were finished. */
function lastFinished(view: View, session: string): string[] {
  return view
    .history(session, { status: 'completed', offset: 0, limit: FINISHED_SHOWN })
    .map(({ id }) => id)
    .reverse();
}

function keyed(plan: Plan | undefined): [string, Plan][] {
  return plan ? [[plan.id, plan]] : [];
}

function isOpen(plan: Plan | undefined): boolean {
  return plan?.status === 'queued' || plan?.status === 'active';
}

function graphPlan({ id, goal, sessionName, status, queuePosition }: Plan, waits: boolean): GraphPlan {
  const state = status === 'queued' ? (waits ? 'waiting' : 'ready') : status;
  return { id, goal, session: sessionName, state, queuePosition };
}
