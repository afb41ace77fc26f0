import { PlannerError } from './errors';
import type { Todo, TodoStatus } from './model';
import { enteringText, excerpt } from './text';

export type TodoCounts = Record<TodoStatus, number>;

const STATUSES: readonly string[] = ['pending', 'in_progress', 'completed'];
const PRIORITIES: readonly string[] = ['high', 'medium', 'low'];

/** Checks a whole to-do list; VALIDATION_ERROR names the entry. */
export function checkedTodos(todos: readonly Todo[]): Todo[] {
  const checked = todos.map(checkedTodo);
  const running = checked.flatMap((todo, index) => (todo.status === 'in_progress' ? [named(todo, index)] : []));
  if (running.length > 1) {
    throw new PlannerError(
      'VALIDATION_ERROR',
      `${running.length} to-dos are in_progress: ${running.join(', ')}.`,
      'Leave one in_progress and set the others to pending or completed.',
    );
  }
  return checked;
}

export function countTodos(todos: readonly Todo[]): TodoCounts {
  const counts: TodoCounts = { pending: 0, in_progress: 0, completed: 0 };
  for (const todo of todos) counts[todo.status] += 1;
  return counts;
}

export function sameTodos(a: readonly Todo[], b: readonly Todo[]): boolean {
  const key = (todos: readonly Todo[]) =>
    JSON.stringify(todos.map((todo) => [todo.content, todo.status, todo.priority]));
  return key(a) === key(b);
}

function checkedTodo(todo: Todo, index: number): Todo {
  const content = enteringText(`content of to-do ${index}`, todo.content);
  if (content === '') throw wrong(`To-do ${index} has no content.`, 'Say in `content` what is to be done.');
  if (!STATUSES.includes(todo.status)) {
    throw wrong(`${named(todo, index)} has no such status.`, `Its status is one of ${STATUSES.join(', ')}.`);
  }
  if (todo.priority !== undefined && !PRIORITIES.includes(todo.priority)) {
    throw wrong(
      `${named(todo, index)} has no such priority.`,
      `Its priority is one of ${PRIORITIES.join(', ')}, or left out.`,
    );
  }
  const { status, priority } = todo;
  return priority === undefined ? { content, status } : { content, status, priority };
}

function named(todo: Todo, index: number): string {
  return `to-do ${index} ("${excerpt(todo.content, 60)}")`;
}

function wrong(message: string, suggestion: string): PlannerError {
  return new PlannerError('VALIDATION_ERROR', message[0]?.toUpperCase() + message.slice(1), suggestion);
}
