import type { Caller } from '../../../src/planner/caller';
import type { QueueEnd } from '../../../src/planner/model';
import type { Planner } from '../../../src/planner/planner';
import type { LineClient } from '../../support/lineClient';

/** What is done to a shared queue, through whichever door. Each rejects if it is refused. */
export interface Hands {
  /** The new plan's id. */
  add(session: string, goal: string, position: QueueEnd): Promise<string>;
  /** The plan that is active now; undefined if none was ready. */
  pull(session: string): Promise<string | undefined>;
  complete(session: string, plan: string, outcome: string): Promise<void>;
  defer(session: string, plan: string, reason: string): Promise<void>;
  discard(session: string, plan: string, reason: string): Promise<void>;
  note(plan: string, note: string): Promise<void>;
  move(plan: string): Promise<void>;
  /** Ids of the first queued plans, and of the active one. */
  look(session: string): Promise<{ queue: string[]; active: string | undefined }>;
}

/** As an editor window does it. */
export function planningHands(planner: Planner, caller: Caller): Hands {
  const { queue, sessions } = planner;
  return {
    add: async (sessionName, goal, position) => {
      const { plans } = await queue.add(caller, { sessionName, plans: [{ goal }], position });
      return (plans[0] as { planId: string }).planId;
    },
    pull: async (sessionName) => {
      const pulled = await queue.pull(caller, { sessionName });
      return pulled.kind === 'pulled' ? pulled.plan.id : undefined;
    },
    complete: async (sessionName, planId, outcome) =>
      void (await queue.complete(caller, { sessionName, planId, outcome })),
    defer: async (sessionName, planId, reason) => void (await queue.defer(caller, { sessionName, planId, reason })),
    discard: async (sessionName, planId, reason) => void (await queue.discard(caller, { sessionName, planId, reason })),
    note: async (planId, appendNotes) => void (await queue.update(caller, { planId, sections: {}, appendNotes })),
    move: async (planId) => void (await queue.move(caller, { planIds: [planId], to: { position: 'front' } })),
    look: async (sessionName) => {
      const state = await sessions.resume(caller, { sessionName, queueLimit: 50 });
      return { queue: state.queue.map(({ id }) => id), active: state.activePlan?.id };
    },
  };
}

/** As an agent does it, through a server. */
export function agentHands(client: LineClient): Hands {
  return {
    add: async (session_name, goal, position) => {
      const plan = { goal, context: 'c', approach: 'a', success_criteria: 's' };
      return String((await client.call('9plan_queue_add', { session_name, position, ...plan })).plan_id);
    },
    pull: async (session_name) => {
      const { plan_id } = await client.call('9plan_queue_pull', { session_name });
      return plan_id === null ? undefined : String(plan_id);
    },
    complete: async (session_name, plan_id, outcome) =>
      void (await client.call('9plan_plan_complete', { session_name, plan_id, outcome })),
    defer: async (session_name, plan_id, reason) =>
      void (await client.call('9plan_plan_defer', { session_name, plan_id, reason })),
    discard: async (session_name, plan_id, reason) =>
      void (await client.call('9plan_plan_discard', { session_name, plan_id, reason })),
    note: async (plan_id, append_notes) => void (await client.call('9plan_plan_update', { plan_id, append_notes })),
    move: async (plan_id) => void (await client.call('9plan_queue_move', { plan_id, position: 'front' })),
    look: async (session_name) => {
      const { queue, active_plan } = await client.call('9plan_session_resume', { session_name });
      return {
        queue: (queue as { id: string }[]).map(({ id }) => id),
        active: (active_plan as { id: string } | null)?.id,
      };
    },
  };
}
