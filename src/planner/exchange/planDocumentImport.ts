import { markdownSections, type Section } from './markdownLines';
import type { Outline, PlanOutline } from './outline';

/** Headings as agents write them: "Step 2: …", "Phase 1 - …", "3. …". */
const STEP = /^(?:(?:step|phase|task|part|stage|milestone)\s+\d+|\d+(?:\.\d+)*[.):]?)\s*[-–—:.)]*\s*(\S.*)$/i;
const STEPS = /\b(?:implementation|steps|tasks|plan|approach|changes|work)\b/i;
const CRITERIA = /\b(?:verif|test|success|acceptance|valid|done)\w*/i;
const ORDERED = /^ {0,3}\d{1,9}[.)][ \t]+(.*)$/;

/**
 * A plan that an agent wrote as a document, such as Claude Code's plan files. Its numbered headings become plans, else
 * the numbered list of its section about the work, else it is one plan.
 */
export function readPlanDocument(text: string, name: string): Outline {
  const sections = markdownSections(text);
  const first = sections.find(({ level }) => level === 1);
  const title = first?.heading.replace(/^plan\s*[:–—-]\s*/i, '') || name.replace(/\.\w+$/, '');
  const plans = byHeadings(sections, title) ?? byList(sections, title) ?? [whole(text, title)];
  return { source: 'planDocument', sessions: [{ title, taskDescription: title, plans }], remarks: [] };
}

function byHeadings(sections: Section[], title: string): PlanOutline[] | undefined {
  const steps = sections.filter(({ heading }) => STEP.test(heading));
  const level = Math.min(...steps.map((step) => step.level));
  const chosen = steps.filter((step) => step.level === level);
  if (chosen.length < 2) return undefined;
  const rest = sections.filter((section) => !chosen.includes(section) && !isBelow(section, sections, chosen));
  return chosen.map((step, index) => ({
    key: String(index + 1),
    goal: STEP.exec(step.heading)?.[1] ?? step.heading,
    approach: withBelow(step, sections),
    waitsFor: [],
    ...surroundings(rest, title),
  }));
}

function byList(sections: Section[], title: string): PlanOutline[] | undefined {
  for (const section of sections.filter(({ heading }) => STEPS.test(heading))) {
    const items = orderedItems(section.body);
    if (items.length < 2) continue;
    const rest = sections.filter((other) => other !== section);
    return items.map(({ goal, more }, index) => ({
      key: String(index + 1),
      goal,
      approach: more,
      waitsFor: [],
      ...surroundings(rest, title),
    }));
  }
  return undefined;
}

function whole(text: string, title: string): PlanOutline {
  return { key: '1', goal: title, approach: text.trim(), waitsFor: [] };
}

/** What stands around the steps is what each of them needs to know. */
function surroundings(rest: Section[], title: string): { context: string; successCriteria: string } {
  const said = rest.filter(({ body }) => body !== '');
  const criteria = said.filter(({ heading }) => CRITERIA.test(heading));
  const context = said.filter((section) => !criteria.includes(section));
  return {
    context: [title, ...context.map(shown)].join('\n\n'),
    successCriteria: criteria.map(shown).join('\n\n'),
  };
}

function shown({ heading, level, body }: Section): string {
  return level > 1 ? `## ${heading}\n\n${body}` : body;
}

function withBelow(step: Section, sections: Section[]): string {
  const start = sections.indexOf(step);
  const length = sections.slice(start + 1).findIndex(({ level }) => level <= step.level);
  const below = sections.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return [step.body, ...below.map(({ heading, body }) => `## ${heading}\n\n${body}`.trim())].join('\n\n').trim();
}

function isBelow(section: Section, sections: Section[], steps: Section[]): boolean {
  const before = sections.slice(0, sections.indexOf(section)).findLast(({ level }) => level < section.level);
  return before !== undefined && (steps.includes(before) || isBelow(before, sections, steps));
}

/** Items of a numbered list, each with what is indented below it. */
function orderedItems(body: string): { goal: string; more: string }[] {
  const items: { goal: string; lines: string[] }[] = [];
  for (const line of body.split('\n')) {
    const goal = ORDERED.exec(line)?.[1];
    if (goal !== undefined) items.push({ goal: goal.replaceAll('**', '').trim(), lines: [] });
    else items.at(-1)?.lines.push(line.replace(/^(?: {1,4}|\t)/, ''));
  }
  return items.map(({ goal, lines }) => ({ goal, more: lines.join('\n').trim() }));
}
