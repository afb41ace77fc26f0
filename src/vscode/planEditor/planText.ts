import * as vscode from 'vscode';
import { editBetween } from '../../planner/textEdit';

/** The document's text with LF line ends, as the planner reads it. */
export function textOf(document: vscode.TextDocument): string {
  return document.getText().replace(/\r\n?/g, '\n');
}

/** The smallest edits that make the document's text `text`, which has LF line ends; none if it is that already. */
export function editsTo(document: vscode.TextDocument, text: string): vscode.TextEdit[] {
  const before = textOf(document);
  const edit = editBetween(before, text);
  if (!edit) return [];
  const range = new vscode.Range(positionAt(before, edit.start), positionAt(before, edit.end));
  return [vscode.TextEdit.replace(range, edit.insert)];
}

/** Lines and columns are the same with any line ends; offsets are not. */
function positionAt(text: string, offset: number): vscode.Position {
  let line = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return new vscode.Position(line, offset - start);
}

/** The file's text on disk with LF line ends; undefined if there is no file. */
export async function readPlanText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n');
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/**
 * Makes the document read its file, which is UTF-8. Rejects without changing a text that is unsaved. The one way to that
 * in the API is another encoding; should a key come in between, the next save writes a byte order mark.
 */
export async function readAnew({ uri, encoding }: vscode.TextDocument): Promise<void> {
  if (encoding === 'utf8') await vscode.workspace.openTextDocument(uri, { encoding: 'utf8bom' });
  await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
}
