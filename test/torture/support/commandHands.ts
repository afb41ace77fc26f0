import * as vscode from 'vscode';
import { newCaller } from '../../../src/planner/caller';
import type { QueueEnd } from '../../../src/planner/model';
import type { CommandParts } from '../../../src/vscode/commands/command';
import type { Choice, Dialogs, Field } from '../../../src/vscode/dialogs';
import type { Hands } from './hands';

/** As a person does it in VS Code: by the extension's commands, with what they ask answered, looking at the tree. */
export function commandHands(parts: CommandParts): Hands {
  const added = new Map<string, string>();
  parts.connection.onDidCommit(({ own, events }) => {
    for (const event of events) if (own && event.type === 'plan_added') added.set(event.sections.goal, event.plan);
  });
  const run = async (command: string, args: string[], answers = new Answers()) => {
    parts.dialogs = answers;
    await vscode.commands.executeCommand(command, ...args);
    if (answers.refusal !== undefined) throw new Error(answers.refusal);
  };
  const show = async (session: string) => {
    if (parts.state.planning?.session?.name !== session) await run('nineplan.session.switch', [session]);
  };
  return {
    add: async (session, goal, position) => {
      await show(session);
      await run('nineplan.plan.add', [], new Answers(goal, position));
      return added.get(goal) as string;
    },
    pull: async (session) => {
      await show(session);
      await run('nineplan.queue.pull', []);
      return parts.state.planning?.active?.id;
    },
    complete: (_, plan, outcome) => run('nineplan.plan.complete', [plan], new Answers(outcome)),
    defer: (_, plan, reason) => run('nineplan.plan.defer', [plan], new Answers(reason)),
    discard: (_, plan, reason) => run('nineplan.plan.discard', [plan], new Answers(reason)),
    // No command does this: a person types into the plan's file, whose text has tests of its own.
    note: async (planId, appendNotes) => {
      const { queue } = await parts.connection.planner();
      await queue.update(newCaller('editor'), { planId, sections: {}, appendNotes });
    },
    move: (plan) => run('nineplan.queue.moveToFront', [plan]),
    look: async (session) => {
      await show(session);
      const { queue = [], active } = parts.state.planning ?? {};
      return { queue: queue.map(({ id }) => id), active: active?.id };
    },
  };
}

/** Gives every question that must be answered the one text, every choice the one end, and keeps what was refused. */
class Answers implements Dialogs {
  refusal: string | undefined;

  constructor(
    private readonly text = '',
    private readonly end: QueueEnd = 'back',
  ) {}

  async fill<K extends string>(_: string, fields: Field<K>[]): Promise<Record<K, string>> {
    return Object.fromEntries(fields.map(({ key, required }) => [key, required ? this.text : ''])) as Record<K, string>;
  }

  async pick<T>(_: string, choices: Choice<T>[]): Promise<T | undefined> {
    return choices.find(({ value }) => value === this.end)?.value;
  }

  async tell(severity: string, message: string): Promise<undefined> {
    if (severity === 'error') this.refusal = message;
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  async answerTo(): Promise<undefined> {}
  async folder(): Promise<undefined> {}
  async file(): Promise<undefined> {}
  async newFile(): Promise<undefined> {}
}
