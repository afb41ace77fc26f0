import * as path from 'node:path';
import * as vscode from 'vscode';
import { openPlans } from '../planner/integrity';
import { formatPlan, parsePlan } from '../planner/planDocument';
import type { Planner } from '../planner/planner';
import type { NewPlan } from '../planner/queue';

/** A file in a session's plans folder that no open plan has. */
export interface StrayFile {
  name: string;
  file: vscode.Uri;
}

/** What is wrong with the plan files of a session and can be put right without guessing. */
export class PlanRepair {
  constructor(
    private readonly planner: Planner,
    private readonly session: string,
  ) {}

  /** Writes the files of open plans that have none, from what the store knows. The number of files written. */
  async restoreMissing(): Promise<number> {
    const missing = await this.planner.store.read((view) => {
      const present = new Set(view.planFiles(this.session));
      return openPlans(view, this.session)
        .filter((plan) => !present.has(plan.id))
        .map((plan) => ({ text: formatPlan(plan), file: vscode.Uri.file(view.planPath(this.session, plan.id)) }));
    });
    const edit = new vscode.WorkspaceEdit();
    for (const { file, text } of missing) {
      // Never over one that came back in the meantime.
      edit.createFile(file, { ignoreIfExists: true, contents: new TextEncoder().encode(text) });
    }
    if (missing.length > 0 && !(await vscode.workspace.applyEdit(edit))) return 0;
    return missing.length;
  }

  async strayFiles(): Promise<StrayFile[]> {
    return this.planner.store.read((view) => {
      const open = new Set(openPlans(view, this.session).map((plan) => plan.id));
      return view
        .planFiles(this.session)
        .filter((name) => !open.has(name))
        .map((name) => ({ name, file: vscode.Uri.file(fileNamed(name, view.planPath(this.session, name))) }));
    });
  }

  /** The stray file as a new plan; undefined if it is not written as one. */
  async readAsPlan({ file }: StrayFile): Promise<NewPlan | undefined> {
    // Of a link the kind is that and its target's: what lies elsewhere is none of ours.
    if ((await vscode.workspace.fs.stat(file)).type !== vscode.FileType.File) return undefined;
    const { sections, preamble } = parsePlan(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
    const { goal } = sections;
    if (!goal) return undefined;
    const context = [preamble, sections.context].filter(Boolean).join('\n\n');
    return { ...sections, goal, context };
  }
}

/** Plan files are listed by id, everything else by its name. */
function fileNamed(name: string, planPath: string): string {
  return /^[0-9a-z]{5}$/.test(name) ? planPath : path.join(path.dirname(planPath), name);
}
