/** Characters of a passage that are quoted to the agent. */
const LONGEST = 600;
/** A selection of more words than this is quoted by its lines. */
const MOST_WORDS = 300;

/**
 * The passage of the plan that a comment is about, as it stands in the plan's source, so that the agent finds it again.
 * `source` is the part of the plan that was rendered, `selected` the text that was selected in the rendering. One that
 * occurs more than once in the plan is quoted with all that stands around it.
 */
export function quoteOf(plan: string, source: string, selected = ''): string {
  const found = selected.trim() === '' ? undefined : inSource(source, selected.trim());
  const quote = found !== undefined && isUnique(plan, found) ? found : source;
  return cut(quote);
}

/** The lines on which the quote begins in the text, one a place, in order. */
export function linesOf(text: string, quote: string): number[] {
  const lines: number[] = [];
  if (quote === '') return lines;
  let [line, counted] = [0, 0];
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    line += newlines(text.slice(counted, at));
    counted = at;
    lines.push(line);
  }
  return lines;
}

/** The index of the line that is nearest to the wanted one, the earlier of two; -1 if there is none. */
export function nearest(lines: readonly number[], wanted: number): number {
  const distance = (line: number) => Math.abs(line - wanted);
  return lines.reduce((best, line, i) => (best < 0 || distance(line) < distance(lines[best] ?? 0) ? i : best), -1);
}

/** What was selected lacks the marks of Markdown, so words are looked for, with anything but words between them. */
function inSource(source: string, selected: string): string | undefined {
  if (source.includes(selected)) return selected;
  const words = selected.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0 || words.length > MOST_WORDS) return undefined;
  const between = String.raw`(?:\]\([^)\n]*\)|[^\p{L}\p{N}])+`;
  return new RegExp(words.join(between), 'u').exec(source)?.[0];
}

function isUnique(text: string, part: string): boolean {
  return text.indexOf(part) === text.lastIndexOf(part);
}

function cut(quote: string): string {
  if (quote.length <= LONGEST) return quote;
  const lines = quote.slice(0, LONGEST).lastIndexOf('\n');
  return lines > 0
    ? quote.slice(0, lines)
    : Array.from(quote.slice(0, LONGEST + 1))
        .slice(0, -1)
        .join('');
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
