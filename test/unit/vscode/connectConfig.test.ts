import { strict as assert } from 'node:assert';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { AGENTS, type Agent } from '../../../src/vscode/connect/agents';
import { entryText, hasEntry, withEntry, withoutEntry } from '../../../src/vscode/connect/configText';
import { UnreadableConfig } from '../../../src/vscode/connect/configValue';

const launch = { command: '/launch/9plan', args: [], env: { NINEPLAN_SESSIONS_PATH: '/work/.9plan' } };

describe('the configuration of agents', () => {
  it('is found where each agent looks', () => {
    const places = { home: '/home/me', project: '/work', platform: 'linux' as const, environment: {} };
    assert.deepEqual(Object.fromEntries(AGENTS.map((one) => [one.id, one.file(places)])), {
      'claude-code': '/work/.mcp.json',
      codex: '/home/me/.codex/config.toml',
      cursor: '/work/.cursor/mcp.json',
      gemini: '/work/.gemini/settings.json',
      opencode: '/work/opencode.json',
      'copilot-cli': '/home/me/.copilot/mcp-config.json',
      windsurf: '/home/me/.codeium/windsurf/mcp_config.json',
      'claude-desktop': '/home/me/.config/Claude/claude_desktop_config.json',
    });
  });

  it('is nowhere for a project that is not open', () => {
    const places = { home: '/home/me', project: undefined, platform: 'linux' as const, environment: {} };
    for (const { scope, file } of AGENTS) assert.equal(file(places) === undefined, scope === 'project');
  });

  for (const one of AGENTS) {
    it(`of ${one.name} holds the entry after it was added to nothing, and nothing after it was removed`, () => {
      const entry = one.entry(launch);
      const text = withEntry('', one, entry);
      assert.deepEqual(read(one, text), nested(one, entry));
      assert.ok(text.endsWith('\n'));
      assert.ok(hasEntry(text, one));
      assert.equal(withEntry(text, one, entry), text);
      assert.ok(!hasEntry(withoutEntry(text, one), one));
      assert.equal(entryText(one, entry), text);
    });
  }

  describe('in JSON', () => {
    const claude = agent('claude-code');
    const entry = claude.entry(launch);

    it('keeps comments, order, other servers and other settings', () => {
      const text = `// mine
{
    "z": 1, /* why */
    "mcpServers": {
        // the first
        "zeta": { "command": "z" },
        "alpha": { "url": "http://a" }, // trailing
    },
    "a": [1, 2,],
}
`;
      const changed = withEntry(text, claude, entry);
      for (const line of text.split('\n')) assert.ok(changed.includes(line), line);
      assert.ok(changed.indexOf('// trailing') < changed.indexOf('9plan'));
      assert.deepEqual(Object.keys(parseJsonc(changed)), ['z', 'mcpServers', 'a']);
      assert.deepEqual(Object.keys(parseJsonc(changed).mcpServers), ['zeta', 'alpha', '9plan']);
      assert.match(changed, /^ {8}"9plan": \{$/m);
      assert.equal(withoutEntry(changed, claude), text);
    });

    it('keeps what a person added to the entry, and comments in it', () => {
      const text =
        '{\n\t"mcpServers": {\n\t\t"9plan": {\n\t\t\t// old\n\t\t\t"command": "old",\n\t\t\t"disabled": true,\n\t\t\t"env": { "MINE": "1" }\n\t\t}\n\t}\n}\n';
      const changed = withEntry(text, claude, entry);
      assert.match(changed, /\/\/ old/);
      assert.deepEqual(parseJsonc(changed).mcpServers['9plan'], {
        command: '/launch/9plan',
        args: [],
        disabled: true,
        env: { MINE: '1', ...launch.env },
      });
      assert.match(changed, /^\t\t\t"command"/m);
    });

    it('is the same again after the entry came and went, however it is written', () => {
      for (const text of [
        '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n',
        '{\n  "mcpServers": {\n    "a": {} // last\n    // end\n  }\n}',
        '{\n\t"mcpServers": {\n\t\t"a": {},\n\t\t/* end */\n\t},\n}\n',
      ]) {
        const changed = withEntry(text, claude, entry);
        assert.deepEqual(parseJsonc(changed).mcpServers, { a: {}, '9plan': entry });
        assert.equal(withoutEntry(changed, claude), text);
      }
    });

    it('stays JSON without comments and trailing commas if it was', () => {
      for (const text of [
        '{}',
        '{"a":{"b":1}}',
        '{ "mcpServers": {} }',
        '{"mcpServers":{"x":{"command":"y"}}}',
        '{\n"mcpServers": {"x": {\n}}}',
      ]) {
        const before = JSON.parse(text);
        const changed = withEntry(text, claude, entry);
        assert.deepEqual(JSON.parse(changed), {
          ...before,
          mcpServers: { ...before.mcpServers, '9plan': entry },
        });
        const removed = JSON.parse(withoutEntry(changed, claude));
        assert.deepEqual({ mcpServers: {}, ...removed }, { mcpServers: {}, ...before });
      }
    });

    it('keeps the entries on both sides of one that goes', () => {
      const text = '{ "mcpServers": { "a": 1, "9plan": {}, "b": 2 } }';
      assert.deepEqual(JSON.parse(withoutEntry(text, claude)), { mcpServers: { a: 1, b: 2 } });
    });

    it('keeps CRLF line ends and a BOM', () => {
      const changed = withEntry('\uFEFF{\r\n  "a": 1\r\n}\r\n', claude, entry);
      assert.ok(changed.startsWith('\uFEFF{\r\n  "a": 1,\r\n'));
      assert.doesNotMatch(changed, /[^\r]\n/);
    });

    it('is refused where it says something else than expected', () => {
      for (const text of ['{ "mcpServers": ', '[]', '"x"', '{ "mcpServers": [] }', '{ "mcpServers": "no" }', '{} {}']) {
        assert.throws(() => withEntry(text, claude, entry), UnreadableConfig, text);
      }
    });

    it('is refused if a key stands there twice, of which the last counts', () => {
      const twice = '{ "mcpServers": { "a": { "command": "x" } }, "mcpServers": { "b": { "command": "y" } } }';
      assert.throws(() => withEntry(twice, claude, entry), UnreadableConfig);
    });

    it('of opencode is as the version that wrote it has it', () => {
      const opencode = agent('opencode');
      const changed = withEntry('{ "mcp": { "servers": { "a": {} } } }', opencode, opencode.entry(launch));
      assert.deepEqual(Object.keys(parseJsonc(changed).mcp.servers), ['a', '9plan']);
      assert.deepEqual(Object.keys(parseJsonc(withEntry('{ "mcp": { "a": {} } }', opencode, {})).mcp), ['a', '9plan']);
    });
  });

  describe('in TOML', () => {
    const codex = agent('codex');
    const entry = codex.entry(launch);
    const before = `# my settings
model = "gpt-5"   # fast

[mcp_servers.other]
command = "o"

# about profiles
[profiles.work]
prompt = """
[mcp_servers.9plan]
not a table
"""
`;

    it('keeps every byte around the entry', () => {
      const changed = withEntry(before, codex, entry);
      assert.ok(changed.startsWith(before));
      assert.deepEqual(read(codex, changed), {
        model: 'gpt-5',
        mcp_servers: { other: { command: 'o' }, '9plan': entry },
        profiles: { work: { prompt: '[mcp_servers.9plan]\nnot a table\n' } },
      });
    });

    it('goes again, with the comments before other tables left', () => {
      const text = 'a = 1\n\n[mcp_servers.9plan]\ncommand = "x"\n# why b\n\n[b]\nc = 2\n';
      assert.equal(withoutEntry(text, codex), 'a = 1\n\n# why b\n\n[b]\nc = 2\n');
      const added = withEntry('a = 1\n', codex, entry);
      assert.equal(withoutEntry(added, codex).trimEnd(), 'a = 1');
    });

    it('replaces an entry in its place, with what a person added to it', () => {
      const text = `a = 1

[mcp_servers."9plan"]
command = "old"
startup_timeout_sec = 20

[mcp_servers.9plan.env]
MINE = "1"

# about b
[b]
c = 2
`;
      const changed = withEntry(text, codex, entry);
      assert.ok(changed.startsWith('a = 1\n\n[mcp_servers.9plan]\n'));
      assert.ok(changed.endsWith('\n\n# about b\n[b]\nc = 2\n'), changed);
      assert.deepEqual(read(codex, changed), {
        a: 1,
        b: { c: 2 },
        mcp_servers: {
          '9plan': { ...entry, startup_timeout_sec: 20, env: { MINE: '1', ...launch.env } },
        },
      });
      assert.equal(withEntry(changed, codex, entry), changed);
      assert.equal(withoutEntry(changed, codex), 'a = 1\n\n\n# about b\n[b]\nc = 2\n');
    });

    it('keeps CRLF line ends', () => {
      assert.doesNotMatch(withEntry('a = 1\r\n', codex, entry), /[^\r]\n/);
    });

    it('is refused where a table could not be added or told from a text', () => {
      for (const text of [
        'a = ',
        'mcp_servers = { other = { command = "o" } }\n',
        'mcp_servers = 1\n',
        '[mcp_servers]\n9plan = { command = "old" }\n',
        '[mcp_servers.9plan]\ncommand = """\n[x]\n"""\n',
      ]) {
        assert.throws(() => withEntry(text, codex, entry), UnreadableConfig, text);
      }
    });
  });
});

function agent(id: string): Agent {
  const found = AGENTS.find((one) => one.id === id);
  assert.ok(found);
  return found;
}

function read({ format }: Agent, text: string): unknown {
  return format === 'json' ? JSON.parse(text) : JSON.parse(JSON.stringify(parseToml(text)));
}

function nested(one: Agent, entry: unknown): unknown {
  return one.entryPath({}).reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
}
