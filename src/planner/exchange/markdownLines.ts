import { findClosedFence } from '../fences';

export interface MarkdownLine {
  text: string;
  /** Of a heading, 1 to 6. */
  level: number | undefined;
  /** Belongs to a fenced block, in which nothing is structure. */
  inFence: boolean;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;

/** What each line means as far as headings and fences go. */
export function markdownLines(text: string): MarkdownLine[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const search = findClosedFence(lines);
  let end = -1;
  return lines.map((line, index) => {
    if (index > end) end = search(index)?.end ?? -1;
    const inFence = index <= end;
    return { text: line, inFence, level: inFence ? undefined : HEADING.exec(line)?.[1]?.length };
  });
}

export function headingText(line: string): string {
  return HEADING.exec(line)?.[2] ?? '';
}

export interface Section {
  /** '' for what stands before the first heading. */
  heading: string;
  level: number;
  /** Without the sections below it. */
  body: string;
}

/** The text cut before each heading. */
export function markdownSections(text: string): Section[] {
  const sections: { heading: string; level: number; lines: string[] }[] = [{ heading: '', level: 0, lines: [] }];
  for (const { text: line, level } of markdownLines(text)) {
    if (level !== undefined) sections.push({ heading: headingText(line), level, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, body: lines.join('\n').trim() }));
}
