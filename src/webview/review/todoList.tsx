import type { JSX } from 'preact';
import { withInvisibleShown } from '../../planner/invisible';
import type { ReviewRound } from './protocol';
import type { Say } from './speech';
import type { ReviewWord } from './words';

/** The plan's to-dos; while the plan waits, each can be chosen to become a plan of the queue. */
export function TodoList(props: {
  word: Say;
  todos: ReviewRound['todos'];
  /** Indexes of those that an approval has already queued. */
  queued: readonly number[];
  /** Undefined when there is nothing to choose any more. */
  chosen: ReadonlySet<number> | undefined;
  choose(index: number, chosen: boolean): void;
}): JSX.Element | null {
  const { word, todos, queued, chosen } = props;
  const standing = ({ status, priority }: ReviewRound['todos'][number], index: number): ReviewWord[] => [
    status,
    ...(priority ? [priority] : []),
    ...(queued.includes(index) ? (['alreadyQueued'] as const) : []),
  ];
  if (todos.length === 0) return null;
  return (
    <section class="todos" aria-labelledby="todos-title">
      <h2 id="todos-title">{word('todos')}</h2>
      {chosen && <p class="muted">{word('todosHint')}</p>}
      <ol>
        {todos.map((todo, index) => (
          <li key={index} class={todo.status}>
            {chosen ? (
              <label>
                <input
                  type="checkbox"
                  checked={chosen.has(index)}
                  onChange={(event) => props.choose(index, event.currentTarget.checked)}
                />
                <Text word={word} content={todo.content} standing={standing(todo, index)} />
              </label>
            ) : (
              <div>
                <Text word={word} content={todo.content} standing={standing(todo, index)} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Text(props: { word: Say; content: string; standing: ReviewWord[] }): JSX.Element {
  return (
    <span class="text">
      <span dir="auto" class="content">
        {withInvisibleShown(props.content)}
      </span>{' '}
      <span class="muted">{props.standing.map((key) => props.word(key)).join(', ')}</span>
    </span>
  );
}
