import * as vscode from 'vscode';

export type Setting =
  | 'storePath'
  | 'nodePath'
  | 'logLevel'
  | 'toolsets'
  | 'taskBackend'
  | 'approvalTimeout'
  | 'review.open'
  | 'review.saveTo'
  | 'offerNextPlan';

/** What a new proposal does in the window: its panel opens, a notification says so, or neither. */
export type ReviewOpening = 'open' | 'notify' | 'nothing';

/** The one place that reads `nineplan.*`; what is unset or blank is undefined. */
export class Settings {
  /** Relative paths count from the workspace folder. */
  storePath(scope: vscode.Uri | undefined): string | undefined {
    return text(read<string>('storePath', scope));
  }

  nodePath(): string | undefined {
    return text(read<string>('nodePath'));
  }

  logLevel(): string {
    return read<string>('logLevel') ?? 'info';
  }

  toolsets(): string[] {
    return read<string[]>('toolsets') ?? [];
  }

  /** JSON for `NINEPLAN_TASK_BACKEND`. */
  taskBackend(): string | undefined {
    const backend = read<object | null>('taskBackend');
    return backend && Object.keys(backend).length > 0 ? JSON.stringify(backend) : undefined;
  }

  /** Seconds; undefined leaves the server's own limit. */
  approvalTimeout(): number | undefined {
    return read<number | null>('approvalTimeout') ?? undefined;
  }

  reviewOpening(): ReviewOpening {
    return read<ReviewOpening>('review.open') ?? 'open';
  }

  /** Folder for approved plans, relative to the workspace folder; undefined if they are not saved. */
  reviewSaveTo(scope: vscode.Uri | undefined): string | undefined {
    return text(read<string>('review.saveTo', scope));
  }

  /** Whether the window offers to run a plan that became ready. */
  offersNextPlan(): boolean {
    return read<boolean>('offerNextPlan') === true;
  }
}

/** True if the event touches one of the settings. */
export function affects(event: vscode.ConfigurationChangeEvent, ...names: Setting[]): boolean {
  return names.some((name) => event.affectsConfiguration(`nineplan.${name}`));
}

function read<T>(name: Setting, scope?: vscode.Uri): T | undefined {
  return vscode.workspace.getConfiguration('nineplan', scope).get<T>(name);
}

function text(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}
