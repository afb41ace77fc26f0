import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isWorthKeeping } from '../../webview/review/draft';
import { EMPTY_DRAFT, type ReviewDraft, reviewDraft } from '../../webview/review/protocol';

const PREFIX = 'nineplan.draft.';
/** Drafts of proposals that nobody ever decided would pile up. */
const MOST = 50;

const kept = z.object({ at: z.number(), draft: reviewDraft });

/** What a person has prepared for rounds that wait, kept over reload and restart. */
export class ReviewDrafts {
  constructor(private readonly memory: vscode.Memento) {}

  of(proposal: string, round: number): ReviewDraft {
    const found = kept.safeParse(this.memory.get(key(proposal, round)));
    return found.success ? found.data.draft : EMPTY_DRAFT;
  }

  async keep(proposal: string, round: number, draft: ReviewDraft): Promise<void> {
    const at = isWorthKeeping(draft) || draft.comments.length > 0 ? Date.now() : undefined;
    await this.memory.update(key(proposal, round), at === undefined ? undefined : { at, draft });
    if (at !== undefined) await this.forgetOldest();
  }

  async drop(proposal: string, round: number): Promise<void> {
    await this.memory.update(key(proposal, round), undefined);
  }

  private async forgetOldest(): Promise<void> {
    const keys = this.memory.keys().filter((name) => name.startsWith(PREFIX));
    if (keys.length <= MOST) return;
    const age = (name: string) => {
      const found = kept.safeParse(this.memory.get(name));
      return found.success ? found.data.at : 0;
    };
    const oldest = keys.sort((a, b) => age(a) - age(b)).slice(0, keys.length - MOST);
    for (const name of oldest) await this.memory.update(name, undefined);
  }
}

function key(proposal: string, round: number): string {
  return `${PREFIX}${proposal}.${round}`;
}
