import * as vscode from 'vscode';
import { PlannerError } from '../../planner/errors';
import type { Plan, QueueEnd } from '../../planner/model';
import type { NewPlan } from '../../planner/queue';
import type { Field } from '../dialogs';
import { firstLine, withoutIcons } from '../plainText';
import { planWords } from '../planDocuments';
import { planMarkdown } from '../planMarkdown';
import { planLabel } from '../views/planText';
import { leavesFocus, plansIn } from './arguments';
import {
  activePlanOf,
  type CommandParts,
  type CommandTable,
  changes,
  copy,
  editor,
  planningOf,
  planOf,
  shows,
} from './command';

/** Adding plans and looking at them. */
export function planCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;

  /** The plan a command is about: given, selected, active, or the person's pick. */
  async function choose(args: unknown[], title: string): Promise<Plan | undefined> {
    const planner = await connection.planner();
    const [given] = plansIn(args);
    if (given) return planOf(planner, given);
    const { active, session } = await planningOf(parts);
    // Of a long queue, the view holds only the first.
    const queue = await planner.store.read((view) => (session ? view.queue(session.name) : []));
    const open = [...(active ? [active] : []), ...queue];
    if (open.length === 0) {
      void parts.dialogs.tell('info', vscode.l10n.t('The queue is empty.'));
      return undefined;
    }
    const choices = open.map(({ id, goal }) => ({
      label: withoutIcons(planLabel(goal)),
      description: id === active?.id ? vscode.l10n.t('active') : id,
      value: id,
    }));
    const chosen = await parts.dialogs.pick(title, choices);
    return chosen ? planOf(planner, chosen) : undefined;
  }

  return {
    'nineplan.plan.add': changes(async () => {
      await planningOf(parts);
      const title = vscode.l10n.t('Add a Plan');
      await parts.drafts.use(parts.dialogs, { title, fields: planQuestions() }, (answers) => add(title, answers));
    }),

    'nineplan.plan.addFromSelection': changes(async () => {
      await planningOf(parts);
      const title = vscode.l10n.t('Add a Plan from the Selection');
      const selected = selectedText();
      // An input box has one line, so a context of several is not put into one.
      const [goal, , ...rest] = planQuestions(firstLine(selected.text.trim()));
      const question = { title, about: selected.context, fields: [goal, ...rest] };
      await parts.drafts.use(parts.dialogs, question, (answers) =>
        add(title, { ...answers, context: selected.context }),
      );
    }),

    'nineplan.plan.open': shows(async (...args) => {
      const plan = await choose(args, vscode.l10n.t('Open Plan'));
      if (plan) await parts.editors.open(plan, leavesFocus(args));
    }),

    'nineplan.plan.openActive': shows(async () => parts.editors.open(await activePlanOf(parts))),

    'nineplan.plan.copyMarkdown': shows(async (...args) => {
      const plan = await choose(args, vscode.l10n.t('Copy Plan as Markdown'));
      if (plan) await copy(planMarkdown(plan, planWords()));
    }),

    'nineplan.plan.copyId': shows(async (...args) => {
      const plan = await choose(args, vscode.l10n.t('Copy Plan ID'));
      if (plan) await copy(plan.id);
    }),
  };

  /** False if the person gave up. */
  async function add(title: string, plan: NewPlan): Promise<boolean> {
    const { session } = await planningOf(parts);
    const position = await where(title, session?.queueLength ?? 0);
    if (!position) return false;
    const planner = await connection.planner();
    // A person's first plan shouldn't fail for want of a session.
    const sessionName = session?.name ?? (await startSession());
    const added = await planner.queue.add(editor(), { sessionName, plans: [plan], position });
    parts.lastChange.forget();
    await state.refresh();
    const [first] = added.plans;
    if (first) await parts.views.queue.reveal(first.planId);
    return true;
  }

  async function where(title: string, queued: number): Promise<QueueEnd | undefined> {
    if (queued === 0) return 'back';
    return parts.dialogs.pick<QueueEnd>(title, [
      { label: vscode.l10n.t('Back of the queue'), description: vscode.l10n.t('it comes in its turn'), value: 'back' },
      { label: vscode.l10n.t('Front of the queue'), description: vscode.l10n.t('it is next'), value: 'front' },
    ]);
  }

  async function startSession(): Promise<string> {
    const planner = await connection.planner();
    const { session } = await planner.sessions.create(editor(), {});
    await planner.sessions.select(editor(), { sessionName: session });
    return session;
  }
}

type Question = Field<'goal' | 'context' | 'approach' | 'successCriteria'>;

function planQuestions(goal = ''): [Question, Question, Question, Question] {
  return [
    {
      key: 'goal',
      prompt: vscode.l10n.t('Goal: what will be there when it is done?'),
      value: goal,
      required: vscode.l10n.t('A plan needs a goal.'),
    },
    { key: 'context', prompt: vscode.l10n.t('Context: where does it fit into the task? (Enter to skip)') },
    { key: 'approach', prompt: vscode.l10n.t('Approach: how is it done? (Enter to skip)') },
    { key: 'successCriteria', prompt: vscode.l10n.t('Success criteria: how does one see it? (Enter to skip)') },
  ];
}

/** What is selected in the text editor, and what a plan says of it: where it stands, and all of it. */
function selectedText(): { text: string; context: string } {
  const shown = vscode.window.activeTextEditor;
  const text = shown?.document.getText(shown.selection) ?? '';
  if (!shown || text.trim() === '') {
    throw new PlannerError(
      'VALIDATION_ERROR',
      vscode.l10n.t('No text is selected.'),
      vscode.l10n.t('Select the text that the plan is about, then try again.'),
    );
  }
  const { start, end } = shown.selection;
  const lines = start.line === end.line ? `${start.line + 1}` : `${start.line + 1}-${end.line + 1}`;
  const place = `${vscode.workspace.asRelativePath(shown.document.uri)}:${lines}`;
  return { text, context: `${vscode.l10n.t('From {0}:', place)}\n\n${text}` };
}
