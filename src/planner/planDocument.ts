import { type ClosedFence, findClosedFence, opensFence } from './fences';
import type { PlanSections, SectionName } from './model';
import { normalizeText } from './text';

/** The headings of a plan file, in file order (seed, section 8.1). */
export const HEADINGS: readonly (readonly [SectionName, string])[] = [
  ['context', 'Context'],
  ['goal', 'Goal'],
  ['inputs', 'Inputs'],
  ['outputs', 'Outputs'],
  ['approach', 'Approach'],
  ['successCriteria', 'Success Criteria'],
  ['notes', 'Notes'],
];

const SECTION_OF = new Map(HEADINGS.map(([section, heading]) => [heading, section]));
const HEADING = new RegExp(`^#[ \\t]+(${HEADINGS.map(([, heading]) => heading).join('|')})[ \\t]*$`);
/** Whether any line could be a heading or a fence, escaped or not: few texts have one, and the question is quick. */
const MAY_MEAN_STRUCTURE = /^\\*(?:#| {0,3}(?:`{3}|~{3}))/m;

/** Text of a plan file (seed, section 8.1). `parsePlan(formatPlan(x)).sections` equals x for every legal x. */
export function formatPlan(sections: PlanSections): string {
  const blocks = HEADINGS.map(([section, heading]) => {
    const text = escapeContent(sections[section]);
    return text === '' ? `# ${heading}\n` : `# ${heading}\n${text}\n`;
  });
  return blocks.join('\n');
}

export interface ParsedPlan {
  /** Sections whose heading the file has. */
  sections: Partial<PlanSections>;
  /** Text above the first heading; '' if none. It belongs to the person and is never dropped. */
  preamble: string;
}

/** Reads a plan file as people and editors leave them: CRLF, a BOM, missing or repeated headings. */
export function parsePlan(text: string): ParsedPlan {
  const sections: Partial<PlanSections> = {};
  let preamble = '';
  for (const { section, text: found } of planParts(planLines(text))) {
    if (section === undefined) preamble = found;
    else sections[section] = [sections[section] ?? '', found].filter((part) => part !== '').join('\n\n');
  }
  return { sections, preamble };
}

/** What stands below one heading of a plan file, or above the first. */
export interface PlanPart {
  /** Undefined above the first heading. */
  section: SectionName | undefined;
  /** Lines `[start, end)` of the file; its heading is the line before. */
  start: number;
  end: number;
  /** Without escapes and outer blank lines. */
  text: string;
}

export function planLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
}

/** In file order; the first one is what stands above the first heading. */
export function planParts(lines: readonly string[]): PlanPart[] {
  const parts: PlanPart[] = [];
  let open: Omit<PlanPart, 'end' | 'text'> = { section: undefined, start: 0 };
  let content: string[] = [];

  const close = (end: number): void => {
    parts.push({ ...open, end, text: normalizeText(content.join('\n')) });
    content = [];
  };

  let index = 0;
  for (const { line, inFence } of scan(lines)) {
    const heading = inFence ? undefined : HEADING.exec(line)?.[1];
    if (heading === undefined) {
      content.push(inFence ? line : restoreLine(line));
    } else {
      close(index);
      open = { section: SECTION_OF.get(heading), start: index + 1 };
    }
    index++;
  }
  close(index);
  return parts;
}

/**
 * Outside of fences, a backslash goes before a line that would be read as a heading, before a fence that nothing closes
 * (it would swallow the headings that follow) and before a line that begins with such a backslash already.
 */
export function escapeContent(text: string): string {
  if (!MAY_MEAN_STRUCTURE.test(text)) return text;
  return [...scan(text.split('\n'))]
    .map(({ line, inFence }) => (!inFence && meansStructure(line.replace(/^\\+/, '')) ? `\\${line}` : line))
    .join('\n');
}

function restoreLine(line: string): string {
  return line.startsWith('\\') && meansStructure(line.replace(/^\\+/, '')) ? line.slice(1) : line;
}

function meansStructure(line: string): boolean {
  return HEADING.test(line) || opensFence(line);
}

/** Each line, and whether it belongs to a fenced block, its two fences included. A fence that nothing closes is an ordinary line. */
function* scan(lines: readonly string[]): Generator<{ line: string; inFence: boolean }> {
  let fence: ClosedFence | undefined;
  const search = findClosedFence(lines);
  for (const [index, line] of lines.entries()) {
    if (fence === undefined || index > fence.end) fence = search(index);
    yield { line, inFence: fence !== undefined };
  }
}
