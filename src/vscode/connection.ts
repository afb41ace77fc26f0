import * as path from 'node:path';
import * as vscode from 'vscode';
import { PlannerError } from '../planner/errors';
import type { CommittedChange } from '../planner/events';
import type { Exported } from '../planner/exchange/exported';
import type { Planner } from '../planner/planner';
import type { Log } from '../planner/ports';
import { Disposable } from './disposable';
import { affects, type Settings } from './settings';

/** What the door supplies, so that nothing here knows of a store. */
export interface PlannerDoor {
  /** Absolute path of the store folder that belongs to a workspace folder. Creates nothing. */
  locate(workspaceFolder: string): Promise<string>;
  open(storeFolder: string): Promise<OpenPlanner>;
}

/** What a store may need that only a person can decide. */
export interface StoreUpkeep {
  /**
   * `newer`: a later version has written what this one doesn't know. `deleted`, `moved`: it was there, and its files are
   * gone from the folder.
   */
  readonly condition: 'unopened' | 'absent' | 'present' | 'newer' | 'deleted' | 'moved';
  /** The store came, went, or is another one; no commit tells of that. */
  onDidChangeCondition(listener: () => void): { dispose(): void };
  /** Writes the last state again where it was. */
  restoreLast(): Promise<void>;
  /** Lets the next change begin an empty store. */
  startAnew(): Promise<void>;
  /** Begins a new journal that holds only the present state. */
  compact(): Promise<void>;
  /** Copies everything to `backup`, then mends what it can; the rest are `problems`. What was `rescued` may be added again. */
  repair(): Promise<{ backup: string; problems: string[]; rescued: Exported[] }>;
}

export interface OpenPlanner {
  readonly planner: Planner;
  readonly upkeep: StoreUpkeep;
  close(): Promise<void>;
}

const CHOSEN_FOLDER = 'nineplan.folder';

/**
 * The one store of this window. It belongs to a workspace folder (in a multi-root window to the chosen one), is opened
 * when somebody first asks and closed when the window comes to belong to another.
 */
export class PlannerConnection extends Disposable {
  private readonly moved = this.own(new vscode.EventEmitter<void>());
  private readonly replaced = this.own(new vscode.EventEmitter<void>());
  private readonly committed = this.own(new vscode.EventEmitter<CommittedChange>());
  private opening: Promise<OpenPlanner> | undefined;
  private located: string;
  /** Grows when the window comes to belong to another store: what was read before is not of this one. */
  epoch = 0;

  /** The window belongs to another store now. */
  readonly onDidMove = this.moved.event;
  /** The store's files came, went, or were exchanged: everything may be different. */
  readonly onDidReplace = this.replaced.event;
  /** A change was committed, by any process. */
  readonly onDidCommit = this.committed.event;

  constructor(
    private readonly door: PlannerDoor,
    private readonly settings: Settings,
    private readonly memory: vscode.Memento,
    private readonly log: Log,
  ) {
    super();
    this.located = this.whereabouts();
    this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.lookAgain()));
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (affects(event, 'storePath')) this.lookAgain();
      }),
    );
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.reopen()));
    this.own({ dispose: () => this.close() });
  }

  /** Folders on disk; a store can't be kept in a virtual one. */
  get folders(): vscode.WorkspaceFolder[] {
    return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  }

  /** The workspace folder whose store is shown. */
  get folder(): vscode.WorkspaceFolder | undefined {
    const chosen = this.memory.get<string>(CHOSEN_FOLDER);
    return this.folders.find((folder) => folder.uri.toString() === chosen) ?? this.folders[0];
  }

  /** Whether the person said where the store is; it may not be there yet, or be mistyped. */
  get isStoreChosen(): boolean {
    return Boolean(this.settings.storePath(this.folder?.uri));
  }

  async choose(folder: vscode.WorkspaceFolder): Promise<void> {
    await this.memory.update(CHOSEN_FOLDER, folder.uri.toString());
    this.lookAgain();
  }

  /** Absolute path of the store folder, which may not exist; undefined if no folder is open. Creates nothing. */
  async storeFolder(): Promise<string | undefined> {
    const folder = this.folder;
    const set = this.settings.storePath(folder?.uri);
    if (set && path.isAbsolute(set)) return path.normalize(set);
    if (!folder) return undefined;
    return set ? path.resolve(folder.uri.fsPath, set) : this.door.locate(folder.uri.fsPath);
  }

  /** Rejects with PlannerError if there is no folder or the store can't be opened; the next call tries again. */
  async planner(): Promise<Planner> {
    return (await this.opened()).planner;
  }

  /** Rejects as `planner` does. */
  async upkeep(): Promise<StoreUpkeep> {
    return (await this.opened()).upkeep;
  }

  private opened(): Promise<OpenPlanner> {
    if (!this.opening) {
      const opening = this.open();
      this.opening = opening;
      opening.catch(() => {
        if (this.opening === opening) this.opening = undefined;
      });
    }
    return this.opening;
  }

  /** Closes the store, so that the next call opens it anew; for after somebody mended it. */
  async reopen(): Promise<void> {
    await this.close();
    this.epoch++;
    this.moved.fire();
  }

  private async open(): Promise<OpenPlanner> {
    const epoch = this.epoch;
    const folder = await this.storeFolder();
    if (!folder) {
      throw new PlannerError(
        'FILE_SYSTEM_ERROR',
        vscode.l10n.t('No folder is open, so there is no place to keep plans.'),
        vscode.l10n.t('Open a folder first.'),
      );
    }
    const start = performance.now();
    const opened = await this.door.open(folder);
    this.log.info({ folder, milliseconds: Math.round(performance.now() - start) }, 'store opened');
    const listening = [
      opened.planner.store.onDidChange((change) => {
        if (epoch === this.epoch) this.committed.fire(change);
      }),
      opened.upkeep.onDidChangeCondition(() => {
        if (epoch === this.epoch) this.replaced.fire();
      }),
    ];
    return {
      ...opened,
      close: () => {
        for (const listener of listening) listener.dispose();
        return opened.close();
      },
    };
  }

  private lookAgain(): void {
    const now = this.whereabouts();
    if (now === this.located) return;
    this.located = now;
    void this.reopen();
  }

  private whereabouts(): string {
    return JSON.stringify([this.folder?.uri.toString(), this.settings.storePath(this.folder?.uri)]);
  }

  private async close(): Promise<void> {
    const opening = this.opening;
    this.opening = undefined;
    await opening?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}
