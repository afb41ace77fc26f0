import type { DependencyGraph, GraphPlan } from '../../planner/dependencyGraph';
import { escapeMarkdown, firstLine } from '../plainText';
import { type GraphWords, mermaid, standing, taskOf } from './mermaid';

/** Words around the picture, in the reader's language. */
export interface PictureWords extends GraphWords {
  title(task: string): string;
  legend: string;
  list: string;
  empty: string;
  waitsFor(plans: string): string;
  leftOut(plans: number, edges: number): string;
}

/** Markdown previews make links of addresses, in some versions of escaped ones too, but never across a tag. */
function asText(text: string): string {
  return escapeMarkdown(text).replace(/(?<=\/)(?=\/)|(?=@)/g, '<wbr>');
}

/**
 * A document with the plans as a picture, and as a list for those who can't see it or whose preview doesn't draw. Everything
 * from plans is escaped: a preview would load pictures and follow links.
 */
export function picture(graph: DependencyGraph, words: PictureWords): string {
  const [session] = graph.sessions;
  const title = `# ${asText(words.title(session ? taskOf(session) : ''))}`;
  if (graph.plans.length === 0) return `${title}\n\n${words.empty}\n`;
  const { plans, edges } = graph.leftOut;
  return `${[
    title,
    words.legend,
    `\`\`\`mermaid\n${mermaid(graph, words)}\n\`\`\``,
    ...(plans + edges > 0 ? [words.leftOut(plans, edges)] : []),
    `## ${words.list}`,
    graph.plans.map((plan) => `- ${listed(plan, graph, words)}`).join('\n'),
  ].join('\n\n')}\n`;
}

function listed(plan: GraphPlan, { plans, sessions, edges }: DependencyGraph, words: PictureWords): string {
  const elsewhere = sessions.slice(1).find(({ name }) => name === plan.session);
  const blockers = edges.filter(({ to, holds }) => holds && to === plan.id).map(({ from }) => from);
  const waitsFor = blockers.map((id) => {
    const goal = plans.find((other) => other.id === id)?.goal ?? '';
    return `${asText(firstLine(goal, 60) || words.noGoal)} \`${id}\``;
  });
  return [
    `**${asText(firstLine(plan.goal, 200) || words.noGoal)}**`,
    `\`${plan.id}\``,
    standing(plan, words),
    ...(elsewhere ? [asText(taskOf(elsewhere))] : []),
    ...(waitsFor.length > 0 ? [words.waitsFor(waitsFor.join(', '))] : []),
  ].join(' · ');
}
