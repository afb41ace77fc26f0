import type { PlannerError } from '../planner/errors';
import type { Log } from '../planner/ports';
import type { ChangeFeed } from './changeFeed';
import { asPlannerError, newerVersion, outcomeUnknown, storeLost } from './fileErrors';
import type { Journal } from './journal';
import type { JournalFolder } from './journalFolder';
import type { JournalLoader } from './journalLoader';
import { keepState } from './keptCopies';
import type { Condition, Obstacle, Purpose } from './obstacles';
import type { Projection } from './projectionPort';
import type { Recovery } from './recovery';
import { followSealed, keepIfLost, rollOver, seal } from './rollover';

/** So many unread bytes are read in slices first. */
const MUCH = 512 * 1024;

/** Holds the journal that counts at the moment, and does what it takes to have it. */
export class JournalKeeper {
  private journal: Journal | undefined;
  /** The state while there is no journal: empty, or recovered from what else is there. */
  private unwritten: { projection: Projection; isRecovered: boolean } | undefined;
  private lost: 'deleted' | 'moved' | undefined;
  /** Journals without a valid beginning, as they stood when they were last looked into. */
  private fruitless = '';
  private replaced: Journal | undefined;
  private isRolloverStuck = false;
  private refusal: PlannerError | undefined;
  private step: Promise<void> | undefined;

  constructor(
    private readonly folder: JournalFolder,
    private readonly loader: JournalLoader,
    private readonly recovery: Recovery,
    private readonly feed: ChangeFeed,
    private readonly log: Log,
  ) {}

  get condition(): Condition {
    if (this.lost) return this.lost;
    if (this.journal) return this.journal.status === 'newer' ? 'newer' : 'present';
    return this.unwritten ? 'absent' : 'unopened';
  }

  /** The journal in use; undefined while the store isn't there. */
  get current(): Journal | undefined {
    return this.journal;
  }

  /** Nothing is being opened or replaced, and no other process has appended anything that wasn't looked at. */
  get isAtRest(): boolean {
    return this.step === undefined && this.journal !== undefined && this.journal.unread <= 0;
  }

  /** The state; there is one whenever `look` found no obstacle. */
  get projection(): Projection {
    const projection = this.journal?.projection ?? this.unwritten?.projection;
    if (!projection) throw new Error('The store is not open.');
    return projection;
  }

  /**
   * Runs `work` on a state that has caught up with every process; nothing happens between the two. Where there is no
   * journal to write to, `rehearse` may end it with what it returns. Rejects with PlannerError if the state can't be had.
   */
  async whenReady<R>(
    purpose: Purpose,
    work: (journal: Journal | undefined) => R,
    rehearse?: (obstacle: 'unbegun' | 'lost') => R | undefined,
  ): Promise<R> {
    for (;;) {
      const obstacle = this.lookOrRefuse(purpose);
      if (obstacle === undefined) return work(this.journal);
      const ended = obstacle === 'unbegun' || obstacle === 'lost' ? rehearse?.(obstacle) : undefined;
      if (ended !== undefined) return ended;
      try {
        await this.overcome(obstacle);
      } catch (error) {
        // A sealed journal can still be read.
        if (purpose === 'write' || obstacle !== 'full') throw error;
      }
    }
  }

  private lookOrRefuse(purpose: Purpose): Obstacle | undefined {
    try {
      return this.look(purpose);
    } catch (error) {
      throw asPlannerError(error, `Reading the store in ${this.folder.path}`);
    }
  }

  /**
   * Catches up with every process and says what stands in the way. Must be called in the same synchronous stretch as
   * what relies on it. PlannerError if nothing can be done about it.
   */
  private look(purpose: Purpose): Obstacle | undefined {
    if (this.step) return 'busy';
    const { journal } = this;
    if (!journal) return this.lookWithout(purpose);
    if (!journal.file.isInPlace() || (this.lost && journal.status === 'replaced')) return this.lookForLost(purpose);
    this.lost = undefined;
    if (journal.status === 'live' && journal.unread > MUCH) return 'behind';
    journal.catchUp();
    if (journal.status === 'damaged' || journal.status === 'replaced') return 'unreadable';
    if (purpose === 'read') return journal.status === 'sealed' && !this.isRolloverStuck ? 'full' : undefined;
    if (this.refusal) throw this.refusal;
    if (journal.status === 'newer') throw newerVersion(journal.file.path);
    const mustRollOver = journal.status === 'sealed' || journal.damage.size > 0 || journal.file.syncFailed;
    return mustRollOver ? 'full' : undefined;
  }

  private lookWithout(purpose: Purpose): Obstacle | undefined {
    if (!this.unwritten || this.folder.signature() !== this.fruitless) return 'unopened';
    return purpose === 'write' ? 'unbegun' : undefined;
  }

  private lookForLost(purpose: Purpose): Obstacle | undefined {
    if (!this.lost || this.folder.signature() !== this.fruitless) return 'displaced';
    return purpose === 'write' ? 'lost' : undefined;
  }

  /**
   * Removes an obstacle, or waits until somebody else has removed one; then `look` again. Rejects with PlannerError if
   * it can't be removed.
   */
  async overcome(obstacle: Obstacle): Promise<void> {
    if (this.step) {
      await this.step.catch(() => undefined);
      return;
    }
    await this.inStep(() => this.remove(obstacle));
  }

  /** Brings what could be read of a damaged or missing journal into one that can be written to. */
  async settle(): Promise<void> {
    await this.whenReady<true>(
      'write',
      () => true,
      () => (this.unwritten?.isRecovered ? undefined : true),
    );
  }

  /** Writes the state of a deleted store again where it was. */
  async restoreLost(): Promise<void> {
    while (this.step) await this.overcome('busy');
    await this.inStep(async () => {
      const { journal } = this;
      if (!journal || !this.lost) return;
      // Whoever else still holds the deleted file must stop there.
      if (journal.status === 'live') seal(journal);
      await this.folder.begin(journal.projection);
      await this.lookAnew(journal);
      // Plan files come next: they must not outlive the journal in a power cut.
      if (this.journal) await this.folder.makeDurable(this.journal, this.journal.position.offset);
    });
  }

  /** Forgets a store that was deleted or moved: the next change begins an empty one, beside which its state is kept. */
  async startAnew(): Promise<void> {
    while (this.step) await this.overcome('busy');
    await this.inStep(async () => {
      if (!this.journal || !this.lost) return;
      this.unwritten = { projection: await this.loader.newProjection(), isRecovered: false };
      this.replaced = this.journal;
      this.journal = undefined;
      this.lost = undefined;
      this.announceJump(0);
    });
  }

  async close(): Promise<void> {
    while (this.step) await this.overcome('busy');
    for (const journal of [this.journal, this.replaced]) if (journal) await journal.close();
    this.unwritten?.projection.close();
    this.journal = undefined;
    this.replaced = undefined;
    this.unwritten = undefined;
  }

  private async inStep(step: () => Promise<void>): Promise<void> {
    this.step = step()
      .catch((error) => {
        throw asPlannerError(error, `Opening the store in ${this.folder.path}`);
      })
      .finally(() => {
        this.step = undefined;
      });
    await this.step;
  }

  private async remove(obstacle: Obstacle): Promise<void> {
    if (obstacle === 'unopened') await this.open();
    else if (obstacle === 'unbegun') await this.begin();
    else if (obstacle === 'behind') await this.journal?.catchUpInSlices();
    else if (obstacle === 'full') await this.goOn();
    else if (obstacle === 'lost') throw storeLost(this.folder.path, this.condition);
    else if (this.journal) await this.lookAnew(this.journal);
  }

  private async open(): Promise<void> {
    this.folder.refuseLink();
    this.fruitless = this.folder.signature();
    const found = await this.loader.find({ report: this.unwritten !== undefined && !this.unwritten.isRecovered });
    if (found) {
      await this.keepReplaced(found);
      this.adopt(found);
    } else if (!this.unwritten) {
      const recovered = await this.recovery.recover();
      const projection = recovered ?? (await this.loader.newProjection());
      this.unwritten = { projection, isRecovered: recovered !== undefined };
    }
  }

  private async begin(): Promise<void> {
    if (!this.unwritten) return;
    const { projection, isRecovered } = this.unwritten;
    if (isRecovered) await this.folder.keepRemains();
    await this.folder.begin(projection);
    await this.open();
    if (isRecovered) await this.folder.saveSnapshot(this.projection.export());
  }

  /**
   * Whoever began the store that is there `now`: the state that it was begun without is kept beside it. If that can't be,
   * `now` is closed: it is not to be taken up yet.
   */
  private async keepReplaced(now: Journal): Promise<void> {
    const { replaced } = this;
    if (!replaced) return;
    try {
      await keepState(this.folder.disk, this.folder.path, replaced.projection);
    } catch (error) {
      this.fruitless = '';
      await now.close();
      throw error;
    }
    this.replaced = undefined;
    await replaced.close();
  }

  private async goOn(): Promise<void> {
    const { journal } = this;
    if (!journal) return;
    const hadFailed = journal.file.syncFailed;
    try {
      const next = await rollOver(this.folder, journal);
      this.isRolloverStuck = false;
      if (!next) return await this.lookAnew(journal);
      await this.replaceWith(next, journal);
    } catch (error) {
      this.isRolloverStuck = true;
      if (hadFailed) this.refusal = outcomeUnknown(journal.file.path, error);
      throw this.refusal ?? error;
    }
  }

  /** Goes on with the same state in another file. */
  private async replaceWith(next: Journal, former: Journal): Promise<void> {
    this.journal = next;
    this.lost = undefined;
    await former.file.close();
  }

  /** Takes up the store that is there now: another one, or the same read anew. What it lacks of `former` is kept aside. */
  private async lookAnew(former: Journal): Promise<void> {
    former.catchUp();
    const next = await followSealed(this.folder, former);
    if (next) return await this.replaceWith(next, former);
    this.fruitless = this.folder.signature();
    const isElsewhere = !former.file.isInPlace() && !former.file.isDeleted();
    const found = await this.loader.find({ report: false });
    if (!found) {
      this.lost = isElsewhere ? 'moved' : 'deleted';
      this.log.warn({ folder: this.folder.path }, `The store was ${this.lost}.`);
      return;
    }
    const kept = isElsewhere ? undefined : await keepIfLost(this.folder, former, found);
    if (kept) this.log.warn({ kept }, 'The store holds another state now; the former one is kept.');
    this.adopt(found);
    await former.close();
    this.announceJump(found.position.seq);
  }

  private adopt(found: Journal): void {
    this.journal = found;
    this.lost = undefined;
    const { unwritten } = this;
    this.unwritten = undefined;
    if (!unwritten) return;
    unwritten.projection.close();
    if (unwritten.isRecovered) this.announceJump(found.position.seq);
  }

  /** Anything may be different now, and no single change says what. */
  private announceJump(seq: number): void {
    this.feed.add({ seq, at: new Date().toISOString(), by: '9plan', own: false, events: [] });
  }
}
