import { type DraftComment, EMPTY_DRAFT, type ReviewDraft } from './protocol';

/** Something that was taken away, and the way back to it. */
export interface Undo {
  what: 'removed' | 'reverted';
  restore(): void;
}

/** Milliseconds without a key until a draft is handed on. */
const PAUSE = 150;

/** What the person prepares for the round that waits. It is handed on at every pause, so that nothing of it gets lost. */
export class Preparation {
  draft: ReviewDraft = EMPTY_DRAFT;
  undo: Undo | undefined;
  private handing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly handOn: (draft: ReviewDraft) => void,
    private readonly changed: () => void,
    /** Texts were put into the draft that its boxes don't have. */
    private readonly replaced: () => void,
  ) {}

  /** A draft from elsewhere. */
  take(draft: ReviewDraft): void {
    this.flush();
    this.draft = draft;
    this.replaced();
  }

  change(part: Partial<ReviewDraft>): void {
    this.draft = { ...this.draft, ...part };
    clearTimeout(this.handing);
    this.handing = setTimeout(() => this.flush(), PAUSE);
    this.changed();
  }

  /** Hands on what was not handed on yet. */
  flush(): void {
    if (this.handing === undefined) return;
    clearTimeout(this.handing);
    this.handing = undefined;
    this.handOn(this.draft);
  }

  /** Begins a comment, or goes on with an empty one on the same passage. Gives its id. */
  begin(quote: string, line: number): string {
    const { comments } = this.draft;
    const same = comments.find((one) => one.quote === quote && one.line === line && one.comment === '');
    const id = same?.id ?? `${Date.now().toString(36)}${comments.length}`;
    if (!same) this.change({ comments: [...comments, { id, quote, line, comment: '' }] });
    return id;
  }

  write({ id }: DraftComment, comment: string): void {
    this.change({ comments: this.draft.comments.map((one) => (one.id === id ? { ...one, comment } : one)) });
  }

  isEmpty({ id }: DraftComment): boolean {
    return (this.draft.comments.find((one) => one.id === id)?.comment ?? '').trim() === '';
  }

  remove(comment: DraftComment): void {
    const isEmpty = this.isEmpty(comment);
    const removed = this.draft.comments.find(({ id }) => id === comment.id);
    if (!removed) return;
    this.change({ comments: this.draft.comments.filter((one) => one !== removed) });
    const restore = () => this.change({ comments: [...this.draft.comments, removed] });
    this.undo = isEmpty ? undefined : { what: 'removed', restore };
  }

  /** Back to the agent's text. */
  revert(): void {
    const { edited } = this.draft;
    const put = (text: string | null) => {
      this.change({ edited: text });
      this.replaced();
    };
    put(null);
    this.undo = { what: 'reverted', restore: () => put(edited) };
  }

  restore(): void {
    this.undo?.restore();
    this.undo = undefined;
  }
}
