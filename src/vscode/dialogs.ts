import * as vscode from 'vscode';
import { withoutLinks } from './plainText';
import type { PreviewAnswer, PreviewQuestion } from './previewQuestion';

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
  /** Asks for one text after another, with a way back. Undefined if the person gave up; `givenUp` gets what was typed until then. */
  fill<K extends string>(
    title: string,
    fields: Field<K>[],
    givenUp?: (typed: Record<K, string>) => void,
  ): Promise<Record<K, string> | undefined>;
  /** `stays`: also when the person clicks elsewhere, to look at what it is about. */
  pick<T>(
    title: string,
    choices: Choice<T>[],
    placeholder?: string,
    options?: { stays: boolean },
  ): Promise<T | undefined>;
  /** What to do with what a preview shows; undefined if the person closed it. */
  answerTo<A extends PreviewAnswer>(preview: vscode.Uri, answers: readonly A[]): Promise<A | undefined>;
  /** A question that must not be missed. True only for the action itself. */
  confirm(message: string, detail: string, action: string): Promise<boolean>;
  /** Says something; the answer is the chosen action or undefined. */
  tell(severity: 'info' | 'warning' | 'error', message: string, ...actions: string[]): Promise<string | undefined>;
  folder(title: string): Promise<vscode.Uri | undefined>;
  /** `start`: the folder that is shown first. */
  file(title: string, start?: vscode.Uri): Promise<vscode.Uri | undefined>;
  /** Where to write a new file. */
  newFile(title: string, suggestion: vscode.Uri): Promise<vscode.Uri | undefined>;
}

export class WindowDialogs implements Dialogs {
  constructor(private readonly question: PreviewQuestion) {}

  fill<K extends string>(
    title: string,
    fields: Field<K>[],
    givenUp?: (typed: Record<K, string>) => void,
  ): Promise<Record<K, string> | undefined> {
    return askInSteps(title, fields, givenUp);
  }

  async pick<T>(
    title: string,
    choices: Choice<T>[],
    placeholder?: string,
    options?: { stays: boolean },
  ): Promise<T | undefined> {
    const chosen = await vscode.window.showQuickPick(choices, {
      title,
      placeHolder: placeholder,
      ignoreFocusOut: options?.stays,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return chosen?.value;
  }

  answerTo<A extends PreviewAnswer>(preview: vscode.Uri, answers: readonly A[]): Promise<A | undefined> {
    return this.question.ask(preview, answers);
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

  async file(title: string, start?: vscode.Uri): Promise<vscode.Uri | undefined> {
    const chosen = await vscode.window.showOpenDialog({ title, defaultUri: start });
    return chosen?.[0];
  }

  async newFile(title: string, suggestion: vscode.Uri): Promise<vscode.Uri | undefined> {
    return vscode.window.showSaveDialog({ title, defaultUri: suggestion });
  }
}

/** One input box for all steps, so that nothing flickers and no key is lost between two of them. */
function askInSteps<K extends string>(
  title: string,
  fields: Field<K>[],
  givenUp: (typed: Record<K, string>) => void = () => undefined,
): Promise<Record<K, string> | undefined> {
  const answers = fields.map((field) => field.value ?? '');
  const given = () => Object.fromEntries(fields.map(({ key }, i) => [key, answers[i] ?? ''])) as Record<K, string>;
  const box = vscode.window.createInputBox();
  box.title = title;
  // A look at another window must not cost what was typed.
  box.ignoreFocusOut = true;
  let step = 0;

  const show = (): void => {
    const field = fields[step] as Field<K>;
    box.prompt = field.prompt;
    box.placeholder = field.placeholder;
    box.value = answers[step] ?? '';
    box.validationMessage = undefined;
    if (fields.length === 1) return;
    box.step = step + 1;
    box.totalSteps = fields.length;
    box.buttons = step > 0 ? [vscode.QuickInputButtons.Back] : [];
  };
  const go = (to: number): void => {
    answers[step] = box.value;
    step = to;
    if (step < fields.length) show();
  };

  return new Promise((resolve) => {
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidTriggerButton(() => go(step - 1));
    box.onDidAccept(() => {
      const { required } = fields[step] as Field<K>;
      if (required && box.value.trim() === '') {
        box.validationMessage = required;
        return;
      }
      go(step + 1);
      if (step < fields.length) return;
      resolve(given());
      box.dispose();
    });
    // Also when it was disposed of after the last step: then the answers count.
    box.onDidHide(() => {
      if (step < fields.length) {
        answers[step] = box.value;
        givenUp(given());
      }
      resolve(undefined);
      box.dispose();
    });
    show();
    box.show();
  });
}
