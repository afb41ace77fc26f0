import type { JSX } from 'preact';
import { time } from '../time';
import type { ReviewRound, ShownProposal } from './protocol';
import type { Say } from './speech';

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
        <span dir="auto" title={proposal.session}>
          {word('inSession', proposal.task || proposal.session)}
        </span>
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
