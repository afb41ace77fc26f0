import type { EntryPath } from './agents';

/** A parsed object or table. */
export type Config = Record<string, unknown>;

/** A configuration that is not touched, because what it says can't be told for certain. */
export class UnreadableConfig extends Error {
  override readonly name = 'UnreadableConfig';
}

export function isTable(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function valueAt(config: unknown, path: EntryPath): unknown {
  return path.reduce<unknown>((at, key) => (isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined), config);
}

/** What `entry` says, over what is there. */
export function merged(existing: unknown, entry: unknown): unknown {
  if (!isTable(existing) || !isTable(entry)) return entry;
  const keys = Object.entries(entry).map(([key, value]) => [key, merged(existing[key], value)]);
  return { ...existing, ...Object.fromEntries(keys) };
}

/** The configuration with another value at `path`, or without one. */
export function replaced(config: unknown, [key, ...rest]: EntryPath, value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: inner, ...others } = isTable(config) ? config : {};
  const now = replaced(inner, rest, value);
  return now === undefined ? others : { ...others, [key]: now };
}

/** Without prototypes, and without tables that hold nothing: a format may or may not be able to say them. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => !isTable(inner) || Object.keys(inner).length > 0));
}
