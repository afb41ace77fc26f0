const WORD = /\p{L}[\p{L}\p{N}\p{M}]*/gu;
const ENTITY = /&(?:[a-z]{2,31}\d{0,2}|#\d{1,7}|#x[\da-f]{1,6});/gi;
/** A language's name is no place for a message. */
const SEEN_IN_TAG = /\sdata-target="([^"]*)"|\sclass="language-([\w+#.-]{1,20})"/;

/**
 * Whether rendered Markdown leaves out words of its source: definitions, titles of links, what follows the language of a
 * code block, cells beyond a table's last column. An agent reads them, so a person must not approve them unseen. The targets of
 * links count as seen: they are shown when one points at them.
 */
export function hidesWords(source: string, html: string): boolean {
  const seen = countsOf(textOf(html));
  for (const [word, count] of countsOf(source.replace(ENTITY, ' '))) if (count > (seen.get(word) ?? 0)) return true;
  return false;
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, (tag) => {
      const [, target, language] = SEEN_IN_TAG.exec(tag) ?? [];
      return ` ${target === undefined ? (language ?? '') : decoded(target)} `;
    })
    .replaceAll('☑', ' x X ')
    .replace(ENTITY, ' ');
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
