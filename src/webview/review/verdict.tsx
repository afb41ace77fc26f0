import type { JSX } from 'preact';
import { Feedback } from './feedback';
import type { FromReview, ReviewRound } from './protocol';
import { decidedBy, type Say } from './speech';

/** What was decided, and how the agent gets to know. */
export function Verdict(props: {
  word: Say;
  round: ReviewRound;
  isLast: boolean;
  savedAs: string | null;
  post(message: FromReview): void;
}): JSX.Element | null {
  const { word, round, savedAs, post } = props;
  if (!round.decision) return null;
  const act = (action: Extract<FromReview, { type: 'act' }>['action']) => () => post({ type: 'act', action });
  return (
    <section
      class={`notice verdict ${round.decision === 'approved' ? 'info' : 'warning'}`}
      aria-label={word(round.decision)}
    >
      <div class="said">
        <p>
          <strong>{decidedBy(word, round.decision, round.decidedBy, round.decidedAt)}</strong>
        </p>
        {round.feedback && <Feedback text={word('feedbackWas', round.feedback)} />}
        {round.queuedPlans.length > 0 && (
          <p>
            {word('queuedAs')}{' '}
            {round.queuedPlans.map(({ id, goal }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <button
                  type="button"
                  class="link"
                  dir="auto"
                  title={id}
                  onClick={() => post({ type: 'openPlan', plan: id })}
                >
                  {goal || id}
                </button>
              </span>
            ))}
          </p>
        )}
        {savedAs && (
          <p>
            {word('savedAs', savedAs)}{' '}
            <button type="button" class="link" onClick={act('openSaved')}>
              {word('openSaved')}
            </button>
          </p>
        )}
        {props.isLast && <p class="muted">{word('agentLearns')}</p>}
        {props.isLast && (
          <div class="actions">
            <button type="button" onClick={act('tellInChat')}>
              {word('tellInChat')}
            </button>
            <button type="button" onClick={act('copyMessage')}>
              {word('copyMessage')}
            </button>
          </div>
        )}
      </div>
    </section>
  );
}
