import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ReviewDecision } from './protocol';
import type { Say } from './speech';

/** The feedback field and the ways to decide, always in sight. */
export function DecisionBar(props: {
  word: Say;
  feedback: string;
  comments: number;
  chosenTodos: number;
  busy: boolean;
  typed(feedback: string): void;
  decide(decision: ReviewDecision, queue: boolean): void;
}): JSX.Element {
  const { word, comments, chosenTodos, busy, decide } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  // The box belongs to the person: drawing the page again never touches its text.
  useLayoutEffect(() => {
    if (box.current) box.current.value = props.feedback;
  }, []);
  return (
    <section class="decision" aria-labelledby="decision-title">
      <h2 id="decision-title" class="unseen">
        {word('decision')}
      </h2>
      <textarea
        ref={box}
        id="feedback"
        dir="auto"
        rows={1}
        aria-label={word('feedback')}
        placeholder={`${word('feedback')}. ${word('feedbackPlaceholder')}`}
        onInput={(event) => props.typed(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" class="main" disabled={busy} onClick={() => decide('approved', false)}>
          {word('approve')}
        </button>
        {chosenTodos > 0 && (
          <button type="button" disabled={busy} onClick={() => decide('approved', true)}>
            {chosenTodos === 1 ? word('approveAndQueueOne') : word('approveAndQueue', chosenTodos)}
          </button>
        )}
        <button type="button" disabled={busy} onClick={() => decide('changes_requested', false)}>
          {word('requestChanges')}
        </button>
        <button type="button" disabled={busy} onClick={() => decide('rejected', false)}>
          {word('reject')}
        </button>
        {comments > 0 && <span class="muted">{comments === 1 ? word('unsentOne') : word('unsent', comments)}</span>}
      </div>
    </section>
  );
}
