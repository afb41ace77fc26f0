import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const root = join(__dirname, '../../..');
const manifest = json('package.json');
const { contributes } = manifest;
const sources = [join(root, 'src/extension.ts'), ...typescriptIn(join(root, 'src/vscode'))].map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));
const source = sources.map(({ text }) => text).join('\n');

describe('the manifest and the code', () => {
  const declared: string[] = contributes.commands.map((command: { command: string }) => command.command);
  /** Built into VS Code: every view can be focused by a command of its own. */
  const focus: string[] = contributes.views.nineplan.map((view: { id: string }) => `${view.id}.focus`);

  it('declare and implement the same commands', () => {
    assert.deepEqual([...implementedCommands()].sort(), [...declared].sort());
  });

  it('name commands by noun and verb', () => {
    for (const id of declared) assert.match(id, /^nineplan\.[a-z]+\.[a-zA-Z]+$/);
  });

  it('give every command the category of the palette', () => {
    for (const command of contributes.commands) assert.equal(command.category, '9plan', command.command);
  });

  it('use no command that does not exist', () => {
    const known = new Set([...declared, ...focus]);
    const used = [...Object.values<{ command: string }[]>(contributes.menus).flat(), ...contributes.keybindings].map(
      (entry) => entry.command,
    );
    const welcome = Object.values<string>(json('package.nls.json')).flatMap((text) =>
      [...text.matchAll(/\(command:([\w.]+)\)/g)].map((match) => match[1] as string),
    );
    const inCode = [...source.matchAll(/'(nineplan\.[a-z]+\.[a-zA-Z]+)'/g)].map((match) => match[1] as string);
    for (const id of [...used, ...welcome, ...inCode]) {
      if (id.startsWith('nineplan.')) assert.ok(known.has(id), id);
    }
  });

  it('know the same context keys', () => {
    const keys = new Set(
      [...readFileSync(join(root, 'src/vscode/contextKeys.ts'), 'utf8').matchAll(/'(nineplan\.\w+)':/g)].map(
        (match) => match[1] as string,
      ),
    );
    const views = new Set<string>(contributes.views.nineplan.map((view: { id: string }) => view.id));
    const used = new Set(
      whenClauses(contributes)
        .flatMap((clause) => clause.match(/nineplan\.\w+/g) ?? [])
        .filter((key) => !views.has(key)),
    );
    assert.deepEqual([...used].sort(), [...keys].sort());
  });

  it('know the same views', () => {
    const declaredViews = contributes.views.nineplan.map((view: { id: string }) => view.id);
    const inCode = [...source.matchAll(/_VIEW = '(nineplan\.\w+)'/g)].map((match) => match[1]);
    assert.deepEqual(inCode.sort(), [...declaredViews].sort());
    assert.deepEqual(declaredViews, ['nineplan.queue', 'nineplan.history', 'nineplan.sessions']);
  });

  it('know the same settings', () => {
    const settings = readFileSync(join(root, 'src/vscode/settings.ts'), 'utf8');
    const read = [...settings.matchAll(/read<[^(]*\('([\w.]+)'/g)].map((match) => `nineplan.${match[1]}`);
    assert.deepEqual(read.sort(), Object.keys(contributes.configuration.properties).sort());
  });

  it('agree on the server that agents get', () => {
    assert.deepEqual(contributes.mcpServerDefinitionProviders, [{ id: 'nineplan.mcp', label: '9plan' }]);
    assert.match(source, /MCP_PROVIDER_ID = 'nineplan\.mcp'/);
    assert.equal(`${manifest.publisher}.${manifest.name}`, 'nineplan.9plan');
  });

  it('name files that exist', () => {
    const icons = [
      ...contributes.viewsContainers.activitybar.map((container: { icon: string }) => container.icon),
      ...contributes.views.nineplan.map((view: { icon: string }) => view.icon),
    ];
    for (const icon of icons) assert.ok(existsSync(join(root, icon)), icon);
  });
});

describe('the texts', () => {
  const english = json('package.nls.json');
  const chinese = json('package.nls.zh-cn.json');
  const bundle = json('l10n/bundle.l10n.zh-cn.json');

  it('of the manifest all exist, and none is left over', () => {
    const used = JSON.stringify(manifest).match(/"%[\w.]+%"/g) ?? [];
    assert.deepEqual([...new Set(used.map((key) => key.slice(2, -2)))].sort(), Object.keys(english).sort());
  });

  it('of the manifest are all there in Chinese', () => {
    assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
  });

  it('of the code are all there in Chinese, and none is left over', () => {
    const used = new Set(localized());
    const translated = new Set(Object.keys(bundle));
    assert.deepEqual(
      {
        untranslated: [...used].filter((text) => !translated.has(text)),
        leftOver: [...translated].filter((text) => !used.has(text)),
      },
      { untranslated: [], leftOver: [] },
    );
  });

  it('keep their placeholders, links and icons in translation', () => {
    const marks = (text: string) => (text.match(/\{\d\}|\(command:[\w.]+\)|\$\([\w-]+\)|`[^`]+`/g) ?? []).sort();
    for (const [key, text] of Object.entries<string>(english)) assert.deepEqual(marks(chinese[key]), marks(text), key);
    for (const [key, text] of Object.entries<string>(bundle)) assert.deepEqual(marks(text), marks(key), key);
  });

  it('of the code are literals, so that they can be found', () => {
    for (const { file, text } of sources) {
      const calls = text.match(/l10n\.t\(/g)?.length ?? 0;
      // A page gets its words from here as a table, translated in one go.
      const tables = text.match(/import \{ \w+Words \} from '[./]+webview\//g)?.length ?? 0;
      assert.equal(literals(text).length + tables, calls, `${file}: l10n.t needs a literal in single quotes`);
    }
  });

  function localized(): string[] {
    return [...sources.flatMap(({ text }) => literals(text)), ...pageWords()];
  }
});

function implementedCommands(): string[] {
  return sources
    .filter(({ file }) => file.includes(join('vscode', 'commands')))
    .flatMap(({ text }) => [...text.matchAll(/^\s+'(nineplan\.[a-z]+\.[a-zA-Z]+)': (?:shows|changes)\(/gm)])
    .map((match) => match[1] as string);
}

function literals(text: string): string[] {
  return [...text.matchAll(/l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)].map((match) =>
    (match[1] as string).replace(/\\'/g, "'"),
  );
}

/** The words of the pages in webviews. */
function pageWords(): string[] {
  return typescriptIn(join(root, 'src/webview'))
    .filter((file) => file.endsWith(`${sep}words.ts`))
    .flatMap((file) => Object.values<Record<string, string>>(require(file)))
    .flatMap((words) => Object.values(words));
}

function whenClauses(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'when' || key === 'enablement') && typeof inner === 'string' ? [inner] : whenClauses(inner),
  );
}

function typescriptIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

// biome-ignore lint/suspicious/noExplicitAny: the manifest is VS Code's format, not ours to type.
function json(name: string): any {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}
