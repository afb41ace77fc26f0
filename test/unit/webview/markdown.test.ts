import assert from 'node:assert/strict';
import { readLink } from '../../../src/webview/links';
import { readMarkdown } from '../../../src/webview/markdown';

function html(text: string): string {
  const { blocks, render } = readMarkdown(text);
  return blocks.map(render).join('');
}

describe('links in a plan', () => {
  it('lead to web pages, mail and files of the workspace', () => {
    assert.deepEqual(readLink('https://example.org/a?b#c'), { kind: 'external', url: 'https://example.org/a?b#c' });
    assert.deepEqual(readLink('mailto:a@example.org'), { kind: 'external', url: 'mailto:a@example.org' });
    assert.deepEqual(readLink('src/a%20b.ts#L12'), { kind: 'file', path: 'src/a b.ts', line: 12 });
    assert.deepEqual(readLink('./a.md#part'), { kind: 'file', path: './a.md', line: undefined });
  });

  it('lead nowhere else', () => {
    for (const target of [
      'command:workbench.action.quit',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'javascript%3aalert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'vscode://x/y',
      '/etc/passwd',
      '%2fetc/passwd',
      '//example.org/x',
      '\\\\host\\share',
      'a%5c..%5cb',
      'C:\\x',
      'a%00b',
      'a%zz',
      'http://',
      '#top',
      '',
    ]) {
      assert.equal(readLink(target), undefined, target);
    }
  });
});

describe('rendered Markdown', () => {
  it('shows HTML and links that lead nowhere as text', () => {
    assert.equal(html('<img src=x onerror=alert(1)>'), '<p>&lt;img src=x onerror=alert(1)&gt;</p>\n');
    for (const target of ['javascript:alert(1)', 'command:x', 'data:text/html,x', 'file:///etc/passwd']) {
      assert.ok(!html(`[x](${target}) <${target}> ![x](${target})\n\n[y]: ${target}\n[y]`).includes('<a'), target);
    }
  });

  it('loads nothing and navigates nowhere', () => {
    const rendered = html('![a *b*](https://example.org/p.png) [c](https://example.org "t") <https://example.org>');
    assert.ok(!/<img|href=|src=/.test(rendered), rendered);
    assert.equal(rendered.match(/data-target="https:\/\/example.org/g)?.length, 3);
  });

  it('does not break out of an attribute', () => {
    assert.ok(!html('[c](<https://example.org/"onclick="x>)').includes('"onclick'));
  });

  it('puts headings below those of the page', () => {
    assert.equal(html('# A\n\n##### B'), '<h3>A</h3>\n<h6>B</h6>\n');
  });

  it('shows the boxes of a task list', () => {
    assert.match(html('- [ ] open\n- [x] done'), /class="task">☐ open<.*\n.*☑ done/);
    assert.ok(html('[ ] not a list').includes('[ ] not a list'));
  });

  it('comes in blocks that know their lines', () => {
    const text = '# A\n\none\ntwo\n\n- x\n\n  y\n- z\n\n```\n# no\n\n```\n***\nlast';
    const { blocks } = readMarkdown(text);
    assert.deepEqual(
      blocks.map(({ start, end }) => [start, end]),
      [
        [0, 1],
        [2, 4],
        [5, 9],
        [10, 14],
        [14, 15],
        [15, 16],
      ],
    );
    assert.equal(blocks[3]?.source, '```\n# no\n\n```');
  });

  it('knows definitions that stand in other blocks', () => {
    assert.ok(html('[a]\n\n[a]: https://example.org/x').includes('data-target="https://example.org/x"'));
  });

  describe('hides nothing from its reader', () => {
    const hiding: Record<string, string> = {
      'a definition': 'Seen.\n\n[//]: x (secretly)\n\nSeen.',
      'a definition alone': '[secretly]: https://example.org',
      'a definition in a list': '- Seen.\n\n  [x]: y "secretly"\n- Seen.',
      'a definition in a quotation': '> Seen.\n>\n> [x]: y (secretly)',
      'the title of a link': '[seen](https://example.org "secretly")',
      'the title of a picture': '![seen](https://example.org/x.png "secretly")',
      'what follows a language': '```sh secretly\nls\n```',
      'a long language': `\`\`\`${'x'.repeat(20)}secretly\nls\n\`\`\``,
      'a cell too many': '| a | b |\n|---|---|\n| 1 | 2 | secretly |',
    };
    for (const [where, text] of Object.entries(hiding)) {
      it(`in ${where}`, () => {
        const { blocks, render } = readMarkdown(text);
        const seen = blocks.map((block) => render(block).replace(/<[^>]*>/g, ' ')).join('\n');
        assert.match(seen, /secretly/);
        assert.match(readMarkdown(text, { itemsInOneBlock: 1 }).blocks.map(render).join(''), /<pre class="source">/);
      });
    }

    it('in characters that show nothing, or turn the order of others round', () => {
      const tags = Array.from('no', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
      assert.equal(html(`a\u202Eb${tags}`), '<p>a⟨U+202E⟩b⟨U+E006E⟩⟨U+E006F⟩</p>\n');
      assert.match(html('```\nif (a\u2066) // \u200B\n```'), /⟨U\+2066⟩.*⟨U\+200B⟩/);
      assert.equal(html('👩‍👩‍👧 ❤️ می‌خواهم'), '<p>👩‍👩‍👧 ❤️ می‌خواهم</p>\n');
    });

    it('and says nothing twice that can be seen', () => {
      for (const text of [
        '# A heading #\n\nR&amp;D &nbsp; &lt;b&gt; *un*said `x<y>` foo\\_bar <https://example.org/a%20b>',
        '1. one\n2. two\n\n- [x] done\n- [X] done\n- [ ] open\n\n***\n\nTitle\n=====\n',
        '```ts\nconst x = "y";\n```\n\n~~~objective-c++\nx\n~~~\n\n    code\n',
        '| a | b |\n|:--|--:|\n| 1 | `2` |\n\n> said\n\n![a *b*](<a b/ü.png>) [c *d*](src/a.ts#L3) **[e](f)**',
        '[said][1] and [2]\n\n<div>shown as text</div>\n\n<!-- this too -->',
      ]) {
        assert.doesNotMatch(html(text), /class="source"/, text);
      }
    });
  });

  it('cuts a long list, and goes on counting', () => {
    const text = Array.from({ length: 120 }, (_, i) => `1. step ${i}\n   - detail`).join('\n');
    const { blocks, render } = readMarkdown(text);
    assert.deepEqual(
      blocks.map(({ start, end, number }) => [start, end, number]),
      [
        [0, 100, undefined],
        [100, 200, 51],
        [200, 240, 101],
      ],
    );
    assert.match(render(blocks[1] as (typeof blocks)[0]), /^<ol start="51">/);
    assert.equal(blocks.map(({ source }) => source).join('\n'), text);
  });

  it('finds the blocks of a long text', () => {
    const list = Array.from({ length: 4000 }, (_, i) => `- **step ${i}** with \`code\` and [link](src/a.ts)`).join(
      '\n',
    );
    const paragraphs = Array.from({ length: 1000 }, (_, i) => `Paragraph ${i} *it*.\n\n`).join('');
    const { blocks } = readMarkdown(`${list}\n\n${paragraphs}`, { itemsInOneBlock: 10 });
    assert.equal(blocks.length, 4000 / 10 + 1000);
  });
});
