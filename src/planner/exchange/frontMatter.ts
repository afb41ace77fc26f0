export interface FrontMatter {
  values: Map<string, string | string[]>;
  /** What stands below it. */
  body: string;
}

const KEY = /^([\w-]+):[ \t]*(.*)$/;
const ENTRY = /^[ \t]*-[ \t]+(.*)$/;

/**
 * The facts above a Markdown text, as far as programs write them: one a line, with a text or a list. Undefined if there
 * are none.
 */
export function readFrontMatter(text: string): FrontMatter | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  if (end < 0) return undefined;
  const values = new Map<string, string | string[]>();
  let list: string[] | undefined;
  for (const line of lines.slice(1, end)) {
    const [, key, value = ''] = KEY.exec(line) ?? [];
    const entry = ENTRY.exec(line)?.[1];
    if (key !== undefined) {
      list = value === '' ? [] : undefined;
      values.set(key, list ?? inline(value));
    } else if (entry !== undefined) list?.push(unquoted(entry));
  }
  return { values, body: lines.slice(end + 1).join('\n') };
}

function inline(value: string): string | string[] {
  const inner = /^\[(.*)\]$/.exec(value.trim())?.[1];
  if (inner === undefined) return unquoted(value);
  return inner.trim() === '' ? [] : inner.split(',').map(unquoted);
}

function unquoted(value: string): string {
  const [, single, double] = /^(?:'(.*)'|"(.*)")$/.exec(value.trim()) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  return double !== undefined ? double.replaceAll('\\"', '"') : value.trim();
}
