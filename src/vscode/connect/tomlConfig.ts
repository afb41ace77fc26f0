import { parse, stringify, TomlError } from 'smol-toml';
import type { EntryPath } from './agents';
import { type Config, isTable, merged, UnreadableConfig, valueAt } from './configValue';

/** Throws UnreadableConfig. */
export function parseTomlConfig(text: string): Config {
  try {
    return parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof TomlError)
      throw new UnreadableConfig(`line ${error.line}: ${error.message.split('\n', 1)[0]}`);
    throw error;
  }
}

/** A table that is there is written anew in its place, with what it held; else one is added at the end. */
export function setInToml(text: string, config: Config, path: EntryPath, entry: Config): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const existing = valueAt(config, path);
  const table = tableText(path, merged(existing, entry), eol);
  const parts = existing === undefined ? [] : cutAtHeadings(text, path);
  const first = parts.findIndex(({ own }) => own);
  if (first < 0) {
    if (text.trim() === '') return table;
    return text + (text.endsWith('\n') ? eol : eol + eol) + table;
  }
  const rest = joined(parts.slice(first));
  return joined(parts.slice(0, first)) + table + (rest === '' || /^\r?\n/.test(rest) ? rest : eol + rest);
}

export function removeFromToml(text: string, path: EntryPath): string {
  return joined(cutAtHeadings(text, path));
}

/** Without what is ours. */
function joined(parts: Part[]): string {
  return parts
    .filter(({ own }) => !own)
    .map((part) => part.text)
    .join('');
}

interface Part {
  /** Whole lines, line ends included. */
  text: string;
  /** The table itself or one below it. */
  own: boolean;
}

/**
 * A line within a long string may look like a heading. That matters only inside the table that is replaced, and then
 * the result doesn't say what it should and isn't used.
 */
function cutAtHeadings(text: string, path: EntryPath): Part[] {
  const parts: Part[] = [{ text: '', own: false }];
  for (const line of text.split(/(?<=\n)/)) {
    const keys = keysOfHeading(line);
    if (keys) parts.push({ text: '', own: path.every((key, depth) => keys[depth] === key) });
    (parts.at(-1) as Part).text += line;
  }
  return parts.flatMap((part) => (part.own ? withoutRemarks(part) : part));
}

/** Comments below a table's last key are about what follows. */
function withoutRemarks({ text }: Part): Part[] {
  const remarks = /(?<=\n)(?:[ \t]*\r?\n)*[ \t]*#[^\n]*\n?(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*$/.exec(text);
  if (!remarks) return [{ text, own: true }];
  return [
    { text: text.slice(0, remarks.index), own: true },
    { text: remarks[0], own: false },
  ];
}

/** Of a line such as `[a."b c"]` or `[[a]]`; undefined for any other. */
function keysOfHeading(line: string): string[] | undefined {
  if (!/^[ \t]*\[/.test(line)) return undefined;
  let at: unknown;
  try {
    at = parse(line);
  } catch {
    return undefined;
  }
  const keys: string[] = [];
  while (isTable(at)) {
    const [key] = Object.keys(at);
    if (key === undefined) break;
    keys.push(key);
    at = at[key];
  }
  return keys;
}

function tableText(path: EntryPath, entry: unknown, eol: string): string {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
  return `${stringify(nested).trim().split('\n').join(eol)}${eol}`;
}
