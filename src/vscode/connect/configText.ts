import { isDeepStrictEqual } from 'node:util';
import type { Agent, EntryPath } from './agents';
import { type Config, merged, plain, replaced, UnreadableConfig, valueAt } from './configValue';
import { parseJsonConfig, removeFromJson, setInJson } from './jsonConfig';
import { parseTomlConfig, removeFromToml, setInToml } from './tomlConfig';

const formats = {
  json: { parse: parseJsonConfig, set: setInJson, remove: removeFromJson },
  toml: { parse: parseTomlConfig, set: setInToml, remove: removeFromToml },
};

/**
 * The configuration's text with the entry in it: what a person added to an entry that is there stays, and so does every
 * byte around it. The same text if it says all of it already. Throws UnreadableConfig.
 */
export function withEntry(text: string, agent: Agent, entry: Config): string {
  const { parse, set } = formats[agent.format];
  const before = parse(text);
  const path = agent.entryPath(before);
  const existing = valueAt(before, path);
  const wanted = merged(existing, entry);
  if (isDeepStrictEqual(plain(existing), plain(wanted))) return text;
  return checked(set(text, before, path, entry), agent, replaced(before, path, wanted));
}

/** The text without the entry; the same text if it has none. Throws UnreadableConfig. */
export function withoutEntry(text: string, agent: Agent): string {
  const { parse, remove } = formats[agent.format];
  const before = parse(text);
  const path = agent.entryPath(before);
  if (valueAt(before, path) === undefined) return text;
  return checked(remove(text, path), agent, replaced(before, path, undefined));
}

/** Throws UnreadableConfig. */
export function hasEntry(text: string, agent: Agent): boolean {
  const config = formats[agent.format].parse(text);
  return valueAt(config, agent.entryPath(config)) !== undefined;
}

/** Nobody's servers may be lost to an odd way of writing: the new text must say what was to be said, or isn't used. */
function checked(text: string, agent: Agent, wanted: unknown): string {
  if (isDeepStrictEqual(plain(parsed(text, agent)), plain(wanted))) return text;
  throw new UnreadableConfig('it is written in a way that only a person can edit');
}

function parsed(text: string, agent: Agent): unknown {
  try {
    return formats[agent.format].parse(text);
  } catch {
    return undefined;
  }
}

/** The entry alone, to be copied into a configuration by hand. */
export function entryText(agent: Agent, entry: Config): string {
  const path: EntryPath = agent.entryPath({});
  return formats[agent.format].set('', {}, path, entry);
}
