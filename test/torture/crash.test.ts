import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PlannerError } from '../../src/planner/errors';
import { copyStore } from '../support/copyStore';
import { CrashDisk, seededRandom } from '../support/crashDisk';
import { type Fault, FaultyFileSystem, faultsOf, nameOf, type Step } from './support/faultyFileSystem';
import { House } from './support/house';
import { LONG, record, SEED } from './support/ledger';
import { SCENARIOS, type Scenario } from './support/scenarios';

/** Cases of each scenario in the short form; the long one takes all. */
const SHORT = Number(process.env.TORTURE_CASES ?? 12);
const CUTS = LONG ? 4 : 1;
const EMPTY = '[]';

interface Case {
  at: number;
  step: Step;
  fault: Fault;
  /** What chance a power cut has at that moment; without it the process alone dies. */
  cut?: () => number;
}

interface Outcome {
  /** Commands that were acknowledged, and that were begun. */
  acknowledged: number;
  begun: number;
  refusal: unknown;
}

describe('Whatever fails at whatever step', () => {
  let parent: string;
  before(() => {
    parent = mkdtempSync(join(tmpdir(), '9plan-crash-'));
  });
  after(() => rmSync(parent, { recursive: true, force: true }));

  for (const scenario of SCENARIOS) {
    it(`${scenario.name}: what was acknowledged is there, the rest whole or not at all`, async function () {
      this.timeout(LONG ? 3_600_000 : 120_000);
      const trial = await Trial.prepare(parent, scenario);
      const failures: string[] = [];
      for (const each of chosen(trial.cases())) {
        const failure = await trial.run(each);
        record({
          part: 'crash',
          fault: each.cut ? 'power cut' : nameOf(each.fault),
          cases: 1,
          losses: failure ? 1 : 0,
        });
        if (failure) failures.push(failure);
      }
      if (failures.length > 0) {
        assert.fail(`${failures.length} failures, seed ${SEED}:\n${failures.slice(0, 8).join('\n')}`);
      }
    });
  }

  function chosen(cases: Case[]): Case[] {
    if (process.env.TORTURE_CASE) return cases.filter(({ at }) => at === Number(process.env.TORTURE_CASE));
    if (LONG) return cases;
    const random = seededRandom(SEED);
    return cases
      .map((each) => ({ each, key: random() }))
      .sort((a, b) => a.key - b.key)
      .slice(0, SHORT)
      .map(({ each }) => each);
  }
});

/** One scenario, run again and again from the same beginning. */
class Trial {
  private count = 0;

  private constructor(
    private readonly parent: string,
    private readonly scenario: Scenario,
    private readonly pristine: string,
    /** What is known after so many commands, when nothing fails. */
    private readonly states: string[],
    private readonly steps: Step[],
  ) {}

  static async prepare(parent: string, scenario: Scenario): Promise<Trial> {
    const base = mkdtempSync(join(parent, 'scenario-'));
    const pristine = join(base, 'pristine');
    await scenario.prepare?.(pristine);
    const trial = new Trial(base, scenario, pristine, [], []);
    await trial.learn();
    assert.ok(trial.steps.length > 10, 'the steps were seen');
    return trial;
  }

  private async learn(): Promise<void> {
    for (let done = 0; done <= this.scenario.commands.length; done++) {
      const folder = this.newFolder();
      const house = new House(folder, this.scenario);
      for (const command of this.scenario.commands.slice(0, done)) await command(house);
      await house.store.close();
      this.states.push(await dumpAnew(folder));
    }
    const folder = this.newFolder();
    const faulty = new FaultyFileSystem(folder);
    const house = new House(folder, this.scenario);
    faulty.begin();
    for (const command of this.scenario.commands) await command(house);
    this.steps.push(...faulty.steps);
    faulty.end();
    await house.store.close();
  }

  cases(): Case[] {
    return this.steps.flatMap((step, at) => [
      ...faultsOf(step).map((fault) => ({ at, step, fault })),
      ...[() => 0, () => 0.999, ...Array.from({ length: CUTS }, (_, n) => seededRandom(SEED + at * 31 + n))].map(
        (cut): Case => ({ at, step, fault: { what: 'killed' }, cut }),
      ),
    ]);
  }

  /** What went wrong, if anything. */
  async run(each: Case): Promise<string | undefined> {
    const folder = this.newFolder();
    const witness = existsSync(folder) && !each.cut ? new House(folder) : undefined;
    try {
      // Another process that has the store open all the while.
      if (witness && !this.scenario.mayReport) await witness.dump();
      await this.check(each, folder, witness);
      return undefined;
    } catch (error) {
      const { at, step, fault, cut } = each;
      const what = cut ? 'power cut' : `${nameOf(fault)} ${'part' in fault ? fault.part : ''}`;
      return `step ${at} (${step.call} ${step.path.replace(/.*\//, '')}), ${what}: ${error instanceof Error ? error.message.slice(0, 1500) : error}`;
    } finally {
      await witness?.store.close();
      rmSync(dirname(folder), { recursive: true, force: true });
    }
  }

  private async check(each: Case, folder: string, witness: House | undefined): Promise<void> {
    const crash = new CrashDisk();
    crash.settle(folder);
    const victim = new House(folder, { ...this.scenario, disk: each.cut && crash.disk });
    const faulty = new FaultyFileSystem(folder);
    faulty.begin(each);
    let outcome: Outcome;
    try {
      outcome = await this.work(victim, faulty);
      if (each.fault.what === 'killed') await victim.store.close().catch(() => undefined);
    } finally {
      faulty.end();
    }
    if (each.fault.what !== 'killed') await this.goOn(victim, outcome);
    let left = folder;
    if (each.cut) {
      left = join(dirname(folder), 'left');
      crash.cut(folder, left, each.cut);
    }
    try {
      await this.checkLeft(left, outcome, witness);
    } finally {
      if (left !== folder) rmSync(left, { recursive: true, force: true });
    }
  }

  /** As many commands as the process comes to do. */
  private async work(victim: House, faulty: FaultyFileSystem): Promise<Outcome> {
    const { commands } = this.scenario;
    for (const [n, command] of commands.entries()) {
      try {
        await command(victim);
      } catch (refusal) {
        return { acknowledged: n, begun: n + 1, refusal };
      }
      // What a dead process believes to have done in its last breath was never told to anybody.
      if (faulty.isDead) return { acknowledged: n, begun: n + 1, refusal: undefined };
    }
    return { acknowledged: commands.length, begun: commands.length, refusal: undefined };
  }

  /** A refusal says what is wrong and leaves the process able to work, or to say that it must not. */
  private async goOn(victim: House, outcome: Outcome): Promise<void> {
    const { refusal, acknowledged } = outcome;
    if (refusal === undefined) {
      await victim.store.close();
      return;
    }
    assert.ok(refusal instanceof PlannerError, `not a refusal: ${(refusal as Error)?.stack}`);
    assert.ok(refusal.suggestion.length > 10);
    const isUnknown = /outcome.*unknown/.test(refusal.message);
    try {
      const found = await victim.dump();
      const expected = [acknowledged, acknowledged + 1].map((n) => this.states[n]);
      if (isUnknown || this.scenario.mayBeGone) return;
      assert.equal(found, expected[0], `refused, yet something was changed (${refusal.message})`);
      await this.scenario.commands[acknowledged]?.(victim);
      outcome.acknowledged++;
    } finally {
      await victim.store.close();
    }
  }

  private async checkLeft(folder: string, { acknowledged, begun }: Outcome, witness: House | undefined): Promise<void> {
    const isGone = this.scenario.mayBeGone && acknowledged === 0;
    const found = existsSync(folder) ? await dumpAnew(folder) : EMPTY;
    const legal = this.states.filter((_, n) => n >= acknowledged && n <= begun);
    if (isGone) legal.push(EMPTY);
    if (!legal.includes(found))
      assert.equal(found, legal[0], `after ${acknowledged} acknowledged commands of ${begun}`);
    if (witness && !this.scenario.mayBeGone) assert.equal(await witness.dump(), found, 'another process sees the same');
    const next = new House(folder);
    await next.planner.sessions.create(next.caller, { taskDescription: 'zz afterwards' });
    const issues = await next.issues();
    assert.deepEqual(
      issues.filter((issue) => !this.scenario.mayReport?.test(issue)),
      [],
      'the integrity check',
    );
    const after = await next.dump();
    await next.store.close();
    assert.equal(await dumpAnew(folder), after, 'the next change is there');
  }

  private newFolder(): string {
    const folder = join(this.parent, `case-${this.count++}`, '.9plan');
    mkdirSync(dirname(folder));
    if (existsSync(this.pristine)) copyStore(this.pristine, folder);
    return folder;
  }
}

async function dumpAnew(folder: string): Promise<string> {
  const house = new House(folder);
  try {
    return await house.dump();
  } finally {
    await house.store.close();
  }
}
