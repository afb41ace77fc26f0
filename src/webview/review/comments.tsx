import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PassageFate } from './comparison';
import type { DraftComment } from './protocol';
import { excerpt, type Say } from './speech';

/** A comment that is being written. What is typed is kept at once; nothing has to be confirmed. */
export function CommentCard(props: {
  word: Say;
  comment: DraftComment;
  /** The passage is shown right above, so that its quote would only repeat it. */
  whole: boolean;
  typed(text: string): void;
  remove(): void;
  leave(): void;
}): JSX.Element {
  const { word, comment } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  // The box belongs to the person: drawing the page again never touches its text.
  useLayoutEffect(() => {
    if (box.current) box.current.value = comment.comment;
  }, []);
  return (
    <div class="comment mine" data-comment={comment.id}>
      <div class="commentHead">
        <span>{word('yourComment')}</span>
        <button type="button" class="link" onClick={props.remove}>
          {word('remove')}
        </button>
      </div>
      {!props.whole && <Quote text={comment.quote} />}
      <textarea
        ref={box}
        dir="auto"
        rows={2}
        aria-label={word('commentOn', excerpt(comment.quote))}
        placeholder={word('commentPlaceholder')}
        onInput={(event) => props.typed(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return;
          event.preventDefault();
          event.stopPropagation();
          props.leave();
        }}
      />
    </div>
  );
}

/** A comment that was sent, with what became of its passage since, if that is known. */
export function SentComment(props: {
  word: Say;
  quote: string;
  comment: string;
  heading: string;
  fate?: PassageFate;
}): JSX.Element {
  const { word, fate } = props;
  return (
    <div class={`comment sent ${fate ?? ''}`}>
      <div class="commentHead">
        <span>{props.heading}</span>
        {fate && <span class={`fate ${fate}`}>{word(fate === 'removed' ? 'removedFate' : fate)}</span>}
      </div>
      <Quote text={props.quote} />
      <p dir="auto" class="commentText">
        {props.comment}
      </p>
    </div>
  );
}

function Quote({ text }: { text: string }): JSX.Element | null {
  if (text === '') return null;
  return (
    <blockquote dir="auto" class="quote">
      {excerpt(text, 240)}
    </blockquote>
  );
}
