import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';

export const BOOTSTRAP: Prompt = {
  name: 'bootstrap',
  title: 'Plan a large task',
  description: 'Set up a session for a large task and split the task into plans.',
  arguments: [{ name: 'task', description: 'what is to be done', required: false }],
};

/** The `bootstrap` prompt (seed, section 7). */
export function bootstrapPrompt(task: string | undefined, wording: (text: string) => string): GetPromptResult {
  const about = task?.trim() ? `The task:\n\n${task.trim()}` : 'First ask me what the task is.';
  return {
    description: BOOTSTRAP.description,
    messages: [{ role: 'user', content: { type: 'text', text: `${wording(GUIDE)}\n\n${about}` } }],
  };
}

const GUIDE = `Help me plan a large task with 9plan. Go step by step:

1. Understand it. Ask what you need to know about scope, parts, constraints and order; don't guess.
2. Open a session: 9plan_session_create with a task_description I will recognise in a month.
3. Split the work into plans, each small enough for one sitting and complete in itself.
4. Say what depends on what: Inputs describe what a plan needs, Outputs what it makes.
5. Show me the list. When I agree, queue it in working order with 9plan_queue_add_batch.
6. Begin: 9plan_queue_pull.

A plan is good when
- its goal is one checkable result,
- its approach gives steps that someone without this conversation could follow,
- its success criteria can be observed,
- its inputs name other plans' results by description,
- its outputs use words that a later search will contain.

Several plans added to the front in one 9plan_queue_add_batch keep their order; added one by one they end up reversed.`;
