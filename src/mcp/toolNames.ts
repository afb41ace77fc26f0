import type { Config } from './config';

/** Names that begin with a digit are refused by some gateways, so every tool also answers to its `nineplan_` name. */
export function canonicalName(name: string): string {
  return name.replace(/^nineplan_/, '9plan_');
}

/** Our own text (never a person's) with the tools named as this server advertises them. */
export function withPrefix(text: string, prefix: Config['toolPrefix']): string {
  return prefix === '9plan_' ? text : text.replaceAll(/\b9plan_(?=(session|queue|plan|history|admin)_)/g, prefix);
}
