import { withoutMarks } from '../planner/inlineMarkdown';
import { legible, shortened } from '../planner/text';

/**
 * Text of plans comes from agents and files. Places that give some characters a meaning get it through here, so that it
 * is always shown as what it is: text.
 */

/** The first line, cut to `limit` characters without splitting one. */
export function firstLine(text: string, limit = 100): string {
  return shortened(legible(text.split('\n', 1)[0] ?? '').trim(), limit);
}

/** The same as it reads, without the marks of Markdown: for rows, titles and messages. */
export function plainLine(text: string, limit = 100): string {
  return firstLine(withoutMarks(firstLine(text, limit * 4)), limit);
}

/** For status bar, quick picks and input boxes, where `$(name)` would become an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** For notifications, where `[label](target)` would become a link. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}

/** For Markdown that is shown rendered. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~$&]/g, '\\$&');
}
