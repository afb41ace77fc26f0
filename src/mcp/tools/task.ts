import * as z from 'zod';
import { TASK_STATUSES } from '../../planner/taskStatus';
import type { Task, TaskHeading } from '../../planner/tasks';
import { excerpt } from '../../planner/text';
import { type Answer, definePlainTool, defineTool, id, inSession, type Tool } from '../tool';
import { fileRemark, heading, headings, joined, waits } from './phrases';

const ids = z.array(id);
const status = z.enum(TASK_STATUSES);
const TITLE_LISTED = 120;

/** What a change tells about the task. */
const changed = {
  id: z.string(),
  title: z.string(),
  status: z.string(),
  parent: z.string().nullable(),
  depends_on: ids,
};

export const taskTools: Tool[] = [
  definePlainTool({
    name: 'task_create',
    title: 'Create a task',
    description: 'Queue a task; answers its id alone. A task is a plan: title is its goal, body its approach.',
    toolset: 'tasks',
    input: {
      title: z.string(),
      body: z.string().optional(),
      parent: id.optional(),
      depends_on: ids.optional().describe('task ids'),
      ...inSession,
    },
    async handle({ session_name, depends_on, ...task }, { planner, caller }) {
      const created = await planner.tasks.create(caller, { ...task, sessionName: session_name, dependsOn: depends_on });
      return created.id;
    },
  }),
  defineTool({
    name: 'task_list',
    title: 'List tasks',
    description: 'Unfinished tasks in working order, then finished ones; 100 at most.',
    toolset: 'tasks',
    input: { status: status.optional(), ...inSession },
    output: {
      tasks: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          status: z.string(),
          parent: z.string().nullable(),
          waiting_for: ids,
        }),
      ),
      more: z.boolean(),
    },
    hints: { readOnly: true, idempotent: true },
    async handle({ session_name, status }, { planner, caller, offers }) {
      const { session, assumed, tasks, more } = await planner.tasks.list(caller, { sessionName: session_name, status });
      return {
        session,
        assumed,
        text: tasks.length > 0 ? tasks.map(taskLine).join('\n') : 'No task.',
        structured: {
          tasks: tasks.map(({ waitingFor, title, ...task }) => ({
            ...task,
            title: excerpt(title, TITLE_LISTED),
            waiting_for: waitingFor,
          })),
          more,
        },
        message: more
          ? joined(
              `Only the first ${tasks.length} are listed. Give a status to see others.${offers('9plan_admin_state') ? ' 9plan_admin_state has the whole queue.' : ''}`,
              offers('9plan_history_search') ? '9plan_history_search finds done ones.' : undefined,
            )
          : undefined,
      };
    },
  }),
  defineTool({
    name: 'task_read',
    title: 'Read a task',
    description: 'A task of any session, whole.',
    toolset: 'tasks',
    input: { id },
    output: {
      ...changed,
      body: z.string(),
      blocks: ids,
      children: ids,
      sections: z.record(z.string(), z.string()).describe('the rest of the plan'),
      outcome: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()),
      plan_path: z.string(),
    },
    hints: { readOnly: true, idempotent: true },
    async handle({ id }, { planner }) {
      const task = await planner.tasks.read({ id });
      const { plan } = task;
      const sections = otherSections(task);
      return {
        ...changeAnswer(task, [
          ...relations(task),
          ...(plan.approach === '' ? [] : [plan.approach]),
          ...Object.entries(sections).map(([name, text]) => `${name}:\n${text}`),
          ...(plan.outcome === null ? [] : [`outcome:\n${plan.outcome}`]),
        ]),
        structured: {
          ...changeFields(task),
          body: plan.approach,
          blocks: task.blocks.map(({ id }) => id),
          children: task.children.map(({ id }) => id),
          sections,
          outcome: plan.outcome,
          metadata: plan.metadata ?? {},
          plan_path: task.planPath,
        },
      };
    },
  }),
  defineTool({
    name: 'task_update',
    title: 'Change the status of a task',
    description:
      'in_progress starts an open task if none is active; done finishes one (metadata.outcome says the result); open puts an active one back or reopens a done one. metadata is merged.',
    toolset: 'tasks',
    input: { id, status: status.optional(), metadata: z.looseObject({}).optional() },
    output: changed,
    hints: { idempotent: true },
    async handle(args, { planner, caller }) {
      const task = await planner.tasks.update(caller, args);
      const early = headings(task.finishedBefore);
      return {
        ...changeAnswer(task),
        message: joined(
          early === '' ? undefined : `It was still waiting for ${early}: make sure that it is really done.`,
          task.outcomeStays
            ? 'It was done before and keeps its outcome; yours stands in its metadata. To replace it, set the task to open, then to done again.'
            : undefined,
        ),
      };
    },
  }),
  defineTool({
    name: 'task_edit',
    title: 'Edit a task',
    description: 'Revise title, body or parent ("" for none) of an unfinished task.',
    toolset: 'tasks',
    input: {
      id,
      title: z.string().optional(),
      body: z.string().optional(),
      parent: id.optional(),
    },
    output: changed,
    hints: { destructive: true, idempotent: true },
    async handle(args, { planner, caller }) {
      const task = await planner.tasks.edit(caller, args);
      return { ...changeAnswer(task), message: fileRemark(task) };
    },
  }),
  defineTool({
    name: 'task_delete',
    title: 'Delete a task',
    description: 'Cancel an unfinished task. Done ones stay in the history.',
    toolset: 'tasks',
    input: { id, reason: z.string().optional() },
    output: changed,
    hints: { destructive: true, idempotent: true },
    async handle(args, { planner, caller }) {
      return changeAnswer(await planner.tasks.delete(caller, args));
    },
  }),
  defineTool({
    name: 'task_dep',
    title: 'Change what a task waits for',
    description: 'Make the task wait for each in add, no longer for each in remove.',
    toolset: 'tasks',
    input: { id, add: ids.optional(), remove: ids.optional() },
    output: changed,
    hints: { idempotent: true },
    async handle(args, { planner, caller }) {
      return changeAnswer(await planner.tasks.dep(caller, args));
    },
  }),
];

function changeFields({ plan, status, dependsOn }: Task) {
  return {
    id: plan.id,
    title: plan.goal,
    status,
    parent: plan.parentId,
    depends_on: dependsOn.map(({ id }) => id),
  };
}

function changeAnswer(task: Task, details: string[] = []): Answer<ReturnType<typeof changeFields>> {
  const fields = changeFields(task);
  const waits = fields.depends_on.length > 0 ? `, depends on ${fields.depends_on.join(', ')}` : '';
  const line = `${heading(task.plan)} [${task.status}]${waits}`;
  return { session: task.session, text: [line, ...details].join('\n\n'), structured: fields };
}

/** What the structured content says beside the texts, for clients that show the text alone. */
function relations({ plan, blocks, children, planPath }: Task): string[] {
  const ids = (plans: readonly { id: string }[]) => plans.map(({ id }) => id).join(', ');
  return [
    [
      plan.parentId === null ? '' : `Parent: ${plan.parentId}`,
      blocks.length === 0 ? '' : `Blocks: ${ids(blocks)}`,
      children.length === 0 ? '' : `Children: ${ids(children)}`,
      plan.metadata === null ? '' : `Metadata: ${JSON.stringify(plan.metadata)}`,
      `File: ${planPath}`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  ];
}

/** The sections of a plan that a task has no name for. */
function otherSections({ plan }: Task): Record<string, string> {
  const sections = {
    context: plan.context,
    inputs: plan.inputs,
    outputs: plan.outputs,
    success_criteria: plan.successCriteria,
    notes: plan.notes,
  };
  return Object.fromEntries(Object.entries(sections).filter(([, text]) => text !== ''));
}

function taskLine({ id, title, status, waitingFor }: TaskHeading): string {
  return `[${status}] ${id}: ${excerpt(title, TITLE_LISTED)}${waits(waitingFor)}`;
}
