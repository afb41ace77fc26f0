import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { EntryPath } from './agents';
import { type Config, isTable, UnreadableConfig, valueAt } from './configValue';

const BOM = '\uFEFF';

/** Comments and trailing commas are fine: several agents allow them. Throws UnreadableConfig. */
export function parseJsonConfig(text: string): Config {
  const body = withoutBom(text);
  if (body.trim() === '') return {};
  const errors: ParseError[] = [];
  const config: unknown = parse(body, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = body.slice(0, error.offset).split('\n').length;
    throw new UnreadableConfig(`line ${line}: ${printParseErrorCode(error.error)}`);
  }
  if (!isTable(config)) throw new UnreadableConfig('it holds no JSON object');
  return config;
}

/** Goes into what is there key by key, and changes no byte but those of the keys. Throws UnreadableConfig. */
export function setInJson(text: string, config: Config, path: EntryPath, entry: Config): string {
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    const value = valueAt(config, above);
    if (value !== undefined && !isTable(value)) throw new UnreadableConfig(`${above.join('.')} is no JSON object`);
  }
  const bom = text.startsWith(BOM) ? BOM : '';
  const body = withoutBom(text);
  const start = body.trim() === '' ? '{}\n' : body;
  return (
    bom + leaves(entry, valueAt(config, path), path).reduce((at, [key, value]) => withValue(at, key, value), start)
  );
}

export function removeFromJson(text: string, path: EntryPath): string {
  const bom = text.startsWith(BOM) ? BOM : '';
  return bom + without(withoutBom(text), path);
}

function leaves(entry: unknown, existing: unknown, path: EntryPath): [EntryPath, unknown][] {
  if (!isTable(entry) || !isTable(existing)) return [[path, entry]];
  return Object.entries(entry).flatMap(([key, value]) => leaves(value, existing[key], [...path, key]));
}

function withValue(text: string, path: EntryPath, value: unknown): string {
  const style = styleOf(text);
  const existing = nodeAt(text, path);
  if (existing) {
    const indent = indentAt(text, existing.offset);
    return spliced(text, existing.offset, existing.length, written(value, style, indent));
  }
  const depth = path.findIndex((_, index) => !nodeAt(text, path.slice(0, index + 1)));
  const added = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return withProperty(text, nodeAt(text, path.slice(0, depth)) as Node, path[depth] as string, added, style);
}

/** As the last property, below whatever remarks follow the one before. */
function withProperty(text: string, object: Node, key: string, value: unknown, style: Style): string {
  const end = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const lastEnd = last ? last.offset + last.length : object.offset + 1;
  const outer = indentAt(text, object.offset);
  const inner = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + style.indent;
  const property = `${style.eol}${inner}${JSON.stringify(key)}: ${written(value, style, inner)}`;
  const between = text.slice(lastEnd, end);
  const space = between.slice(between.trimEnd().length);
  const closing = space.includes('\n') ? '' : style.eol + outer;
  const trailing = commaAfter(text, lastEnd) === undefined ? '' : ',';
  const comma = last && !trailing ? ',' : '';
  const remarks = text.slice(lastEnd, end - space.length);
  return text.slice(0, lastEnd) + comma + remarks + property + trailing + (closing || space) + text.slice(end);
}

function without(text: string, path: EntryPath): string {
  const property = nodeAt(text, path)?.parent;
  const siblings = property?.parent?.children ?? [];
  if (!property) return text;
  const comma = commaAfter(text, property.offset + property.length);
  const end = comma === undefined ? property.offset + property.length : comma + 1;
  const start = property.offset - (startsLine(text, property.offset) ? indentAt(text, property.offset).length : 0);
  const restOfLine = start < property.offset ? (/^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  const removed = spliced(text, start, end + restOfLine - start, '');
  const before = siblings[siblings.indexOf(property) - 1];
  const dangling = before && comma === undefined ? commaAfter(removed, before.offset + before.length) : undefined;
  return dangling === undefined ? removed : spliced(removed, dangling, 1, '');
}

interface Style {
  indent: string;
  eol: string;
}

/** As the file is written already. */
function styleOf(text: string): Style {
  return { indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function written(value: unknown, { indent, eol }: Style, outer: string): string {
  return JSON.stringify(value, null, indent)
    .split('\n')
    .join(eol + outer);
}

function nodeAt(text: string, path: EntryPath): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return tree && findNodeAtLocation(tree, [...path]);
}

/** Offset of the comma that follows, with nothing but spaces and comments before it. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

function spliced(text: string, start: number, length: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(start + length);
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}
