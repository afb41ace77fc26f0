import type { Plan, PlanSections } from '../planner/model';
import { escapeMarkdown, firstLine } from './plainText';

/** Headings and words, in the reader's language. */
export interface PlanWords {
  heading: Record<keyof PlanSections | 'outcome' | 'discardReason', string>;
  status: Record<Plan['status'], string>;
}

const ORDER = [
  'outcome',
  'discardReason',
  'context',
  'goal',
  'inputs',
  'outputs',
  'approach',
  'successCriteria',
  'notes',
] as const;

/** A whole plan for reading, with its empty sections left out. Sections are Markdown already; only the title is text. */
export function planMarkdown(plan: Plan, words: PlanWords): string {
  const time = plan.completedAt ?? plan.discardedAt ?? plan.pulledAt ?? plan.createdAt;
  const parts = [
    `# ${escapeMarkdown(firstLine(plan.goal, 200))}`,
    `\`${plan.id}\` · ${words.status[plan.status]} · ${time.slice(0, 16).replace('T', ' ')} UTC · ${plan.sessionName}`,
  ];
  for (const key of ORDER) {
    const text = plan[key];
    if (text) parts.push(`## ${words.heading[key]}`, text);
  }
  return `${parts.join('\n\n')}\n`;
}
