import * as vscode from 'vscode';
import { type CommandParts, changes, editor, planningOf, planOf, runCommand, shows } from './commands/command';
import { Disposable } from './disposable';
import { sessionCounts, sessionLabel } from './views/sessionsView';

/**
 * `…://nineplan.9plan/session/NAME` and `/plan/ID`. Anybody can put a link anywhere, so one changes nothing before the
 * person said yes.
 */
export class DeepLinks extends Disposable implements vscode.UriHandler {
  constructor(private readonly parts: CommandParts) {
    super();
    this.own(vscode.window.registerUriHandler(this));
  }

  async handleUri(uri: vscode.Uri): Promise<void> {
    const [, kind, name] = uri.path.split('/');
    if (kind === 'session' && name) await this.follow(changes(() => this.offerSession(name)));
    else if (kind === 'plan' && name) await this.follow(shows(() => this.showPlan(name)));
    else void this.parts.dialogs.tell('warning', vscode.l10n.t('This link leads to nothing that 9plan knows.'));
  }

  private follow(command: ReturnType<typeof shows>): Promise<void> {
    return runCommand('link', command, [], this.parts);
  }

  private async offerSession(name: string): Promise<void> {
    const { sessions, session: current } = await planningOf(this.parts);
    const session = sessions.find((candidate) => candidate.name === name);
    if (!session) {
      void this.parts.dialogs.tell('warning', vscode.l10n.t('The session of this link is not in this folder.'));
    } else if (session !== current) {
      const sure = await this.parts.dialogs.confirm(
        vscode.l10n.t('Switch to the session “{0}”?', sessionLabel(session)),
        vscode.l10n.t('A link asks for it. {0}', sessionCounts(session)),
        vscode.l10n.t('Switch'),
      );
      if (!sure) return;
      await (await this.parts.connection.planner()).sessions.select(editor(), { sessionName: name });
      await this.parts.state.refresh();
    }
    await vscode.commands.executeCommand('nineplan.queue.focus');
  }

  private async showPlan(id: string): Promise<void> {
    const plan = await planOf(await this.parts.connection.planner(), id);
    await this.parts.editors.open(plan);
    await this.parts.views.queue.reveal(id);
  }
}
