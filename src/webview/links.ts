export type PlanLink =
  | { kind: 'external'; url: string }
  /** Relative to the workspace folder; `line` counts from 1. */
  | { kind: 'file'; path: string; line: number | undefined };

const EXTERNAL = /^(https?:\/\/|mailto:)/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * What the target of a link in a plan means. Plans are written by agents, so only web pages, mail and relative paths
 * count; anything else (commands, scripts, data, other schemes, absolute paths) is undefined.
 */
export function readLink(target: string): PlanLink | undefined {
  if (EXTERNAL.test(target)) return URL.canParse(target) ? { kind: 'external', url: target } : undefined;
  if (target === '' || SCHEME.test(target) || /^[/\\#?]/.test(target)) return undefined;
  const [path = '', fragment = ''] = target.split('#', 2);
  const line = /^L([1-9]\d{0,6})$/.exec(fragment)?.[1];
  try {
    const decoded = decodeURIComponent(path);
    // What was hidden behind an escape counts as well.
    if (/[\0\\]/.test(decoded) || SCHEME.test(decoded) || decoded.startsWith('/')) return undefined;
    return { kind: 'file', path: decoded, line: line ? Number(line) : undefined };
  } catch {
    return undefined;
  }
}
