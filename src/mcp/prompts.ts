import { ErrorCode, type GetPromptResult, McpError, type Prompt } from '@modelcontextprotocol/sdk/types.js';
import type { Toolset } from './config';

interface Guide {
  prompt: Prompt;
  /** Without these tools it would ask for what can't be done. */
  toolset: Toolset;
  text: string;
}

const task = [{ name: 'task', description: 'what is to be done', required: false }];

const GUIDES: readonly Guide[] = [
  {
    prompt: {
      name: 'bootstrap',
      title: 'Plan a large task',
      description: 'Set up a session for a large task and split the task into plans.',
      arguments: task,
    },
    toolset: 'queue',
    text: `Help me plan a large task with 9plan. Go step by step:

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

Several plans added to the front in one 9plan_queue_add_batch keep their order; added one by one they end up reversed.`,
  },
  {
    prompt: {
      name: 'plan_first',
      title: 'Plan first, start when approved',
      description: 'Research a task, hand in a plan for it, and begin only when a person has approved it.',
      arguments: task,
    },
    toolset: 'planmode',
    text: `Plan this before you touch anything, and let me approve the plan.

1. enter_plan_mode with the goal, then get_plan_mode_standards. Keep to them.
2. Research: read the code, tests and documents that are involved. Change nothing. Ask me what only I can know.
3. Keep the steps as a list with todo_write.
4. exit_plan_mode with a plan that stands by itself: what you found, the steps and the files they touch, how each is verified, the risks, what is left out.
5. Approved: carry out what was approved, my comments included. Changes requested: revise it and hand in the whole plan again. Rejected: stop and ask me.
6. No decision yet is no approval: wait with plan_mode_status.

If the work turns out too large for one sitting, open a session with 9plan_session_create and queue its parts with 9plan_queue_add_batch once they are approved.`,
  },
];

/** What clients offer as slash commands. */
export function listPrompts(toolsets: readonly Toolset[]): Prompt[] {
  return guides(toolsets).map(({ prompt }) => prompt);
}

/**
 * The messages of a prompt (seed, section 7), in our words as `wording` puts them; the person's task stays as it is.
 * Throws McpError if there is no prompt of that name.
 */
export function getPrompt(
  { name, arguments: args }: { name: string; arguments?: Record<string, string> },
  toolsets: readonly Toolset[],
  wording: (text: string) => string,
): GetPromptResult {
  const guide = guides(toolsets).find(({ prompt }) => prompt.name === name);
  if (!guide) throw new McpError(ErrorCode.InvalidParams, `Unknown prompt: ${name.slice(0, 100)}`);
  const given = args?.task?.trim();
  const about = given ? `The task:\n\n${given}` : 'First ask me what the task is.';
  return {
    description: guide.prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: `${wording(guide.text)}\n\n${about}` } }],
  };
}

function guides(toolsets: readonly Toolset[]): Guide[] {
  return GUIDES.filter(({ toolset }) => toolsets.includes(toolset));
}
