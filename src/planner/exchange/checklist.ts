import { headingText, markdownLines } from './markdownLines';
import type { Outline, PlanOutline, Remark } from './outline';
import { settled } from './settling';

/** Besides a blank and an x, tools write marks for what is under way or optional: `[-]`, `[~]`, `[/]`, or Kiro's `[ ]*`. */
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX✓✔~/>-])\](\*?)[ \t]+(.*)$/;
/** An item's number, as Spec Kit gives them: `T012 …`. */
const NUMBER = /^(T\d{3,})\b/;
/** … and what it waits for: `(depends on T010, T011)`. */
const DEPENDS = /\bdepends on ((?:T\d{3,}(?:\s*(?:,|and|&|\+)\s*)?)+)/i;

/** Whether there is something to tick off. */
export function isChecklist(text: string): boolean {
  return markdownLines(text).some(({ text: line, inFence }) => !inFence && ITEM.test(line));
}

interface Item extends PlanOutline {
  indent: number;
  lines: string[];
}

/** Each item becomes a plan, in the order of the list; one with items below it waits for them and comes after them. */
export function readChecklist(text: string): Outline {
  const items: Item[] = [];
  const headings: string[] = [];
  const remarks: Remark[] = [];
  let title: string | null = null;
  let left = 0;
  for (const { text: line, inFence, level } of markdownLines(text)) {
    const found = inFence ? null : ITEM.exec(line);
    const open = items.at(-1);
    if (level !== undefined) {
      if (title === null && level === 1 && items.length === 0) title = headingText(line);
      else {
        headings.length = level - 1;
        headings.push(headingText(line));
      }
      if (open) open.indent = -1;
    } else if (found) {
      const [, space = '', mark = '', star, goal = ''] = found;
      const item = itemOf(items, widthOf(space), /[xX✓✔]/.test(mark), goal, headings);
      if (star) item.notes = 'Optional.';
      items.push(item);
    } else if (open && open.indent >= 0 && (line.trim() === '' || inFence || widthOf(line) > open.indent)) {
      open.lines.push(line);
    } else if (line.trim() !== '' && items.length > 0) {
      if (open) open.indent = -1;
      left++;
    }
  }
  if (left > 0) remarks.push({ kind: 'leftOut', lines: left });
  for (const item of items) item.approach = outdented(item.lines);
  linkNumbers(items);
  const plans = settled(title ?? 'The list', childrenFirst(items), remarks);
  return { source: 'checklist', sessions: [{ title, taskDescription: title, plans }], remarks };
}

function itemOf(before: Item[], indent: number, isDone: boolean, goal: string, headings: string[]): Item {
  const above = headings.filter(Boolean).join(' › ');
  const parent = parentOf(before, indent);
  const key = String(before.length + 1);
  parent?.waitsFor.push(key);
  return {
    key,
    indent,
    lines: [],
    goal: goal.trim() || `Item ${key}`,
    context: [above, parent && `Part of: ${parent.goal}`].filter(Boolean).join('\n\n'),
    waitsFor: [],
    parent: parent?.key,
    end: isDone ? { kind: 'completed', text: 'It was ticked off before it was imported.' } : undefined,
  };
}

/** Numbers that are given twice or that no item has name nothing. */
function linkNumbers(items: Item[]): void {
  const keyOf = new Map<string, string | undefined>();
  for (const { goal, key } of items) {
    const number = NUMBER.exec(goal)?.[1];
    if (number) keyOf.set(number, keyOf.has(number) ? undefined : key);
  }
  for (const item of items) {
    const named = DEPENDS.exec(`${item.goal} ${item.lines.join(' ')}`)?.[1]?.match(/T\d{3,}/g) ?? [];
    item.waitsFor.push(...named.flatMap((number) => keyOf.get(number) ?? []));
  }
}

/** The nearest item above that stands further left, with nothing else between. */
function parentOf(before: Item[], indent: number): Item | undefined {
  for (let index = before.length - 1; index >= 0; index--) {
    const item = before[index] as Item;
    if (item.indent < 0) return undefined;
    if (item.indent < indent) return item;
  }
  return undefined;
}

function childrenFirst(items: Item[]): PlanOutline[] {
  const children = new Map<string | undefined, Item[]>();
  for (const item of items) {
    const siblings = children.get(item.parent);
    if (siblings) siblings.push(item);
    else children.set(item.parent, [item]);
  }
  const below = (parent: string | undefined): PlanOutline[] =>
    (children.get(parent) ?? []).flatMap(({ indent: _, lines: __, ...plan }) => [...below(plan.key), plan]);
  return below(undefined);
}

function widthOf(line: string): number {
  const space = /^[ \t]*/.exec(line)?.[0] ?? '';
  return space.replaceAll('\t', '    ').length;
}

function outdented(lines: string[]): string {
  const widths = lines.filter((line) => line.trim() !== '').map(widthOf);
  const width = Math.min(...widths);
  return lines
    .map((line) => line.replaceAll('\t', '    ').slice(Number.isFinite(width) ? width : 0))
    .join('\n')
    .trim();
}
