import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text that somebody looks for, and the words he looks for it with. Nobody of this project wrote either. */
export interface KnownItem {
  text: string;
  query: string;
}

const MODULES = join(__dirname, '../../node_modules');
const LONGEST = 20_000;

/** What the installed packages say of themselves, looked for by their one-line descriptions. */
export function readmes(): KnownItem[] {
  const folders = readdirSync(MODULES).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(MODULES, name)).map((inner) => join(name, inner)) : name,
  );
  const items = folders.flatMap((folder) => {
    const [manifest, readme] = [join(MODULES, folder, 'package.json'), join(MODULES, folder, 'README.md')];
    if (!existsSync(manifest) || !existsSync(readme)) return [];
    const { description } = JSON.parse(readFileSync(manifest, 'utf8')) as { description?: string };
    const text = readFileSync(readme, 'utf8').slice(0, LONGEST);
    return description && description.split(' ').length > 3 && text.length > 300 ? [{ text, query: description }] : [];
  });
  return onlyOnce(items);
}

/** Documented functions of Node's declarations, looked for by the words of their names: `copyFileSync` by "copy file sync". */
export function functions(): KnownItem[] {
  const folder = join(MODULES, '@types/node');
  const documented = /\/\*\*((?:(?!\*\/)[\s\S])+)\*\/\s+(?:export )?function (\w+)\b[^;{]*/g;
  const items = readdirSync(folder)
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(documented)])
    .flatMap(([text, , name = '']) => (/[a-z][A-Z]/.test(name) ? [{ text: text.slice(0, LONGEST), query: name }] : []));
  return onlyOnce(items).map(({ text, query }) => ({
    text,
    query: query.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase(),
  }));
}

/** Rules of accessibility in one language: their descriptions, looked for by the short help that goes with each. */
export function rules(language: 'zh_CN' | 'ja' | 'ko'): KnownItem[] {
  const { rules } = JSON.parse(readFileSync(join(MODULES, 'axe-core/locales', `${language}.json`), 'utf8')) as {
    rules: Record<string, { description: string; help: string }>;
  };
  return onlyOnce(Object.values(rules).map(({ description, help }) => ({ text: description, query: help })));
}

/** A part of each text, from within it. */
export function parts(items: readonly KnownItem[]): KnownItem[] {
  const cut = items.map(({ text }) => {
    const third = Math.floor(text.length / 3);
    return { text, query: text.slice(third, 2 * third) };
  });
  return onlyOnce(cut).filter(({ query }) => items.filter(({ text }) => text.includes(query)).length === 1);
}

/** Without those whose text or query another has, too. */
function onlyOnce(items: readonly KnownItem[]): KnownItem[] {
  const count = (field: keyof KnownItem, value: string) => items.filter((item) => item[field] === value).length;
  return items.filter(({ text, query }) => count('text', text) === 1 && count('query', query) === 1);
}
