import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { withText } from '../../src/vscode/preview';
import { PreviewQuestion } from '../../src/vscode/previewQuestion';
import { until } from './support';

describe('the question about a preview', () => {
  const other = vscode.Uri.joinPath(
    vscode.extensions.getExtension('nineplan.9plan')?.extensionUri as vscode.Uri,
    'package.json',
  );
  let question: PreviewQuestion;
  let answer: string | undefined;
  let isEnded: boolean;
  let asked: Promise<void>;
  beforeEach(async () => {
    question = new PreviewQuestion(() => {});
    answer = undefined;
    isEnded = false;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A group that is left empty is closed, and another one takes its number.
    await vscode.window.showTextDocument(other, { preview: false });
    asked = withText({ name: 'preview.txt', text: 'Text' }, (uri) => question.ask(uri, ['write', 'copy'])).then(
      (said) => {
        answer = said;
        isEnded = true;
      },
    );
    await until('the preview is shown', () => shown() === 1);
  });
  afterEach(async () => {
    question.answer(undefined);
    await asked;
    question.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const shown = () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'preview.txt').length;

  it('is answered by a command, and the preview closed', async () => {
    question.answer('copy');
    await asked;
    assert.equal(answer, 'copy');
    assert.equal(shown(), 0);
  });

  it('is given up by closing the preview', async () => {
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await asked;
    assert.equal(answer, undefined);
  });

  it('stays while the preview is only moved, and goes with the last of several', async () => {
    await vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup');
    await until('it is in another group', () => vscode.window.tabGroups.activeTabGroup.viewColumn === 2);
    await vscode.commands.executeCommand('workbench.action.splitEditor');
    await until('it is there twice', () => shown() === 2);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await until('it is there once', () => shown() === 1);
    assert.equal(isEnded, false);
    question.answer('write');
    await asked;
    assert.equal(answer, 'write');
  });
});
