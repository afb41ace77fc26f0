import { type FrontMatter, readFrontMatter } from './frontMatter';
import { markdownSections } from './markdownLines';
import type { Outline, PlanOutline, Remark } from './outline';
import { settled } from './settling';

/** Marks that Backlog.md puts around parts of a task, and the boxes and numbers of its criteria. */
const MARKS = /^<!--.*-->\n?/gm;
const CRITERION = /^- \[([ xX])\](?: #\d+)? /gm;

const SECTIONS = {
  context: 'Description',
  approach: 'Implementation Plan',
  successCriteria: 'Acceptance Criteria',
  notes: 'Implementation Notes',
} as const;

/** Whether it is a task of Backlog.md: a file of its own, with the facts above the text. */
export function isBacklogTask(text: string): boolean {
  const { values } = readFrontMatter(text) ?? { values: new Map() };
  return ['id', 'title', 'status'].every((key) => values.has(key));
}

/** The tasks of a folder, in the order of their numbers, each after those that it depends on. What is no task is left out. */
export function readBacklog(files: readonly string[], title: string): Outline {
  const remarks: Remark[] = [];
  const tasks = files.filter(isBacklogTask).map((text) => readFrontMatter(text) as FrontMatter);
  const plans = tasks.map(planOf).sort((a, b) => a.key.localeCompare(b.key, 'en', { numeric: true }));
  for (const plan of plans) {
    const parent = plans.find(({ key }) => key === plan.parent);
    if (!parent) plan.parent = undefined;
    else parent.waitsFor.push(plan.key);
  }
  return {
    source: 'backlog',
    sessions: [{ title, taskDescription: title, plans: settled(title, plans, remarks) }],
    remarks,
  };
}

function planOf({ values, body }: FrontMatter): PlanOutline {
  const one = (key: string) => [values.get(key) ?? []].flat()[0] ?? '';
  const status = one('status');
  const sections = markdownSections(body.replace(MARKS, ''));
  const section = (heading: string) => sections.find((each) => each.heading === heading)?.body ?? '';
  const rest = sections.filter(({ heading, body }) => body && !Object.values<string>(SECTIONS).includes(heading));
  const notes = [section(SECTIONS.notes), ...rest.map(({ heading, body }) => `## ${heading}\n\n${body}`)];
  return {
    key: one('id').toLowerCase(),
    goal: one('title').trim() || one('id'),
    context: section(SECTIONS.context),
    approach: section(SECTIONS.approach),
    successCriteria: section(SECTIONS.successCriteria).replace(CRITERION, '- '),
    notes: notes.filter(Boolean).join('\n\n'),
    waitsFor: [values.get('dependencies') ?? []].flat().map((id) => id.toLowerCase()),
    parent: one('parent_task_id').toLowerCase() || undefined,
    end: /^done$/i.test(status) ? { kind: 'completed', text: 'It was done before it was imported.' } : undefined,
    metadata: { backlog: { id: one('id'), status, priority: one('priority') || null } },
  };
}
