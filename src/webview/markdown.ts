import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { withInvisibleShown } from '../planner/invisible';
import { hidesWords } from './hiddenText';
import { readLink } from './links';

/** One top-level block of a Markdown text: a paragraph, a list, a fenced block, a heading, or lines that render to nothing. */
export interface MarkdownBlock {
  source: string;
  /** Lines `[start, end)` of the text. */
  start: number;
  end: number;
  /** For a later part of a long numbered list: the number that it goes on with. */
  number?: number;
}

const options = { html: false, linkify: false, typographer: false };

/** Finds the blocks alone: a small part of the work of rendering them. */
const outline = new MarkdownIt(options);
outline.core.ruler.enableOnly(['normalize', 'block']);

const renderer = new MarkdownIt(options);

// Plans come from agents. What isn't a link that we follow stays visible as the text it is.
for (const markdown of [outline, renderer]) markdown.validateLink = (target) => readLink(target) !== undefined;

// Nothing is ever navigated to: the page hands `data-target` to the extension, which looks at it again.
renderer.renderer.rules.link_open = (tokens, index) => {
  const target = renderer.utils.escapeHtml(String(tokens[index]?.attrGet('href') ?? ''));
  return `<a role="link" tabindex="0" data-target="${target}" title="${target}">`;
};

// Images would be loaded from wherever the text says: they are shown as a link with their description.
renderer.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  const target = renderer.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
  const text = renderer.utils.escapeHtml(token?.content || String(token?.attrGet('src') ?? ''));
  return `<a class="image" role="link" tabindex="0" data-target="${target}" title="${target}">${text}</a>`;
};

// A plan's sections have headings of their own, two levels up.
renderer.renderer.rules.heading_open = (tokens, index) => `<${lowered(tokens[index]?.tag)}>`;
renderer.renderer.rules.heading_close = (tokens, index) => `</${lowered(tokens[index]?.tag)}>\n`;

renderer.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
renderer.renderer.rules.table_close = () => '</table></div>\n';

renderer.core.ruler.after('inline', 'tasks', ({ tokens }) => {
  tokens.forEach((token, index) => {
    const text = token.type === 'inline' ? token.children?.[0] : undefined;
    const box = text && tokens[index - 2]?.type === 'list_item_open' && /^\[([ xX])\]\s/.exec(text.content);
    if (!box) return;
    tokens[index - 2]?.attrSet('class', 'task');
    text.content = `${box[1] === ' ' ? '☐' : '☑'} ${text.content.slice(box[0].length)}`;
  });
});

function lowered(tag: string | undefined): string {
  return `h${Math.min(6, Number(tag?.slice(1)) + 2)}`;
}

const ITEMS_IN_ONE_BLOCK = 50;

/**
 * The blocks of a text, and a function that renders one of them to HTML that is safe to insert. A list of hundreds of
 * steps comes in several blocks of `itemsInOneBlock`: rendering all of it for each key would be felt.
 */
export function readMarkdown(
  text: string,
  { itemsInOneBlock = ITEMS_IN_ONE_BLOCK } = {},
): {
  blocks: MarkdownBlock[];
  /** The text's link definitions, which any block may use: when they change, every block does. */
  definitions: string;
  render(block: MarkdownBlock): string;
} {
  const environment: Env = {};
  const tokens = outline.parse(text, environment);
  const lines = text.split('\n');
  const blocks = tokens.flatMap((token, index): MarkdownBlock[] => {
    if (token.level !== 0 || token.nesting < 0 || !token.map) return [];
    const parts = token.type.endsWith('_list_open') ? listParts(tokens, index, itemsInOneBlock) : [];
    const [start, end] = token.map;
    return (parts.length > 1 ? parts : [{ start, end }]).map((part) => cut(lines, part));
  });
  return {
    blocks: withLinesBetween(lines, blocks),
    definitions: JSON.stringify(environment.references ?? {}),
    render: ({ source, number }) => {
      const parsed = renderer.parse(source, { references: environment.references });
      if (number !== undefined) parsed[0]?.attrSet('start', String(number));
      const html = renderer.renderer.render(parsed, renderer.options, {});
      const unseen = hidesWords(source, html) ? `<pre class="source">${renderer.utils.escapeHtml(source)}</pre>\n` : '';
      return withInvisibleShown(html + unseen);
    },
  };
}

/** Definitions are no blocks of the parser's, but part of what is read. */
function withLinesBetween(lines: readonly string[], blocks: readonly MarkdownBlock[]): MarkdownBlock[] {
  const all: MarkdownBlock[] = [];
  let start = 0;
  for (const block of [...blocks, undefined]) {
    const end = block?.start ?? lines.length;
    while (start < end && lines[start]?.trim() === '') start++;
    if (start < end) all.push(cut(lines, { start, end }));
    if (block) all.push(block);
    start = block?.end ?? end;
  }
  return all;
}

function listParts(tokens: readonly Token[], list: number, itemsInOneBlock: number): Omit<MarkdownBlock, 'source'>[] {
  const items: Token[] = [];
  for (let i = list + 1; tokens[i] && tokens[i]?.level !== 0; i++) {
    const token = tokens[i] as Token;
    if (token.type === 'list_item_open' && token.level === 1) items.push(token);
  }
  const first = tokens[list]?.type === 'ordered_list_open' ? Number(tokens[list]?.attrGet('start') ?? 1) : undefined;
  const parts: Omit<MarkdownBlock, 'source'>[] = [];
  for (let i = 0; i < items.length; i += itemsInOneBlock) {
    const last = items[Math.min(i + itemsInOneBlock, items.length) - 1];
    parts.push({
      start: items[i]?.map?.[0] ?? 0,
      end: last?.map?.[1] ?? 0,
      ...(first !== undefined && i > 0 ? { number: first + i } : {}),
    });
  }
  return parts;
}

function cut(lines: readonly string[], part: Omit<MarkdownBlock, 'source'>): MarkdownBlock {
  let { end } = part;
  while (end > part.start + 1 && lines[end - 1]?.trim() === '') end--;
  return { ...part, end, source: lines.slice(part.start, end).join('\n') };
}
