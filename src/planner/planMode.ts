import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import type { Decision, Owner, Proposal, ProposalRound, ReviewComment, Todo } from './model';
import type { PlanStore, Transaction, View } from './ports';
import {
  agentsWithOpenProposals,
  checkedComments,
  knownProposal,
  latestProposal,
  likelyProposal,
  openProposal,
  openProposalAnywhere,
  ownerOf,
  proposalToSubmit,
  type Verdict,
  verdictOn,
  waitingRound,
} from './proposals';
import { queuedBefore } from './queuedTodos';
import { addPlans } from './queueing';
import { chooseSession } from './sessionChoice';
import { sessionForWork, sessionOrNone, settle, type WorkSession } from './sessionForWork';
import { EMPTY_SECTIONS, enteringText, excerpt, planTitle, requiredText } from './text';
import { checkedTodos, countTodos, sameTodos, type TodoCounts } from './todos';

export interface Ruling {
  proposalId: string;
  /** The round that was read: a decision never falls on a text its author has not seen. */
  round: number;
  decision: Decision;
  /** `editor`, or the client whose form was answered. */
  decidedBy: string;
  feedback?: string;
  comments?: ReviewComment[];
  /** The plan's text as the person changed it. */
  approvedPlan?: string;
  /** Zero-based indexes of the round's to-dos that become queued plans, in this order. Only with an approval. */
  queueTodos?: number[];
}

/**
 * Plan mode: planning -> submitted -> approved | rejected, or superseded. A proposal is stored before anyone is asked,
 * and the first decision about a round stands.
 */
export class PlanMode {
  constructor(private readonly store: PlanStore) {}

  /** Opens a proposal; an open one of the same owner is superseded. Makes a session if there is none. */
  async enter(
    caller: Caller,
    input: { sessionName?: string; reason?: string; goal?: string },
  ): Promise<InSession & { proposalId: string; status: 'planning'; superseded: string | null }> {
    const goal = optionalText('goal', input.goal);
    const reason = optionalText('reason', input.reason);
    const entered = await this.store.transact(caller.client, (tx) => {
      const session = sessionForWork(tx, caller, input.sessionName, goal ?? reason);
      const owner = ownerOf(caller, session.session);
      return { ...session, status: 'planning' as const, ...openProposal(tx, owner, { reason, goal }) };
    });
    return settle(caller, entered);
  }

  /**
   * Hands in a plan: the next round after requested changes, the only round of a new proposal otherwise. The same plan again while
   * it still waits is no new round. To-dos left out are what is left to do of the owner's current list; given ones replace it. `created`: a session was made for it.
   * A connection without a session of its own goes on with its open proposal, wherever that is. `superseded`: the id of the proposal whose place this one took.
   */
  async submit(
    caller: Caller,
    input: { sessionName?: string; plan: string; todos?: readonly Todo[] },
  ): Promise<Verdict & { created: boolean; superseded: string | null }> {
    const plan = requiredText('plan', input.plan);
    const given = input.todos && checkedTodos(input.todos);
    const verdict = await this.store.transact(caller.client, (tx) => {
      const about = excerpt(planTitle(plan)) || null;
      const session = openWork(tx, caller, input.sessionName) ?? sessionForWork(tx, caller, input.sessionName, about);
      const owner = ownerOf(caller, session.session);
      const todos = given ?? todosLeft(tx, owner);
      if (given && !sameTodos(given, tx.todos(owner))) tx.emit({ type: 'todos_replaced', owner, todos: given });
      const { proposal, superseded } = proposalToSubmit(tx, owner, plan, todos);
      if (proposal.status !== 'submitted') {
        const round = proposal.rounds.length + 1;
        tx.emit({ type: 'proposal_submitted', proposal: proposal.id, round, plan, todos });
      }
      const { created, resumed } = session;
      return { ...verdictOn(tx, proposal.id, session), created, resumed, superseded };
    });
    return settle(caller, verdict);
  }

  /**
   * Settles the round that was read. VALIDATION_ERROR, changing nothing, if it was settled before (who did is said), replaced by a
   * newer round or superseded. Queued plans are made in the same transaction.
   */
  decide(caller: Caller, ruling: Ruling): Promise<Verdict> {
    const comments = checkedComments(ruling.comments ?? []);
    const feedback = optionalText('feedback', ruling.feedback);
    return this.store.transact(caller.client, (tx) => {
      const proposal = knownProposal(tx, ruling.proposalId);
      const round = waitingRound(proposal, ruling.round);
      const changed = ruling.decision === 'approved' ? optionalText('approved_plan', ruling.approvedPlan) : null;
      const approvedPlan = changed === round.plan ? null : changed;
      const queuedPlans = queueTodos(tx, proposal, approvedPlan ?? round.plan, chosenTodos(ruling, round));
      tx.emit({
        type: 'proposal_decided',
        proposal: proposal.id,
        round: round.round,
        decision: ruling.decision,
        decidedBy: ruling.decidedBy,
        feedback,
        comments,
        approvedPlan,
        queuedPlans,
      });
      return verdictOn(tx, proposal.id, { session: proposal.session, assumed: false });
    });
  }

  /**
   * The caller's latest proposal in the session. A connection that has no session of its own yet (its server was
   * restarted) finds that of its client and agent in any session, an open one first, and works there from now on.
   */
  async status(
    caller: Caller,
    input: { sessionName?: string },
  ): Promise<InSession & { verdict: Verdict | undefined; others: string[] }> {
    const found = await this.store.read((view) => {
      const chosen = sessionOrNone(view, caller, input.sessionName);
      const latest =
        chosen?.assumed === false
          ? latestProposal(view, ownerOf(caller, chosen.session))
          : likelyProposal(view, caller, chosen?.session);
      if (!latest) {
        const none = chosen ?? chooseSession(view, caller);
        return { ...none, verdict: undefined, others: agentsWithOpenProposals(view, none.session) };
      }
      const session = { session: latest.session, assumed: chosen?.assumed ?? true };
      return { ...session, verdict: verdictOn(view, latest.id, session), others: [] };
    });
    if (found.verdict && found.assumed) caller.session = found.session;
    return found;
  }

  /** Where one proposal stands. PLAN_NOT_FOUND if there is no such proposal. */
  verdict(proposalId: string): Promise<Verdict> {
    return this.store.read((view) => {
      const proposal = knownProposal(view, proposalId);
      return verdictOn(view, proposalId, { session: proposal.session, assumed: false });
    });
  }

  /** Replaces the caller's to-do list. Makes a session if there is none. */
  async writeTodos(
    caller: Caller,
    input: { sessionName?: string; todos: readonly Todo[] },
  ): Promise<InSession & { todos: Todo[]; counts: TodoCounts }> {
    const todos = checkedTodos(input.todos);
    const written = await this.store.transact(caller.client, (tx) => {
      const session = openWork(tx, caller, input.sessionName) ?? sessionForWork(tx, caller, input.sessionName, null);
      tx.emit({ type: 'todos_replaced', owner: ownerOf(caller, session.session), todos });
      return { ...session, todos, counts: countTodos(todos) };
    });
    return settle(caller, written);
  }
}

/** Where the caller's open proposal is, if neither the call nor the connection says which session it is about. */
function openWork(view: View, caller: Caller, sessionName: string | undefined): WorkSession | undefined {
  const chosen = sessionOrNone(view, caller, sessionName);
  if (chosen?.assumed === false) return undefined;
  const open = openProposalAnywhere(view, caller, chosen?.session);
  return open && { session: open.session, assumed: true, created: false, resumed: true };
}

function optionalText(field: string, text: string | undefined): string | null {
  return enteringText(field, text ?? '') || null;
}

/** Of the owner's list, what is not done and not queued by an earlier approval. */
function todosLeft(view: View, owner: Owner): Todo[] {
  const isQueued = queuedBefore(view, owner.session);
  return view.todos(owner).filter((todo) => todo.status !== 'completed' && !isQueued(todo));
}

function chosenTodos(ruling: Ruling, round: ProposalRound): Todo[] {
  const chosen = (ruling.queueTodos ?? []).map((index) => round.todos[index]);
  const legal = chosen.every((todo) => todo !== undefined) && new Set(ruling.queueTodos).size === chosen.length;
  if (legal && (chosen.length === 0 || ruling.decision === 'approved')) return chosen as Todo[];
  throw new PlannerError(
    'VALIDATION_ERROR',
    'Only to-dos of the round that is being approved can be queued, each once.',
    'Choose among the to-dos shown with the plan.',
  );
}

/** One plan a to-do, at the front of the queue: approved work is next. The first carries the approved plan, the others say where it stands. */
function queueTodos(tx: Transaction, proposal: Proposal, approvedPlan: string, todos: readonly Todo[]): string[] {
  const ids: string[] = [];
  for (const { content } of todos) {
    const context = ids[0]
      ? `Part of the plan approved as proposal ${proposal.id}. Its text stands in the context of plan ${ids[0]}.`
      : `Part of the plan approved as proposal ${proposal.id}:\n\n${approvedPlan}`;
    const last = ids.at(-1);
    const sections = { ...EMPTY_SECTIONS, goal: content, context };
    ids.push(
      ...addPlans(tx, proposal.session, [sections], last ? { after: last } : 'front').map(({ planId }) => planId),
    );
  }
  return ids;
}
