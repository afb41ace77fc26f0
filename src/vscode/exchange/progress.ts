import * as vscode from 'vscode';

/** So many plans take long enough that one should see something happen. */
const MANY = 500;

/** Shows that something is being done with so many plans. It can't be stopped halfway: all of it is one change. */
export function whileWorking<T>(title: string, plans: number, work: () => Promise<T>): Thenable<T> {
  const { Notification, Window } = vscode.ProgressLocation;
  return vscode.window.withProgress({ location: plans > MANY ? Notification : Window, title }, work);
}
