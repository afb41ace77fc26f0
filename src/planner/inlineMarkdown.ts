/**
 * Code, links, bold, italic and struck text of one line. Narrower than Markdown, because lines hold patterns of file names
 * and products, too: a mark counts only around words, and underscores stay, as in names.
 */
const MARKED =
  /(`+)(?!`)(.+?)(?<!`)\1(?!`)|!?\[([^\][]+)\]\((?:[^()\s]|\([^()\s]*\))*\)|(?<![\w*~\\/])(\*{1,3}|~~)(?=[^\s*~/.])(.+?)(?<=[^\s*~\\/])\4(?![\w*~/])/gu;

/** The line as it reads without the marks of Markdown. */
export function withoutMarks(line: string): string {
  return line.replace(
    MARKED,
    (_, _ticks, code?: string, link?: string, _mark?: string, marked?: string) =>
      code?.trim() ?? withoutMarks(link ?? marked ?? ''),
  );
}
