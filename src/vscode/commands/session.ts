import * as vscode from 'vscode';
import { PlannerError } from '../../planner/errors';
import type { SessionSummary } from '../../planner/model';
import { dependencySource, showDependencies } from '../dependencies/dependencyDocuments';
import { withoutIcons } from '../plainText';
import { when } from '../views/planText';
import { sessionCounts, sessionLabel } from '../views/sessionsView';
import { meansSelection, sessionsIn } from './arguments';
import { type CommandParts, type CommandTable, changes, copy, editor, planningOf, shows } from './command';

/** Milliseconds between the two clicks of a double-click. */
const DOUBLE_CLICK = 500;
const NOTHING_BEGUN = { name: undefined, at: 0 };

export function sessionCommands(parts: CommandParts): CommandTable {
  const { connection, state } = parts;

  /** The session a command is about: the row it came from, the selected one, or the person's pick. */
  async function choose(args: unknown[], title: string, fits: (session: SessionSummary) => boolean): Promise<string[]> {
    const { sessions, session: current } = await planningOf(parts);
    const named = meansSelection(args) ? parts.views.sessions.selectedSessions : sessionsIn(args);
    if (named.length > 0 || meansSelection(args)) return named;
    const choices = sessions.filter(fits).map((session) => ({
      label: `${session.name === current?.name ? '$(target) ' : ''}${withoutIcons(sessionLabel(session))}`,
      description: [session.name === current?.name && vscode.l10n.t('current'), when(session.createdAt), session.name]
        .filter(Boolean)
        .join(' · '),
      detail: sessionCounts(session),
      value: session.name,
    }));
    if (choices.length === 0) {
      throw new PlannerError(
        'SESSION_NOT_FOUND',
        vscode.l10n.t('There is no session to choose.'),
        vscode.l10n.t('Start a session first.'),
      );
    }
    const chosen = await parts.dialogs.pick(title, choices, vscode.l10n.t('Search by task, day or name'));
    return chosen ? [chosen] : [];
  }

  async function find(name: string): Promise<SessionSummary> {
    const session = (await planningOf(parts)).sessions.find((candidate) => candidate.name === name);
    if (session) return session;
    throw new PlannerError(
      'SESSION_NOT_FOUND',
      vscode.l10n.t('There is no session {0}.', name.slice(0, 60)),
      vscode.l10n.t('Choose one in the Sessions view.'),
    );
  }

  /** The session of the row, else the one whose plans are shown. */
  async function shownOr(args: unknown[], title: string): Promise<string | undefined> {
    const { session } = await planningOf(parts);
    if (session && sessionsIn(args).length === 0) return session.name;
    return (await choose(args, title, () => true))[0];
  }

  async function select(sessionName: string | null): Promise<void> {
    await (await connection.planner()).sessions.select(editor(), { sessionName });
    await state.refresh();
  }

  /** The first half of a double-click, or the key that stands for it on whatever row. */
  let begun: { name: unknown; at: number } = NOTHING_BEGUN;
  const isOpen = (session: SessionSummary) => !session.archivedAt;

  return {
    'nineplan.session.create': changes(async () => {
      const answers = await parts.dialogs.fill(vscode.l10n.t('Start a Session'), [
        {
          key: 'task',
          prompt: vscode.l10n.t('What is the task? You will find the session again by this.'),
          placeholder: vscode.l10n.t('For example: move the billing service to the new database'),
        },
      ]);
      if (!answers) return;
      const planner = await connection.planner();
      const taskDescription = answers.task.trim() || undefined;
      const { session } = await planner.sessions.create(editor(), { taskDescription });
      await select(session);
    }),

    'nineplan.session.switch': changes(async (...args) => {
      const [name] = await choose(args, vscode.l10n.t('Switch Session'), isOpen);
      if (name) await select((await find(name)).name);
    }),

    // Choosing a session takes more than a stray click.
    'nineplan.session.click': shows(async (name: unknown) => {
      const { name: expected, at } = begun;
      const isMeant = Date.now() - at < DOUBLE_CLICK && (expected === undefined || expected === name);
      begun = isMeant ? NOTHING_BEGUN : { name, at: Date.now() };
      if (isMeant) await vscode.commands.executeCommand('nineplan.session.switch', name);
    }),
    // A row gets the same command for a click and for Enter. This comes before the latter and makes it count.
    'nineplan.session.enter': shows(async () => {
      begun = { name: undefined, at: Date.now() };
      await vscode.commands.executeCommand('list.select');
    }),

    'nineplan.session.describe': changes(async (...args) => {
      const [name] = await choose(args, vscode.l10n.t('Describe Session'), isOpen);
      if (!name) return;
      const { taskDescription } = await find(name);
      const answers = await parts.dialogs.fill(vscode.l10n.t('Describe Session'), [
        { key: 'task', prompt: vscode.l10n.t('What is the task?'), value: taskDescription ?? '' },
      ]);
      if (!answers) return;
      const planner = await connection.planner();
      await planner.sessions.describe(editor(), { sessionName: name, taskDescription: answers.task.trim() || null });
      await state.refresh();
    }),

    'nineplan.session.archive': changes(async (...args) => {
      const names = await choose(args, vscode.l10n.t('Archive Session'), isOpen);
      const planner = await connection.planner();
      for (const sessionName of names) await planner.sessions.archive(editor(), { sessionName, archived: true });
      await state.refresh();
    }),

    'nineplan.session.unarchive': changes(async (...args) => {
      const names = await choose(args, vscode.l10n.t('Take Session Out of the Archive'), (session) => !isOpen(session));
      const planner = await connection.planner();
      for (const sessionName of names) await planner.sessions.archive(editor(), { sessionName, archived: false });
      await state.refresh();
    }),

    'nineplan.session.delete': changes(async (...args) => {
      const [name] = await choose(args, vscode.l10n.t('Delete Session'), () => true);
      if (!name) return;
      const session = await find(name);
      const waiting = (await planningOf(parts)).reviews.filter((review) => review.session === name).length;
      const sure = await parts.dialogs.confirm(
        vscode.l10n.t('Delete the session “{0}”?', sessionLabel(session)),
        [
          vscode.l10n.t(
            'All its plans go with it ({0}), its history too. This cannot be undone. To keep them out of sight, archive it instead.',
            sessionCounts(session),
          ),
          waiting > 0 && vscode.l10n.t('Proposals in it that wait for your decision: {0}.', waiting),
        ]
          .filter(Boolean)
          .join(' '),
        vscode.l10n.t('Delete'),
      );
      if (!sure) return;
      await (await connection.planner()).sessions.delete(editor(), { sessionName: name });
      parts.lastChange.forget();
      await state.refresh();
    }),

    'nineplan.session.showDependencies': shows(async (...args) => {
      const name = await shownOr(args, vscode.l10n.t('Show Dependencies'));
      if (name) await showDependencies((await find(name)).name);
    }),

    'nineplan.session.copyDependencies': shows(async (...args) => {
      const name = await shownOr(args, vscode.l10n.t('Copy Dependencies as Mermaid'));
      if (!name) return;
      await copy(await dependencySource(connection, (await find(name)).name));
    }),

    'nineplan.session.copyName': shows(async (...args) => {
      const [name] = await choose(args, vscode.l10n.t('Copy Session Name'), () => true);
      if (name) await copy(name);
    }),
  };
}
