import * as vscode from 'vscode';

/** Every `when` clause of the manifest that is ours rests on these; this is the one place that sets them. */
export interface ContextKeys {
  /** `noFolder`, `failed` or `ready`; unset until a view was read. */
  'nineplan.state': string;
  /** The store's files are gone, and what is shown is its last state. */
  'nineplan.storeLost': boolean;
  'nineplan.hasSession': boolean;
  /** There is one to switch to. */
  'nineplan.hasSessions': boolean;
  'nineplan.hasActivePlan': boolean;
  'nineplan.hasQueuedPlans': boolean;
  /** A plan waits for the person's decision. */
  'nineplan.hasReviews': boolean;
  'nineplan.canUndo': boolean;
  'nineplan.historyFiltered': boolean;
  'nineplan.historyShowsDiscarded': boolean;
  'nineplan.historyOfAllSessions': boolean;
  /** What can be said to the preview that waits for an answer, with blanks between. */
  'nineplan.previewAnswers': string;
}

export type SetContext = <K extends keyof ContextKeys>(key: K, value: ContextKeys[K]) => void;

/** Sets a key only when it changes: each one makes the whole workbench look at its menus again. */
export function contextSetter(): SetContext {
  const known = new Map<string, unknown>();
  return (key, value) => {
    if (known.get(key) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
