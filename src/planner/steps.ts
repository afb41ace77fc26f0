import { PlannerError } from './errors';
import type { OrderedPlan, OrderedStep } from './planBackend';
import { enteringText, excerpt } from './text';
import { type Edges, topologicalOrder } from './topology';

/** As it came in: field names and types are checked here, so that each refusal can name the step. */
export type RawStep = Readonly<Record<string, unknown>>;

/** More than this is no plan that anyone reviews; it also bounds one transaction. */
export const MAX_STEPS = 200;

const FIELDS = 'title, description, depends_on, acceptance_criteria';
const ALIASES: Readonly<Record<string, string>> = { body: 'description', after: 'depends_on' };

interface Step extends Omit<OrderedStep, 'id' | 'after'> {
  dependsOn: number[];
}

/** Checks the steps and orders them; VALIDATION_ERROR names the step and what to change. */
export function orderSteps(goal: string, raw: readonly RawStep[]): OrderedPlan {
  const enteredGoal = enteringText('goal', goal);
  if (enteredGoal === '') throw invalid('The goal is empty.', 'Say in `goal` what the steps are to achieve.');
  if (raw.length === 0) throw invalid('The plan has no steps.', 'Give at least one step with a title.');
  if (raw.length > MAX_STEPS) {
    throw invalid(
      `${raw.length} steps are too many: at most ${MAX_STEPS}.`,
      'Plan the larger parts first, each in detail when it comes up.',
    );
  }
  const steps = raw.map((step, index) => readStep(step, index, raw.length));
  return { goal: enteredGoal, steps: numbered(steps, ordered(steps)) };
}

function ordered(steps: readonly Step[]): number[] {
  const edges: Edges = steps.map((step) => step.dependsOn);
  const topology = topologicalOrder(edges);
  if ('order' in topology) return topology.order;
  const chain = [...topology.cycle, topology.cycle[0] as number].map(
    (index) => `step ${index} ("${excerpt(steps[index]?.title ?? '')}")`,
  );
  throw invalid(
    `The steps wait for each other in a circle: ${chain.join(' waits for ')}.`,
    'Remove one of these dependencies.',
  );
}

function numbered(steps: readonly Step[], order: readonly number[]): OrderedStep[] {
  const ids = new Map(order.map((step, position) => [step, `q${position + 1}`]));
  return order.map((index, position) => {
    const { title, description, acceptanceCriteria, dependsOn } = steps[index] as Step;
    const after = dependsOn.map((dependency) => ids.get(dependency) as string).sort(byNumber);
    return { id: `q${position + 1}`, title, description, acceptanceCriteria, after };
  });
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}

function readStep(raw: RawStep, index: number, count: number): Step {
  const fields = withoutAliases(raw, index);
  const title = textField(fields, 'title', index).trim();
  if (title === '') throw invalid(`Step ${index} has no title.`, 'Give every step a title of one line.');
  return {
    title,
    description: textField(fields, 'description', index),
    acceptanceCriteria: textField(fields, 'acceptance_criteria', index),
    dependsOn: dependencies(fields, index, count),
  };
}

function withoutAliases(raw: RawStep, index: number): Map<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalid(`Step ${index} is no object.`, `Give each step as an object with ${FIELDS}.`);
  }
  const fields = new Map<string, unknown>();
  for (const [given, value] of Object.entries(raw)) {
    const name = Object.hasOwn(ALIASES, given) ? (ALIASES[given] as string) : given;
    if (!FIELDS.split(', ').includes(name)) {
      throw invalid(`Step ${index} has an unknown field "${excerpt(given)}".`, `A step has the fields ${FIELDS}.`);
    }
    if (fields.has(name)) {
      throw invalid(`Step ${index} gives ${name} twice, also under another name.`, `Give ${name} alone.`);
    }
    fields.set(name, value);
  }
  return fields;
}

function textField(fields: ReadonlyMap<string, unknown>, name: string, index: number): string {
  const value = fields.get(name) ?? '';
  if (typeof value !== 'string') throw invalid(`${name} of step ${index} is no text.`, `Give ${name} as a string.`);
  return enteringText(`${name} of step ${index}`, value);
}

function dependencies(fields: ReadonlyMap<string, unknown>, index: number, count: number): number[] {
  const value = fields.get('depends_on') ?? [];
  const hint =
    count === 1
      ? 'There is only one step, so it depends on none: leave depends_on out.'
      : `depends_on holds zero-based indexes of other steps: 0 to ${count - 1}.`;
  if (!Array.isArray(value)) throw invalid(`depends_on of step ${index} is no list.`, hint);
  for (const dependency of value) {
    if (!Number.isInteger(dependency) || dependency < 0 || dependency >= count) {
      throw invalid(
        `Step ${index} depends on ${excerpt(JSON.stringify(dependency) ?? 'nothing')}, which is no step.`,
        hint,
      );
    }
    if (dependency === index) throw invalid(`Step ${index} depends on itself.`, hint);
  }
  return [...new Set(value as number[])];
}

function invalid(message: string, suggestion: string): PlannerError {
  return new PlannerError('VALIDATION_ERROR', message, suggestion);
}
