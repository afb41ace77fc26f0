import * as vscode from 'vscode';
import { withoutLinks } from './plainText';

export interface Field<K extends string> {
  key: K;
  prompt: string;
  placeholder?: string;
  value?: string;
  /** What to say if it is left empty; without it empty is fine. */
  required?: string;
}

export interface Choice<T> extends vscode.QuickPickItem {
  value: T;
}

/** How a command talks with the person. Everything that waits for an answer goes through here. */
export interface Dialogs {
  /** Asks for one text after another, with a way back. Undefined if the person gave up. */
  fill<K extends string>(title: string, fields: Field<K>[]): Promise<Record<K, string> | undefined>;
  pick<T>(title: string, choices: Choice<T>[], placeholder?: string): Promise<T | undefined>;
  /** A question that must not be missed. True only for the action itself. */
  confirm(message: string, detail: string, action: string): Promise<boolean>;
  /** Says something; the answer is the chosen action or undefined. */
  tell(severity: 'info' | 'warning' | 'error', message: string, ...actions: string[]): Promise<string | undefined>;
  folder(title: string): Promise<vscode.Uri | undefined>;
}

export class WindowDialogs implements Dialogs {
  async fill<K extends string>(title: string, fields: Field<K>[]): Promise<Record<K, string> | undefined> {
    const answers = fields.map((field) => field.value ?? '');
    let index = 0;
    while (index < fields.length) {
      const field = fields[index] as Field<K>;
      const answer = await ask(title, field, answers[index] ?? '', index + 1, fields.length);
      if (answer.kind === 'gone') return undefined;
      answers[index] = answer.value;
      index += answer.kind === 'back' ? -1 : 1;
    }
    return Object.fromEntries(fields.map((field, i) => [field.key, answers[i] ?? ''])) as Record<K, string>;
  }

  async pick<T>(title: string, choices: Choice<T>[], placeholder?: string): Promise<T | undefined> {
    const chosen = await vscode.window.showQuickPick(choices, {
      title,
      placeHolder: placeholder,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return chosen?.value;
  }

  async confirm(message: string, detail: string, action: string): Promise<boolean> {
    return (await vscode.window.showWarningMessage(message, { modal: true, detail }, action)) === action;
  }

  async tell(
    severity: 'info' | 'warning' | 'error',
    message: string,
    ...actions: string[]
  ): Promise<string | undefined> {
    const text = withoutLinks(message);
    if (severity === 'error') return vscode.window.showErrorMessage(text, ...actions);
    if (severity === 'warning') return vscode.window.showWarningMessage(text, ...actions);
    return vscode.window.showInformationMessage(text, ...actions);
  }

  async folder(title: string): Promise<vscode.Uri | undefined> {
    const chosen = await vscode.window.showOpenDialog({ title, canSelectFolders: true, canSelectFiles: false });
    return chosen?.[0];
  }
}

type Answer = { kind: 'next' | 'back'; value: string } | { kind: 'gone' };

function ask<K extends string>(
  title: string,
  field: Field<K>,
  value: string,
  step: number,
  steps: number,
): Promise<Answer> {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = field.prompt;
  box.placeholder = field.placeholder;
  box.value = value;
  // A look at another window must not cost what was typed.
  box.ignoreFocusOut = true;
  if (steps > 1) {
    box.step = step;
    box.totalSteps = steps;
    box.buttons = step > 1 ? [vscode.QuickInputButtons.Back] : [];
  }
  return new Promise<Answer>((resolve) => {
    const finish = (answer: Answer) => {
      resolve(answer);
      box.dispose();
    };
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(() => {
      if (field.required && box.value.trim() === '') box.validationMessage = field.required;
      else finish({ kind: 'next', value: box.value });
    });
    box.onDidTriggerButton(() => finish({ kind: 'back', value: box.value }));
    box.onDidHide(() => finish({ kind: 'gone' }));
    box.show();
  });
}
