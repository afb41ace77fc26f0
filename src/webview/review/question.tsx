import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Say } from './speech';
import type { ReviewWord } from './words';

/** A decision, and whether the comments go along. Undefined: back to the plan. */
export interface Answer {
  decision: 'approved' | 'changes_requested' | 'rejected';
  withComments: boolean;
}

/** Asks what is to become of comments and changes that were not sent. Closing it in any way decides nothing. */
export function Question(props: {
  word: Say;
  decision: 'approved' | 'rejected';
  comments: number;
  answer(answer: Answer | undefined): void;
}): JSX.Element {
  const { word, decision, comments, answer } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const rejecting = decision === 'rejected';
  const choices: [ReviewWord, Answer][] =
    comments === 0
      ? [['rejectAnyway', { decision, withComments: false }]]
      : rejecting
        ? [
            ['rejectWith', { decision, withComments: true }],
            ['rejectWithout', { decision, withComments: false }],
          ]
        : [
            ['approveWith', { decision, withComments: true }],
            ['requestWith', { decision: 'changes_requested', withComments: true }],
            ['approveWithout', { decision, withComments: false }],
          ];
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question-title"
      aria-describedby="question-text"
      onCancel={(event) => {
        event.preventDefault();
        answer(undefined);
      }}
    >
      <h2 id="question-title">{word(comments > 0 ? 'unsentTitle' : 'unsentTitleEdit')}</h2>
      <p id="question-text">
        {word(comments === 0 ? 'unsentEditReject' : rejecting ? 'unsentReject' : 'unsentApprove')}
      </p>
      <div class="actions">
        {choices.map(([label, choice], index) => (
          <button type="button" key={label} class={index === 0 ? 'main' : undefined} onClick={() => answer(choice)}>
            {word(label)}
          </button>
        ))}
        <button type="button" onClick={() => answer(undefined)}>
          {word('back')}
        </button>
      </div>
    </dialog>
  );
}
