import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import { takeInOrSetAside, takeInReadableEdits } from './fileEdits';
import type { Plan } from './model';
import type { Invariant, PlanStore, View } from './ports';
import { chooseSession } from './sessionChoice';

export interface IntegrityReport extends InSession {
  valid: boolean;
  invariants: Record<Invariant, boolean>;
  issues: string[];
}

type Finding = ReturnType<View['inconsistencies']>[number];

/** What must always hold (seed, section 6.5). */
export class Integrity {
  constructor(private readonly store: PlanStore) {}

  /** Takes hand edits of plan files in first, then checks the session and the store. */
  validate(caller: Caller, input: { sessionName?: string }): Promise<IntegrityReport> {
    return this.store.transact(caller.client, (tx) => {
      const chosen = chooseSession(tx, caller, input.sessionName);
      const findings: Finding[] = [];
      for (const plan of openPlans(tx, chosen.session)) {
        const problem = takeInReadableEdits(tx, plan);
        if (problem === undefined) continue;
        findings.push({ invariant: 'files_match_database', issue: `${problem.message} ${problem.suggestion}` });
      }
      findings.push(...tx.inconsistencies(chosen.session), ...fileFindings(tx, chosen.session));
      const holds = (invariant: Invariant): boolean => findings.every((finding) => finding.invariant !== invariant);
      return {
        ...chosen,
        valid: findings.length === 0,
        invariants: {
          single_active_plan: holds('single_active_plan'),
          queue_order_preserved: holds('queue_order_preserved'),
          files_match_database: holds('files_match_database'),
          no_orphaned_files: holds('no_orphaned_files'),
        },
        issues: findings.map(({ issue }) => issue),
      };
    });
  }

  /** What is wrong with the store itself, also where there is no session. */
  storeIssues(): Promise<string[]> {
    return this.store.read((view) => view.inconsistencies('').map(({ issue }) => issue));
  }

  /**
   * Keeps files of open plans that can't be read as plans beside their place, under another name; the stored texts count.
   * What was wrong with each.
   */
  setAsideUnreadable(caller: Caller, input: { sessionName?: string }): Promise<string[]> {
    return this.store.transact(caller.client, (tx) => {
      const { session } = chooseSession(tx, caller, input.sessionName);
      return openPlans(tx, session).flatMap((plan) => takeInOrSetAside(tx, plan).setAside ?? []);
    });
  }
}

export interface PlanFilesOnDisk {
  /** Ids, sorted. */
  planFiles: string[];
  /** Whether they are those of the queued and active plans. */
  filesMatch: boolean;
}

export function planFilesOnDisk(view: View, session: string): PlanFilesOnDisk {
  return { planFiles: view.planFiles(session), filesMatch: fileFindings(view, session).length === 0 };
}

/** The plans that have a working copy: the active one and the queue. */
export function openPlans(view: View, session: string): Plan[] {
  const active = view.activePlan(session);
  const queued = view.queue(session).map(({ id }) => view.plan(id));
  return [active, ...queued].filter((plan) => plan !== undefined);
}

/** Compares names; what a file says was compared when its edits were taken in. */
function fileFindings(view: View, session: string): Finding[] {
  let onDisk: string[];
  try {
    onDisk = view.planFiles(session);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return [{ invariant: 'files_match_database', issue: `${error.message} ${error.suggestion}` }];
  }
  const present = new Set(onDisk);
  const missing = openPlans(view, session).filter(({ id }) => !present.has(id));
  const orphaned = onDisk.filter((name) => !isOpenPlan(view.plan(name), session));
  return [
    ...missing.map(
      ({ id }): Finding => ({
        invariant: 'files_match_database',
        issue: `The file of plan ${id} is missing: ${view.planPath(session, id)}. The store has its text; the file is written again with the next change of the plan, a note will do.`,
      }),
    ),
    ...orphaned.map(
      (name): Finding => ({
        invariant: 'no_orphaned_files',
        issue: `A file belongs to no queued or active plan: ${name} in ${view.sessionPath(session)}. Keep what is worth keeping of it elsewhere, then delete it.`,
      }),
    ),
  ];
}

function isOpenPlan(plan: Plan | undefined, session: string): boolean {
  return plan?.sessionName === session && (plan.status === 'queued' || plan.status === 'active');
}
