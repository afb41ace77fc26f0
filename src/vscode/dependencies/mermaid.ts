import type { DependencyGraph, GraphPlan, GraphState } from '../../planner/dependencyGraph';
import type { Session } from '../../planner/model';
import { firstLine } from '../plainText';

/** Words of the picture, in the reader's language. */
export interface GraphWords {
  state: Record<GraphState, string>;
  position(number: number): string;
  noGoal: string;
}

/** A state is a shape, too: colours come from the reader's theme and say nothing. */
const SHAPES: Readonly<Record<GraphState, readonly [string, string]>> = {
  active: ['([', '])'],
  ready: ['(', ')'],
  waiting: ['{{', '}}'],
  completed: ['[[', ']]'],
  discarded: ['[/', '/]'],
};

const LONGEST = 60;

/** The source of a flowchart. Every name and goal in it is shown as text, whatever characters it has. */
export function mermaid(graph: DependencyGraph, words: GraphWords): string {
  const [own, ...others] = graph.sessions;
  const nodesOf = (session: Session | undefined) =>
    graph.plans.filter((plan) => plan.session === session?.name).map((plan) => node(plan, words));
  return [
    'flowchart TD',
    ...nodesOf(own).map((line) => `  ${line}`),
    ...others.flatMap((session, index) => [
      `  subgraph s${index + 1}["${text(taskOf(session))}"]`,
      ...nodesOf(session).map((line) => `    ${line}`),
      '  end',
    ]),
    ...graph.edges.map(({ from, to, holds }) => `  ${name(from)} ${holds ? '-->' : '-.->'} ${name(to)}`),
  ].join('\n');
}

/** The state in a few words, and where the plan stands in the queue. */
export function standing({ state, queuePosition }: GraphPlan, words: GraphWords): string {
  return queuePosition === null ? words.state[state] : `${words.state[state]} · ${words.position(queuePosition)}`;
}

/** What people know a session by. */
export function taskOf({ name, taskDescription }: Session): string {
  return firstLine(taskDescription ?? '', LONGEST) || name;
}

function node(plan: GraphPlan, words: GraphWords): string {
  const [open, close] = SHAPES[plan.state];
  const goal = text(firstLine(plan.goal, LONGEST) || words.noGoal);
  return `${name(plan.id)}${open}"${goal}<br>${text(standing(plan, words))} · ${plan.id}"${close}`;
}

/** Some ids would be words of the language. */
function name(id: string): string {
  return `p${id}`;
}

/**
 * Characters that mean something in Mermaid, or in the Markdown and HTML of its labels, become entities; full stops, dashes
 * and plus signs only where they would begin a list or a link, since people read the source.
 */
function text(label: string): string {
  return label.replace(/["#<>&`;:\\*_~|[\](){}!$%@=^]|^[-+]|(?<=^\d+)\.|(?<=\bwww)\./gi, (character) => {
    return `#${character.codePointAt(0)};`;
  });
}
