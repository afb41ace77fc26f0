import type { SectionName } from './model';
import { escapeContent, formatPlan, HEADINGS, type PlanPart, planLines, planParts } from './planDocument';
import { normalizeText } from './text';

/** A part of a plan file that a person edits by itself: one section, or what stands above the first heading. */
export type FieldName = SectionName | 'preamble';

export const FIELD_ORDER: readonly FieldName[] = ['preamble', ...HEADINGS.map(([section]) => section)];

export type PlanFields = Record<FieldName, string>;

/** Why a plan file can't be shown by sections. */
export type Unreadable = { kind: 'noHeadings' } | { kind: 'repeatedHeading'; heading: string };

/**
 * A plan file cut into its fields, such that one can be replaced and every other byte stays where it is. A file without
 * any of the seven headings, or with one of them twice, has no such fields.
 */
export class PlanFile {
  readonly fields: PlanFields;
  readonly unreadable: Unreadable | undefined;
  private readonly lines: readonly string[];
  private readonly parts: readonly PlanPart[];

  constructor(text: string) {
    this.lines = planLines(text);
    this.parts = planParts(this.lines);
    this.unreadable = whyUnreadable(this.parts, text);
    this.fields = Object.fromEntries(FIELD_ORDER.map((field) => [field, this.part(field)?.text ?? ''])) as PlanFields;
  }

  /** The file's text, with LF line ends. */
  get text(): string {
    return this.lines.join('\n');
  }

  /** The file's text with another content of one field; the heading is added if it was missing. */
  with(field: FieldName, content: string): string {
    const text = normalizeText(content);
    if (text === this.fields[field]) return this.text;
    const changed = this.placed(field, text);
    const after = new PlanFile(changed).fields;
    const intact = FIELD_ORDER.every((name) => after[name] === (name === field ? text : this.fields[name]));
    // A fence that somebody left open elsewhere may pair with one in the new text: then every section is escaped anew.
    return intact ? changed : this.rewritten({ ...this.fields, [field]: text });
  }

  private placed(field: FieldName, text: string): string {
    const body = text === '' ? [] : escapeContent(text).split('\n');
    const part = this.part(field);
    if (part) return this.spliced(part.start, part.end, field === 'preamble' && text === '' ? [] : [...body, '']);
    const heading = `# ${HEADINGS.find(([section]) => section === field)?.[1]}`;
    const next = this.parts.find(
      (other) => FIELD_ORDER.indexOf(other.section ?? 'preamble') > FIELD_ORDER.indexOf(field),
    );
    if (next) return this.spliced(next.start - 1, next.start - 1, [heading, ...body, '']);
    const end = this.lines.findLastIndex((line) => line.trim() !== '') + 1;
    return this.spliced(end, this.lines.length, [...(end > 0 ? [''] : []), heading, ...body, '']);
  }

  private rewritten(fields: PlanFields): string {
    const above = fields.preamble === '' ? '' : `${escapeContent(fields.preamble)}\n\n`;
    return above + formatPlan(fields);
  }

  private part(field: FieldName): PlanPart | undefined {
    return this.parts.find(({ section }) => (section ?? 'preamble') === field);
  }

  private spliced(start: number, end: number, lines: string[]): string {
    return [...this.lines.slice(0, start), ...lines, ...this.lines.slice(end)].join('\n');
  }
}

function whyUnreadable(parts: readonly PlanPart[], text: string): Unreadable | undefined {
  const seen = new Set<SectionName>();
  for (const { section } of parts) {
    if (section === undefined) continue;
    if (seen.has(section)) {
      return { kind: 'repeatedHeading', heading: HEADINGS.find(([name]) => name === section)?.[1] ?? section };
    }
    seen.add(section);
  }
  return seen.size === 0 && text.trim() !== '' ? { kind: 'noHeadings' } : undefined;
}
