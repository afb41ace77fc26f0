import type { JSX } from 'preact';
import type { ReviewRound } from './protocol';
import type { Say } from './speech';
import type { ReviewWord } from './words';

/** The plan's to-dos; while the plan waits, each can be chosen to become a plan of the queue. */
export function TodoList(props: {
  word: Say;
  todos: ReviewRound['todos'];
  /** Undefined when there is nothing to choose any more. */
  chosen: ReadonlySet<number> | undefined;
  choose(index: number, chosen: boolean): void;
}): JSX.Element | null {
  const { word, todos, chosen } = props;
  if (todos.length === 0) return null;
  return (
    <section class="todos" aria-labelledby="todos-title">
      <h2 id="todos-title">{word('todos')}</h2>
      {chosen && <p class="muted">{word('todosHint')}</p>}
      <ol>
        {todos.map(({ content, status, priority }, index) => (
          <li key={index} class={status}>
            {chosen ? (
              <label>
                <input
                  type="checkbox"
                  checked={chosen.has(index)}
                  onChange={(event) => props.choose(index, event.currentTarget.checked)}
                />
                <Text word={word} content={content} standing={[status, priority]} />
              </label>
            ) : (
              <div>
                <Text word={word} content={content} standing={[status, priority]} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Text(props: { word: Say; content: string; standing: (ReviewWord | undefined)[] }): JSX.Element {
  const standing = props.standing.flatMap((key) => (key ? [props.word(key)] : []));
  return (
    <>
      <span dir="auto" class="content">
        {props.content}
      </span>
      <span class="muted">{standing.join(', ')}</span>
    </>
  );
}
