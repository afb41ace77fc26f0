import * as vscode from 'vscode';
import type { SetContext } from './contextKeys';
import { Disposable } from './disposable';

/** What can be said to a preview; each is a command, `nineplan.preview.<answer>`. */
export type PreviewAnswer = 'write' | 'copy' | 'importAnew' | 'importLists' | 'importHere' | 'restore';

/**
 * A question about what an editor shows, answered in its title bar: nothing lies over what is to be read, and it stays
 * open however long that takes.
 */
export class PreviewQuestion extends Disposable {
  private asked: { preview: vscode.Uri; resolve(answer: PreviewAnswer | undefined): void } | undefined;

  constructor(private readonly setContext: SetContext) {
    super();
    this.own(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.giveUp(closed)));
  }

  /** Undefined if the preview is closed, or another question takes the place of this one. */
  ask<A extends PreviewAnswer>(preview: vscode.Uri, answers: readonly A[]): Promise<A | undefined> {
    this.answer(undefined);
    this.setContext('nineplan.previewAnswers', answers.join(' '));
    return new Promise((resolve) => {
      this.asked = { preview, resolve: (answer) => resolve(answers.find((offered) => offered === answer)) };
    });
  }

  answer(answer: PreviewAnswer | undefined): void {
    const { asked } = this;
    this.asked = undefined;
    this.setContext('nineplan.previewAnswers', '');
    asked?.resolve(answer);
  }

  /** A tab that is moved to another group is closed where it was. */
  private giveUp(closed: readonly vscode.Tab[]): void {
    const { asked } = this;
    if (asked && tabsOf(asked.preview, closed).length > 0 && tabsOf(asked.preview).length === 0) this.answer(undefined);
  }
}

/** Those of `tabs`, by default of the window's, that show the document. */
export function tabsOf(document: vscode.Uri, tabs: readonly vscode.Tab[] = openTabs()): vscode.Tab[] {
  return tabs.filter((tab) => shownIn(tab)?.toString() === document.toString());
}

function openTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** The document that a tab shows; of a comparison, what it became. */
function shownIn({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}
