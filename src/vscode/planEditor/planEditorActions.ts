import * as vscode from 'vscode';
import { parsePlan } from '../../planner/planDocument';
import type { NewPlan } from '../../planner/queue';
import type { PlanAction } from '../../webview/protocol';
import { type CommandParts, editor as caller, changes, runCommand, shows } from '../commands/command';
import type { PlanEditor, PlanEditorActions } from './planEditor';
import { namesInPath } from './planOfFile';

/** Actions that are commands on the plan, wherever they are called from. */
const COMMANDS = {
  start: 'nineplan.plan.start',
  complete: 'nineplan.plan.complete',
  defer: 'nineplan.plan.defer',
  release: 'nineplan.plan.release',
  discard: 'nineplan.plan.discard',
  reopen: 'nineplan.plan.reopen',
  moveToFront: 'nineplan.queue.moveToFront',
  moveToBack: 'nineplan.queue.moveToBack',
} satisfies Partial<Record<PlanAction, string>>;

/** Runs the command that the action is, if it is one. */
export async function actByCommand(action: PlanAction, plan: string): Promise<boolean> {
  const command = action in COMMANDS ? COMMANDS[action as keyof typeof COMMANDS] : undefined;
  if (command) await vscode.commands.executeCommand(command, plan);
  return command !== undefined;
}

/** What the buttons of the plan editor do. */
export class PlanEditorCommands implements PlanEditorActions {
  constructor(private readonly parts: CommandParts) {}

  async openPlan(id: string): Promise<void> {
    await vscode.commands.executeCommand('nineplan.plan.open', id);
  }

  async act(action: PlanAction, editor: PlanEditor): Promise<void> {
    const id = namesInPath(editor.uri.path)?.id;
    if (id && (await actByCommand(action, id))) return;
    if (action === 'addAsNew') await this.addAsNew(editor.uri, editor.text);
    else if (action === 'copyText') await vscode.env.clipboard.writeText(editor.text);
    else if (action === 'openText') {
      await runCommand(
        'planEditor.openText',
        shows(() => openAsText(editor.uri)),
        [],
        this.parts,
      );
    }
  }

  private run(id: string, act: () => Promise<void>): Promise<void> {
    return runCommand(id, changes(act), [], this.parts);
  }

  /** The text of a plan that is gone becomes a plan of its own, in the same session if that is still there. */
  addAsNew(uri: vscode.Uri, text: string): Promise<void> {
    return this.run('planEditor.addAsNew', () => this.add(uri, text));
  }

  private async add(uri: vscode.Uri, text: string): Promise<void> {
    const planner = await this.parts.connection.planner();
    const wanted = namesInPath(uri.path)?.session ?? '';
    const known = await planner.store.read((view) => view.session(wanted)?.name);
    const plan = planIn(text);
    const added = await planner.queue.add(caller(), { sessionName: known, plans: [plan], position: 'back' });
    await this.parts.state.refresh();
    const [first] = added.plans;
    if (first) await this.openPlan(first.planId);
  }
}

function planIn(text: string): NewPlan {
  const { sections, preamble } = parsePlan(text);
  const context = [preamble, sections.context ?? ''].filter((part) => part !== '').join('\n\n');
  return { ...sections, context, goal: sections.goal ?? '' };
}

async function openAsText(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
}
