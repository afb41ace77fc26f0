import type { Plan } from '../model';
import { HEADINGS } from '../planDocument';
import type { View } from '../ports';
import { excerpt } from '../text';

/** A session as one document: what is being done, what comes, what was done. Sections are Markdown as they stand. */
export function exportMarkdown(view: View, session: string): string {
  const about = view.session(session)?.taskDescription;
  const active = view.activePlan(session);
  const queue = view.queue(session).map(({ id }) => view.plan(id) as Plan);
  const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const parts = [
    `# ${about ? title(about) : session}`,
    `Session \`${session}\``,
    ...(about && about !== title(about) ? [about] : []),
    ...group('In progress', active ? [active] : []),
    ...group('Queued', queue),
    ...group('Completed', view.history(session, { status: 'completed', ...all })),
    ...group('Discarded', view.history(session, { status: 'discarded', ...all })),
  ];
  return `${parts.join('\n\n')}\n`;

  function group(heading: string, plans: Plan[]): string[] {
    return plans.length === 0 ? [] : [`## ${heading}`, ...plans.flatMap(onePlan)];
  }

  function onePlan(plan: Plan): string[] {
    const waiting = view
      .blockersOf(plan.id)
      .map(({ id, goal }) => `- \`${id}\` ${title(goal)}`)
      .join('\n');
    const time = plan.completedAt ?? plan.discardedAt ?? plan.pulledAt ?? plan.createdAt;
    const sections = HEADINGS.map(([name, heading]): [string, string] => [heading, plan[name]]);
    const texts: [string, string | null][] = [
      ['Outcome', plan.outcome],
      ['Reason', plan.discardReason],
      ['Waits for', waiting],
      ...sections,
    ];
    return [
      `### ${title(plan.goal)}`,
      `\`${plan.id}\`, ${time.slice(0, 16).replace('T', ' ')} UTC`,
      ...texts.flatMap(([heading, text]) => (text ? [`#### ${heading}`, text] : [])),
    ];
  }
}

/** One line that is a heading and nothing else. */
function title(text: string): string {
  return excerpt(text, 120).replace(/([\\`*_[\]<>])/g, '\\$1');
}
