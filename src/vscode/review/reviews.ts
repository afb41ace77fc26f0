import type * as vscode from 'vscode';
import type { CommandParts } from '../commands/command';
import { Disposable } from '../disposable';
import type { Settings } from '../settings';
import { ReviewDrafts } from './reviewDrafts';
import { ReviewPanels } from './reviewPanels';
import { Rulings } from './rulings';

export interface ReviewsOptions {
  parts: CommandParts;
  settings: Settings;
  memory: vscode.Memento;
  /** The extension's folder. */
  extension: vscode.Uri;
}

/** What it takes to look at proposals and to decide them. */
export class Reviews extends Disposable {
  readonly drafts: ReviewDrafts;
  readonly rulings: Rulings;
  readonly panels: ReviewPanels;

  constructor({ parts, settings, memory, extension }: ReviewsOptions) {
    super();
    this.drafts = new ReviewDrafts(memory);
    this.rulings = new Rulings(parts, settings, this.drafts);
    this.panels = this.own(new ReviewPanels({ parts, drafts: this.drafts, rulings: this.rulings, extension }));
  }
}
