import { followLinks, Host, wordsOf } from '../host';
import { chosenTodos, editedPlan, spoken, written } from './draft';
import { Freshness } from './freshness';
import type { ReviewView } from './header';
import { type Look, PageMemory } from './memory';
import { focusPassage, navigateByKeys, rowOfPassage } from './navigation';
import { Places } from './places';
import { Preparation } from './preparation';
import {
  type DraftComment,
  type FromReview,
  type ReviewDecision,
  type ReviewDraft,
  type ReviewRound,
  type ToReview,
  toReview,
} from './protocol';
import type { Answer } from './question';
import { quoteOf } from './quotes';
import { type Reading, sourceOf } from './reading';
import { selectedPassage } from './selection';
import { ReadingDesk, type ShownRound, shownRound, viewsOf } from './views';
import type { ReviewWord } from './words';

type Shown = Extract<ToReview, { type: 'show' }>;

/** Milliseconds that overviews may lag behind the keys. */
const PAUSE = 150;

/** The review panel's page: takes messages, keeps what the person prepares, and draws it. */
export class ReviewPage {
  private readonly host: Host<ToReview, FromReview>;
  readonly word = wordsOf<ReviewWord>();
  shown: Shown | undefined;
  gone = false;
  /** Grows when the draft comes from elsewhere, so that the boxes take its texts. */
  generation = 0;
  view: ReviewView = 'plan';
  notice: { severity: 'info' | 'error'; text: string } | undefined;
  question: { decision: 'approved' | 'rejected'; queue: boolean } | undefined;
  busy = false;
  readonly freshness = new Freshness(() => this.redraw());
  readonly places: Places;
  readonly preparation = new Preparation(
    (draft) => this.handOn(draft),
    () => {
      this.notice = undefined;
      this.redrawSoon();
    },
    () => this.generation++,
  );
  private readonly desk = new ReadingDesk(() => {
    this.places.opened.clear();
    this.generation++;
  });
  private roundNumber = 0;
  private drawing: ReturnType<typeof setTimeout> | undefined;
  private readonly memory: PageMemory;

  constructor(
    root: HTMLElement,
    private readonly draw: (page: ReviewPage) => void,
  ) {
    this.places = new Places(root, () => this.redraw());
    this.host = new Host(toReview, (message) => this.receive(message));
    this.memory = new PageMemory(this.host, () => this.look);
    followLinks(root, (target) => this.post({ type: 'openLink', target }));
    navigateByKeys(root, (passage) => this.commentHere(rowOfPassage(passage)));
    document.addEventListener('selectionchange', () => this.redrawSoon());
    document.addEventListener('scroll', () => this.memory.keepSoon(), { passive: true });
    for (const event of ['focusout', 'pagehide', 'visibilitychange']) {
      window.addEventListener(event, () => this.preparation.flush());
    }
    this.post({ type: 'ready' });
  }

  readonly post = (message: FromReview): void => this.host.post(message);

  get draft(): ReviewDraft {
    return this.preparation.draft;
  }

  get round(): ReviewRound | undefined {
    return this.shownRound?.round;
  }

  get previous(): ReviewRound | undefined {
    return this.shownRound?.previous;
  }

  private get shownRound(): ShownRound | undefined {
    return this.shown && shownRound(this.shown.proposal, this.roundNumber, this.draft);
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
    const { shownRound: shown } = this;
    return shown ? viewsOf(shown, this.isOpen) : [];
  }

  /** What is shown to be read. */
  read(): Reading {
    return this.desk.read(this.view, this.shownRound);
  }

  /** What is shown of which round, to be found again after a reload. */
  private get look(): Look | undefined {
    const proposal = this.shown?.proposal.id;
    return proposal === undefined ? undefined : { proposal, round: this.roundNumber, view: this.view };
  }

  private receive(message: ToReview): void {
    const started = performance.now();
    this.busy = false;
    const settled = message.type === 'show' && this.isSettledBy(message);
    if (message.type === 'show') this.show(message);
    else if (message.type === 'gone') this.gone = true;
    else this.notice = { severity: message.type === 'refused' ? 'error' : 'info', text: message.text };
    this.redraw();
    if (settled) this.places.goVerdict();
    // Until it is painted; the developer tools show it.
    requestAnimationFrame(() => setTimeout(() => performance.measure('review', { start: started })));
  }

  /** True if the round that is shown was waiting and no longer does. */
  private isSettledBy({ proposal }: Shown): boolean {
    const { round } = this;
    const now = proposal.rounds.find((one) => one.round === round?.round);
    return round?.decision === null && (now?.decision ?? null) !== null;
  }

  private show(message: Shown): void {
    const before = this.shown;
    this.gone = false;
    const last = message.proposal.rounds.at(-1)?.round ?? 0;
    const isNews = !before || last !== before.proposal.rounds.at(-1)?.round;
    if (!before || isNews || message.draftVersion !== before.draftVersion) {
      this.preparation.take(message.draft);
    }
    this.shown = message;
    if (isNews) {
      this.freshness.begin();
      this.notice = undefined;
      this.preparation.undo = undefined;
      this.question = undefined;
      this.roundNumber = last;
      this.view = last > 1 ? 'changes' : 'plan';
      if (!before) this.view = this.memory.recall(this.look) ?? this.view;
    }
    if (!this.views.includes(this.view)) this.view = 'plan';
    if (!this.waits) this.question = undefined;
    if (before) this.memory.keepSoon();
    else this.memory.keep();
  }

  redraw(): void {
    clearTimeout(this.drawing);
    this.drawing = undefined;
    this.draw(this);
  }

  /** For what may lag behind the keys. */
  private redrawSoon(): void {
    this.drawing ??= setTimeout(() => this.redraw(), PAUSE);
  }

  choose(view: ReviewView): void {
    this.view = view;
    this.notice = undefined;
    this.redraw();
    this.memory.keepSoon();
  }

  showRound(round: number): void {
    this.roundNumber = round;
    this.view = this.previous ? 'changes' : 'plan';
    this.redraw();
    this.memory.keepSoon();
  }

  // What the person prepares.

  private handOn(draft: ReviewDraft): void {
    const round = this.shown?.proposal.rounds.at(-1)?.round;
    if (round !== undefined) this.post({ type: 'draft', round, draft });
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
    window.getSelection()?.removeAllRanges();
    const id = this.preparation.begin(quote, part.line);
    this.redraw();
    this.places.focusComment(id);
  }

  typed(comment: DraftComment, text: string): void {
    this.preparation.write(comment, text);
  }

  remove(comment: DraftComment): void {
    const passage = this.places.passageOfComment(comment.id);
    this.preparation.remove(comment);
    this.redraw();
    focusPassage(passage);
  }

  leave(comment: DraftComment): void {
    if (this.preparation.isEmpty(comment)) this.remove(comment);
    else focusPassage(this.places.passageOfComment(comment.id));
  }

  /** Back to the agent's text, with a way back to one's own. */
  revert(): void {
    this.preparation.revert();
    this.redraw();
  }

  restore(): void {
    this.preparation.restore();
    this.redraw();
  }

  // Deciding.

  decide(decision: ReviewDecision, queue: boolean): void {
    const { round, draft } = this;
    if (!round) return;
    const comments = spoken(draft).length;
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
    this.preparation.flush();
    this.busy = true;
    this.post({
      type: 'decide',
      round: round.round,
      decision,
      feedback: draft.feedback,
      comments: withComments ? written(draft, round) : [],
      edited: editedPlan(draft, round),
      queueTodos: decision === 'approved' && queue ? chosenTodos(draft, round) : [],
    });
    this.redraw();
  }

  private warn(key: ReviewWord): void {
    this.notice = { severity: 'error', text: this.word(key) };
    this.redraw();
  }
}
