import type { TreeNode } from '../views/tree';

/**
 * A command is called with a row, with a row and all selected rows, with an id (links, other extensions), or with
 * nothing (palette, keybinding).
 */
export function plansIn(args: unknown[]): string[] {
  return rowsIn(args).flatMap((row) => (typeof row === 'string' ? row : (row.planId ?? [])));
}

export function sessionsIn(args: unknown[]): string[] {
  return rowsIn(args).flatMap((row) => (typeof row === 'string' ? row : (row.sessionName ?? [])));
}

export function proposalsIn(args: unknown[]): string[] {
  return rowsIn(args).flatMap((row) => (typeof row === 'string' ? row : (row.proposalId ?? [])));
}

/** True for keybindings in a view: they are about its selection, never about the active plan or a pick. */
export function meansSelection(args: unknown[]): boolean {
  const [one] = args;
  return isObject(one) && 'selected' in one && one.selected === true;
}

/** True for a click on a row. */
export function leavesFocus(args: unknown[]): boolean {
  const [, options] = args;
  return isObject(options) && 'preserveFocus' in options && options.preserveFocus === true;
}

function rowsIn(args: unknown[]): (string | Partial<TreeNode>)[] {
  const [one, all] = args;
  const rows: unknown[] = Array.isArray(all) && all.length > 0 ? all : [one];
  return rows.filter((row): row is string | Partial<TreeNode> => typeof row === 'string' || isObject(row));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
