import type { JSX } from 'preact';
import type { FromPlanEditor, Notice, PlanAction, PlanHeader } from '../protocol';
import { time } from '../time';
import type { PlanEditorWord } from './words';

export interface Speech {
  word(key: PlanEditorWord, ...values: (string | number)[]): string;
  post(message: FromPlanEditor): void;
}

export type View = 'write' | 'both' | 'read';

const VIEWS: readonly View[] = ['write', 'both', 'read'];
/** What one most likely came for; the other actions look quieter. */
const MAIN: readonly PlanAction[] = ['start', 'complete', 'reopen'];

/** The plan's goal, state, place and actions, above its sections. */
export function Header(
  props: Speech & {
    title: string;
    header: PlanHeader;
    notices: Notice[];
    view: View;
    readOnly: boolean;
    choose(view: View): void;
  },
): JSX.Element {
  const { word, post, header } = props;
  return (
    <>
      <header>
        <h1 dir="auto">{props.title || word('noGoal')}</h1>
        <Facts word={word} post={post} header={header} readOnly={props.readOnly} />
        {header.waitingFor.length > 0 && (
          <div class="blockers">
            <span id="blockers">{word('waitsFor')}</span>
            <ul aria-labelledby="blockers">
              {header.waitingFor.map(({ id, goal }) => (
                <li key={id}>
                  <button
                    type="button"
                    class="link"
                    dir="auto"
                    title={word('plan', id)}
                    onClick={() => post({ type: 'openPlan', plan: id })}
                  >
                    {goal || id}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div class="bar">
          {header.actions.length > 0 && (
            <div class="actions" role="toolbar" aria-label={word('actions')}>
              {header.actions.map((action) => (
                <button
                  type="button"
                  key={action}
                  class={MAIN.includes(action) ? 'main' : undefined}
                  onClick={() => post({ type: 'act', action })}
                >
                  {word(action)}
                </button>
              ))}
            </div>
          )}
          {!props.readOnly && (
            <fieldset class="views">
              <legend class="unseen">{word('view')}</legend>
              {VIEWS.map((view) => (
                <label key={view}>
                  <input type="radio" name="view" checked={props.view === view} onChange={() => props.choose(view)} />
                  <span>{word(view)}</span>
                </label>
              ))}
            </fieldset>
          )}
        </div>
      </header>
      <div role="status" class="notices">
        {props.notices.map((notice) => (
          <div class={`notice ${notice.severity}`} key={notice.text}>
            <p dir="auto">{notice.text}</p>
            {notice.actions.map((action) => (
              <button type="button" key={action} onClick={() => post({ type: 'act', action })}>
                {word(action)}
              </button>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

function Facts({ word, header, readOnly }: Speech & { header: PlanHeader; readOnly: boolean }): JSX.Element {
  const blocked = header.state === 'queued' && header.waitingFor.length > 0;
  return (
    <p class="facts">
      <span class={`state ${blocked ? 'blocked' : header.state}`}>{word(blocked ? 'blocked' : header.state)}</span>
      {header.queuePosition !== null && <span>{word('place', header.queuePosition, header.queueLength)}</span>}
      {header.pulledAt && (
        <span dir="auto">
          {header.pulledBy
            ? word('since', header.pulledBy, time(header.pulledAt))
            : word('sinceAlone', time(header.pulledAt))}
        </span>
      )}
      {header.finishedAt && <span>{time(header.finishedAt)}</span>}
      {readOnly && <span>{word('readOnly')}</span>}
      {header.session && (
        <span dir="auto" title={header.session}>
          {word('session', header.task || header.session)}
        </span>
      )}
      {header.id && <span>{word('plan', header.id)}</span>}
    </p>
  );
}
