import { newCaller } from '../../../src/planner/caller';
import type { Ruling } from '../../../src/planner/planMode';
import { Planner } from '../../../src/planner/planner';
import type { Log } from '../../../src/planner/ports';
import type { Verdict } from '../../../src/planner/proposals';
import { WindowPresence } from '../../../src/store/presence';
import { WorkspaceStore } from '../../../src/store/workspaceStore';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

/** What an editor window does about proposals, without the editor: it has the store open, shows that it is there, and decides. */
export class EditorWindow {
  readonly planner: Planner;
  private readonly store: WorkspaceStore;
  private readonly presence: WindowPresence;

  constructor(folder: string, reviewPanel = true) {
    this.store = new WorkspaceStore({ folder, log: silent, snapshots: false });
    this.planner = new Planner(this.store);
    this.presence = new WindowPresence(folder, reviewPanel);
  }

  /** The proposal that waits for a decision, as soon as there is one. */
  async waiting(): Promise<Pick<Ruling, 'proposalId' | 'round'>> {
    const ask = () => this.store.read((view) => view.proposals({ status: ['submitted'], limit: 1 })[0]);
    let noticed: () => void = () => undefined;
    const subscription = this.store.onDidChange(() => noticed());
    try {
      for (;;) {
        const changed = new Promise<void>((resolve) => (noticed = resolve));
        const proposal = await ask();
        if (proposal) return { proposalId: proposal.id, round: proposal.rounds.length };
        await changed;
      }
    } finally {
      subscription.dispose();
    }
  }

  async decide(ruling: Partial<Ruling> = {}): Promise<Verdict> {
    const waiting = ruling.proposalId === undefined ? await this.waiting() : {};
    const complete = { decision: 'approved', decidedBy: 'editor', ...waiting, ...ruling } as Ruling;
    return this.planner.planMode.decide(newCaller('editor'), complete);
  }

  /** Begins the next journal, which otherwise happens only at many megabytes. */
  compactStore(): Promise<void> {
    return this.store.compact();
  }

  async close(): Promise<void> {
    this.presence.dispose();
    await this.store.close();
  }
}
