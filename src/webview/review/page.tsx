import type { VNode } from 'preact';
import * as z from 'zod/mini';
import { followLinks, Host, wordsOf } from '../host';
import { chosenTodos, editedPlan, written } from './draft';
import type { ReviewView } from './header';
import { drawReview, type Undo } from './layout';
import { focusPassage, navigateByKeys, rowOfPassage } from './navigation';
import type { OverviewEntry } from './outline';
import {
  type DraftComment,
  EMPTY_DRAFT,
  type FromReview,
  type ReviewDecision,
  type ReviewDraft,
  type ReviewRound,
  type ToReview,
  toReview,
} from './protocol';
import type { Answer } from './question';
import { quoteOf } from './quotes';
import { type Reading, readChanges, readPlan, sourceOf } from './reading';
import { selectedPassage } from './selection';
import type { ReviewWord } from './words';

const remembered = z.object({
  proposal: z.string(),
  round: z.number(),
  view: z.enum(['plan', 'changes', 'edit', 'yourChanges']),
  scroll: z.number(),
});

type Shown = Extract<ToReview, { type: 'show' }>;

/** Milliseconds without a key until a long text is handed on, and until overviews follow. */
const PAUSE = 150;

/** The review panel's page: takes messages, keeps what the person prepares, and draws it. */
export class ReviewPage {
  private readonly host: Host<ToReview, FromReview>;
  readonly word = wordsOf<ReviewWord>();
  shown: Shown | undefined;
  gone = false;
  draft: ReviewDraft = EMPTY_DRAFT;
  /** Grows when the draft comes from elsewhere, so that the boxes take its texts. */
  generation = 0;
  view: ReviewView = 'plan';
  notice: { severity: 'info' | 'error'; text: string } | undefined;
  undo: Undo | undefined;
  question: { decision: 'approved' | 'rejected'; queue: boolean } | undefined;
  busy = false;
  readonly opened = new Set<number>();
  private roundNumber = 0;
  private reading: { key: string; reading: Reading } | undefined;
  private sending: ReturnType<typeof setTimeout> | undefined;
  private drawing: ReturnType<typeof setTimeout> | undefined;
  private remembering: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly draw: (tree: VNode) => void,
  ) {
    this.host = new Host(toReview, (message) => this.receive(message));
    followLinks(root, (target) => this.post({ type: 'openLink', target }));
    navigateByKeys(root, (passage) => this.commentHere(rowOfPassage(passage)));
    document.addEventListener('selectionchange', () => this.redrawSoon());
    document.addEventListener('scroll', () => this.rememberSoon(), { passive: true });
    for (const event of ['focusout', 'pagehide', 'visibilitychange']) {
      window.addEventListener(event, () => this.sendDraft());
    }
    this.post({ type: 'ready' });
  }

  readonly post = (message: FromReview): void => this.host.post(message);

  get round(): ReviewRound | undefined {
    return this.shown?.proposal.rounds.find(({ round }) => round === this.roundNumber);
  }

  get previous(): ReviewRound | undefined {
    return this.shown?.proposal.rounds.find(({ round }) => round === this.roundNumber - 1);
  }

  /** True while this round waits for a decision that may be made here. */
  get isOpen(): boolean {
    return this.waits && this.shown?.mayDecide === true;
  }

  /** True if the draft belongs to the round that is shown. */
  get isLast(): boolean {
    return this.roundNumber === (this.shown?.proposal.rounds.at(-1)?.round ?? 0);
  }

  private get waits(): boolean {
    return this.isLast && this.shown?.proposal.status === 'submitted';
  }

  get views(): ReviewView[] {
    const { round } = this;
    if (!round) return [];
    const changed = this.isLast && !round.decision ? editedPlan(this.draft, round) : round.approvedPlan;
    return [
      'plan',
      ...(this.previous ? (['changes'] as const) : []),
      ...(this.isOpen ? (['edit'] as const) : []),
      ...(changed === null ? [] : (['yourChanges'] as const)),
    ];
  }

  /** What is shown to be read, made anew only when its texts have changed. */
  read(): Reading {
    const { round, previous, view } = this;
    const plan = round?.plan ?? '';
    const [before, after] =
      view === 'changes' && previous
        ? [previous.plan, plan]
        : view === 'yourChanges' && round
          ? [plan, (round.decision ? round.approvedPlan : editedPlan(this.draft, round)) ?? plan]
          : [undefined, plan];
    const key = JSON.stringify([before, after]);
    if (this.reading?.key !== key) {
      this.reading = { key, reading: before === undefined ? readPlan(after) : readChanges(before, after) };
      this.opened.clear();
      this.generation++;
    }
    return this.reading.reading;
  }

  private receive(message: ToReview): void {
    const started = performance.now();
    this.busy = false;
    if (message.type === 'show') this.show(message);
    else if (message.type === 'gone') this.gone = true;
    else this.notice = { severity: message.type === 'refused' ? 'error' : 'info', text: message.text };
    this.redraw();
    // Until it is painted; the developer tools show it.
    requestAnimationFrame(() => setTimeout(() => performance.measure('review', { start: started })));
  }

  private show(message: Shown): void {
    const before = this.shown;
    this.shown = message;
    this.gone = false;
    const last = message.proposal.rounds.at(-1)?.round ?? 0;
    const isNews = !before || last !== before.proposal.rounds.at(-1)?.round;
    if (!before || isNews || message.draftVersion !== before.draftVersion) {
      this.draft = message.draft;
      this.generation++;
    }
    if (isNews) {
      this.notice = undefined;
      this.undo = undefined;
      this.question = undefined;
      this.roundNumber = last;
      this.view = last > 1 ? 'changes' : 'plan';
      if (!before) this.recall();
    }
    if (!this.views.includes(this.view)) this.view = 'plan';
    if (!this.waits) this.question = undefined;
    if (before) this.rememberSoon();
    else this.remember();
  }

  redraw(): void {
    clearTimeout(this.drawing);
    this.drawing = undefined;
    this.draw(drawReview(this));
  }

  /** For what may lag behind the keys. */
  private redrawSoon(): void {
    this.drawing ??= setTimeout(() => this.redraw(), PAUSE);
  }

  choose(view: ReviewView): void {
    this.view = view;
    this.notice = undefined;
    this.redraw();
    this.rememberSoon();
  }

  showRound(round: number): void {
    this.roundNumber = round;
    this.view = this.previous ? 'changes' : 'plan';
    this.redraw();
    this.rememberSoon();
  }

  // What the person prepares.

  change(draft: Partial<ReviewDraft>): void {
    this.draft = { ...this.draft, ...draft };
    this.notice = undefined;
    clearTimeout(this.sending);
    this.sending = setTimeout(() => this.sendDraft(), PAUSE);
    this.redrawSoon();
  }

  private sendDraft(): void {
    if (this.sending === undefined) return;
    clearTimeout(this.sending);
    this.sending = undefined;
    const round = this.shown?.proposal.rounds.at(-1)?.round;
    if (round !== undefined) this.post({ type: 'draft', round, draft: this.draft });
  }

  /** On the selection if there is one, else on the passage. */
  commentHere(row: number): void {
    const selected = selectedPassage();
    if (selected) this.comment(selected.from, selected.to, selected.text);
    else this.comment(row, row);
  }

  comment(from: number, to: number, selected?: string): void {
    const reading = this.read();
    const part = this.isOpen && this.view !== 'yourChanges' ? sourceOf(reading, from, to) : undefined;
    if (!part) return;
    const quote = quoteOf(reading.text, part.source, selected);
    const same = this.draft.comments.find((one) => one.quote === quote && one.line === part.line && one.comment === '');
    const id = same?.id ?? `${Date.now().toString(36)}${this.draft.comments.length}`;
    window.getSelection()?.removeAllRanges();
    if (!same) this.change({ comments: [...this.draft.comments, { id, quote, line: part.line, comment: '' }] });
    this.redraw();
    this.focusComment(id);
  }

  typed(comment: DraftComment, text: string): void {
    this.change({
      comments: this.draft.comments.map((one) => (one.id === comment.id ? { ...one, comment: text } : one)),
    });
  }

  remove(comment: DraftComment): void {
    const { comments } = this.draft;
    const index = comments.findIndex(({ id }) => id === comment.id);
    const removed = comments[index];
    const passage = this.commentElement(comment.id)?.closest<HTMLElement>('.passage');
    if (!removed) return;
    this.change({ comments: comments.toSpliced(index, 1) });
    this.undo =
      removed.comment.trim() === ''
        ? undefined
        : { text: this.word('removed'), restore: () => this.change({ comments: [...this.draft.comments, removed] }) };
    this.redraw();
    focusPassage(passage);
  }

  leave(comment: DraftComment): void {
    const passage = this.commentElement(comment.id)?.closest<HTMLElement>('.passage');
    if (comment.comment.trim() === '' && this.commentText(comment.id) === '') this.remove(comment);
    else focusPassage(passage);
  }

  private commentText(id: string): string {
    return this.draft.comments.find((one) => one.id === id)?.comment.trim() ?? '';
  }

  edit(text: string): void {
    this.change({ edited: text });
  }

  /** Back to the agent's text, with a way back to one's own. */
  revert(): void {
    const { edited } = this.draft;
    this.change({ edited: null });
    this.generation++;
    this.undo = {
      text: this.word('reverted'),
      restore: () => {
        this.change({ edited });
        this.generation++;
      },
    };
    this.redraw();
  }

  restore(): void {
    this.undo?.restore();
    this.undo = undefined;
    this.redraw();
  }

  // Deciding.

  decide(decision: ReviewDecision, queue: boolean): void {
    const { round, draft } = this;
    if (!round) return;
    const comments = written(draft).length;
    const edited = editedPlan(draft, round);
    this.notice = undefined;
    if (decision === 'approved' && edited?.trim() === '') this.warn('emptyPlan');
    else if (decision === 'changes_requested') {
      if (comments > 0 || edited !== null || draft.feedback.trim() !== '') this.send(decision, true, false);
      else {
        this.warn('nothingToSay');
        document.getElementById('feedback')?.focus();
      }
    } else if (comments > 0 || (decision === 'rejected' && edited !== null)) {
      this.question = { decision, queue };
      this.redraw();
    } else this.send(decision, true, queue);
  }

  answer(answer: Answer | undefined): void {
    const { question } = this;
    this.question = undefined;
    this.redraw();
    if (answer && question) this.send(answer.decision, answer.withComments, question.queue);
  }

  private send(decision: ReviewDecision, withComments: boolean, queue: boolean): void {
    const { round, draft } = this;
    if (!round || !this.isOpen) return;
    this.sendDraft();
    this.busy = true;
    this.post({
      type: 'decide',
      round: round.round,
      decision,
      feedback: draft.feedback,
      comments: withComments ? written(draft) : [],
      edited: editedPlan(draft, round),
      queueTodos: decision === 'approved' && queue ? chosenTodos(draft, round) : [],
    });
    this.redraw();
  }

  private warn(key: ReviewWord): void {
    this.notice = { severity: 'error', text: this.word(key) };
    this.redraw();
  }

  // Finding one's way.

  go(row: number): void {
    this.openAround(row);
    focusPassage(this.root.querySelector<HTMLElement>(`.passage[data-row="${row}"]`));
  }

  goComment(entry: OverviewEntry): void {
    this.openAround(entry.row);
    if (this.draft.comments.some(({ id }) => id === entry.key)) this.focusComment(entry.key);
    else if (entry.row >= 0) this.go(entry.row);
    else this.root.querySelector('.unplaced')?.scrollIntoView();
  }

  openGap(from: number): void {
    this.opened.add(from);
    this.redraw();
    focusPassage(this.root.querySelector<HTMLElement>(`.passage[data-row="${from}"]`));
  }

  private openAround(row: number): void {
    if (row < 0 || this.root.querySelector(`.passage[data-row="${row}"]`)) return;
    for (let from = row; from >= 0; from--) this.opened.add(from);
    this.redraw();
  }

  private focusComment(id: string): void {
    const box = this.commentElement(id)?.querySelector('textarea');
    box?.focus({ preventScroll: true });
    box?.scrollIntoView({ block: 'nearest' });
  }

  private commentElement(id: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`[data-comment="${CSS.escape(id)}"]`);
  }

  // What the page looked like when it was last shown.

  private rememberSoon(): void {
    this.remembering ??= setTimeout(() => this.remember(), PAUSE);
  }

  /** Without this VS Code could not open the panel again after a reload. */
  private remember(): void {
    clearTimeout(this.remembering);
    this.remembering = undefined;
    const proposal = this.shown?.proposal.id;
    const scroll = document.scrollingElement?.scrollTop ?? 0;
    if (proposal) this.host.remember({ proposal, round: this.roundNumber, view: this.view, scroll });
  }

  private recall(): void {
    const state = this.host.remembered(remembered);
    if (state?.proposal !== this.shown?.proposal.id || !state) return;
    if (state.round !== this.roundNumber) return;
    this.view = state.view;
    requestAnimationFrame(() => document.scrollingElement?.scrollTo({ top: state.scroll }));
  }
}
