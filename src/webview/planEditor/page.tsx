import type { VNode } from 'preact';
import * as z from 'zod/mini';
import { withoutMarks } from '../../planner/inlineMarkdown';
import { followLinks, Host, wordsOf } from '../host';
import {
  type Conflict,
  type Field,
  type FromPlanEditor,
  type Notice,
  type PlanHeader,
  type ToPlanEditor,
  toPlanEditor,
} from '../protocol';
import type { FieldEditor } from './fieldEditor';
import { Header, type View } from './header';
import { Reading } from './reading';
import { ConflictView, Section } from './section';
import type { PlanEditorWord } from './words';

const remembered = z.object({
  view: z.enum(['write', 'both', 'read']),
  scroll: z.number(),
  focus: z.optional(z.object({ field: z.string(), start: z.number(), end: z.number() })),
});

const NO_HEADER: PlanHeader = {
  state: 'loading',
  id: '',
  session: '',
  task: '',
  queuePosition: null,
  queueLength: 0,
  waitingFor: [],
  pulledBy: null,
  pulledAt: null,
  finishedAt: null,
  outcome: null,
  actions: [],
};

/** The plan editor's page: takes messages, keeps what they say, and draws it. */
export class PlanEditorPage {
  private readonly host: Host<ToPlanEditor, FromPlanEditor>;
  private readonly word = wordsOf<PlanEditorWord>();
  private readonly editors = new Map<Field, FieldEditor>();
  private shape: Extract<ToPlanEditor, { type: 'show' }> | undefined;
  /** Grows with each `show`, so that every section is made anew. */
  private generation = 0;
  private header = NO_HEADER;
  private notices: Notice[] = [];
  private conflicts: Conflict[] = [];
  private view: View;
  private title = '';
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    root: HTMLElement,
    private readonly draw: (tree: VNode) => void,
  ) {
    this.host = new Host(toPlanEditor, (message) => this.receive(message));
    this.view = this.host.remembered(remembered)?.view ?? 'both';
    followLinks(root, (target) => this.post({ type: 'openLink', target }));
    document.addEventListener('keydown', (event) => this.key(event), true);
    for (const event of ['scroll', 'selectionchange', 'focusin']) {
      document.addEventListener(event, () => this.rememberSoon(), { passive: true });
    }
    this.post({ type: 'ready' });
  }

  private readonly post = (message: FromPlanEditor): void => this.host.post(message);

  private receive(message: ToPlanEditor): void {
    switch (message.type) {
      case 'show':
        this.shape = message;
        this.generation++;
        this.editors.clear();
        this.title = titleOf(message.fields);
        this.redraw();
        if (this.generation === 1) this.restore();
        break;
      case 'text':
        this.editors.get(message.field)?.hear(message);
        break;
      case 'resend':
        this.editors.get(message.field)?.resend();
        break;
      case 'header':
        this.header = message.header;
        this.notices = message.notices;
        this.redraw();
        break;
      case 'conflicts':
        this.conflicts = message.conflicts;
        this.redraw();
        break;
      case 'focus':
        this.editors.get(message.field)?.box.focus();
        break;
    }
  }

  private redraw(): void {
    if (!this.shape) return;
    const { readOnly, fields } = this.shape;
    const { word, post, view } = this;
    this.draw(
      <>
        <Header
          word={word}
          post={post}
          title={this.title}
          header={this.header}
          notices={this.notices}
          view={view}
          readOnly={readOnly}
          choose={(chosen) => this.choose(chosen)}
        />
        <main key={this.generation}>
          {this.conflicts
            .filter((conflict) => readOnly || !fields.some(({ field }) => field === conflict.field))
            .map((conflict) => (
              <ConflictView key={conflict.field} word={word} post={post} conflict={conflict} />
            ))}
          {readOnly ? (
            <Reading word={word} header={this.header} fields={fields} />
          ) : (
            fields.map(({ field, ...shown }) => (
              <Section
                key={field}
                word={word}
                post={post}
                field={field}
                shown={shown}
                view={view}
                conflict={this.conflicts.find((conflict) => conflict.field === field)}
                opened={(editor) => this.editors.set(field, editor)}
                typed={(typedField, text) => this.typed(typedField, text)}
              />
            ))
          )}
        </main>
      </>,
    );
  }

  private typed(field: Field, text: string): void {
    if (field !== 'goal') return;
    const title = firstLine(text);
    if (title === this.title) return;
    this.title = title;
    this.redraw();
  }

  private choose(view: View): void {
    this.view = view;
    this.redraw();
    this.rememberSoon();
  }

  /** Undo belongs to the document, which must hold what was just typed first: so it goes by the extension. */
  private key(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return;
    const key = event.key.toLowerCase();
    const type = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : undefined;
    if (!type || this.shape?.readOnly) return;
    event.preventDefault();
    event.stopPropagation();
    this.post({ type });
  }

  private rememberSoon(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      const box = document.activeElement;
      const focused = [...this.editors.values()].find((editor) => editor.box === box);
      this.host.remember({
        view: this.view,
        scroll: document.scrollingElement?.scrollTop ?? 0,
        focus: focused && {
          field: focused.field,
          start: focused.box.selectionStart,
          end: focused.box.selectionEnd,
        },
      });
    }, 200);
  }

  private restore(): void {
    const state = this.host.remembered(remembered);
    if (!state) return;
    // Sections open their boxes after the page was drawn.
    requestAnimationFrame(() => {
      const editor = [...this.editors.values()].find(({ field }) => field === state.focus?.field);
      if (editor && state.focus) {
        editor.box.focus({ preventScroll: true });
        editor.box.setSelectionRange(state.focus.start, state.focus.end);
      }
      document.scrollingElement?.scrollTo({ top: state.scroll });
    });
  }
}

function titleOf(fields: { field: Field; text: string }[]): string {
  return firstLine(fields.find(({ field }) => field === 'goal')?.text ?? '');
}

function firstLine(text: string): string {
  return withoutMarks(text.trim().split('\n', 1)[0]?.slice(0, 300) ?? '');
}
