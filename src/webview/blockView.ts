import { type MarkdownBlock, readMarkdown } from './markdown';

/** With more blocks than this, those out of sight are not laid out. */
const MANY = 60;

/**
 * Rendered Markdown in a page. When the text changes, only the blocks that differ are rendered and replaced, so that
 * a long text stays as quick to follow as a short one, and a selection elsewhere in it survives.
 */
export class BlockView {
  private blocks: MarkdownBlock[] = [];
  private definitions = '';
  private text: string | undefined;

  constructor(private readonly container: HTMLElement) {
    container.classList.add('markdown');
  }

  show(text: string): void {
    if (text === this.text) return;
    this.text = text;
    const { blocks, definitions, render } = readMarkdown(text);
    const old = definitions === this.definitions ? this.blocks : [];
    if (old.length === 0) this.container.replaceChildren();

    let start = 0;
    while (start < old.length && start < blocks.length && same(old[start], blocks[start])) start++;
    let kept = 0;
    const most = Math.min(old.length, blocks.length) - start;
    while (kept < most && same(old[old.length - kept - 1], blocks[blocks.length - kept - 1])) kept++;

    const { children } = this.container;
    for (let i = old.length - kept - 1; i >= start; i--) children[i]?.remove();
    const fresh = blocks.slice(start, blocks.length - kept).map((block) => element(render(block)));
    const next = children[start];
    if (next) next.before(...fresh);
    else this.container.append(...fresh);
    this.container.classList.toggle('long', blocks.length > MANY);
    this.blocks = blocks;
    this.definitions = definitions;
  }

  /** The block that a node of the page belongs to, for instance one that was selected; undefined outside. */
  blockOf(node: Node): MarkdownBlock | undefined {
    let child: Node | null = node;
    while (child && child.parentNode !== this.container) child = child.parentNode;
    return child ? this.blocks[[...this.container.children].indexOf(child as Element)] : undefined;
  }
}

function same(a: MarkdownBlock | undefined, b: MarkdownBlock | undefined): boolean {
  return a?.source === b?.source && a?.number === b?.number;
}

function element(html: string): HTMLElement {
  const block = document.createElement('div');
  block.className = 'block';
  block.dir = 'auto';
  block.innerHTML = html;
  return block;
}
