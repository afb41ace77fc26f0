import type { JSX } from 'preact';
import type { FromReview, ReviewRound, ShownProposal } from './protocol';
import { decidedBy, type Say, time } from './speech';

export type ReviewView = 'plan' | 'changes' | 'edit' | 'yourChanges';

/** What is proposed, by whom, and how far it has come. */
export function Header(props: {
  word: Say;
  proposal: ShownProposal;
  round: ReviewRound | undefined;
  views: readonly ReviewView[];
  view: ReviewView;
  choose(view: ReviewView): void;
  showRound(round: number): void;
}): JSX.Element {
  const { word, proposal, round } = props;
  const last = proposal.rounds.at(-1);
  const standing = proposal.status === 'rejected' ? (last?.decision ?? 'rejected') : proposal.status;
  return (
    <header>
      <h1 dir="auto">{proposal.title}</h1>
      <p class="facts">
        <span class={`state ${standing}`}>{word(standing === 'submitted' ? 'waiting' : standing)}</span>
        <span dir="auto">{word('from', proposal.client)}</span>
        {round && <span>{time(round.submittedAt)}</span>}
        <span>{word('inSession', proposal.session)}</span>
        <span>{word('proposal', proposal.id)}</span>
      </p>
      {proposal.reason && (
        <p class="muted" dir="auto">
          {word('reason', proposal.reason)}
        </p>
      )}
      <div class="bar">
        {proposal.rounds.length > 1 && round && (
          <label class="rounds">
            {word('round')}{' '}
            <select value={round.round} onChange={(event) => props.showRound(Number(event.currentTarget.value))}>
              {proposal.rounds.map((one) => (
                <option key={one.round} value={one.round} selected={one.round === round.round}>
                  {[word('roundName', one.round), one.decision ? word(one.decision) : ''].filter(Boolean).join(' · ')}
                </option>
              ))}
            </select>
          </label>
        )}
        {props.views.length > 1 && (
          <fieldset class="views">
            <legend class="unseen">{word('view')}</legend>
            {props.views.map((view) => (
              <label key={view}>
                <input type="radio" name="view" checked={props.view === view} onChange={() => props.choose(view)} />
                <span>{word(view === 'yourChanges' && round?.decision ? 'changedByYou' : view)}</span>
              </label>
            ))}
          </fieldset>
        )}
      </div>
    </header>
  );
}

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
        {round.feedback && (
          <p dir="auto" class="commentText">
            {word('feedbackWas', round.feedback)}
          </p>
        )}
        {round.queuedPlans.length > 0 && (
          <p>
            {word('queuedAs')}{' '}
            {round.queuedPlans.map((plan) => (
              <button
                type="button"
                class="link"
                key={plan}
                onClick={() => post({ type: 'openPlan', plan })}
              >{`${plan} `}</button>
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
      </div>
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
    </section>
  );
}
