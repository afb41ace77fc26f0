import * as vscode from 'vscode';
import { tabsOf } from './previewQuestion';

const SCHEME = 'nineplan-preview';

/** Has the person's answer about what the address shows. */
type Decide<T> = (preview: vscode.Uri) => Promise<T>;

/**
 * Shows what a file would become beside what it is, until `decide` has the person's answer. `name` ends like the file's
 * does, for its language.
 */
export async function withDiff<T>(
  shown: { title: string; name: string; before: string; after: string },
  decide: Decide<T>,
): Promise<T> {
  const texts = new Map([
    [`/before/${shown.name}`, shown.before],
    [`/after/${shown.name}`, shown.after],
  ]);
  const [before, after] = [...texts.keys()].map((path) => vscode.Uri.from({ scheme: SCHEME, path, query: stamp() }));
  return showing(texts, after as vscode.Uri, decide, () =>
    vscode.commands.executeCommand('vscode.diff', before, after, shown.title, { preview: false }),
  );
}

/** Shows a text, until `decide` has the person's answer. */
export async function withText<T>(shown: { name: string; text: string }, decide: Decide<T>): Promise<T> {
  const path = `/${shown.name}`;
  const uri = vscode.Uri.from({ scheme: SCHEME, path, query: stamp() });
  return showing(new Map([[path, shown.text]]), uri, decide, () =>
    vscode.window.showTextDocument(uri, { preview: false }),
  );
}

async function showing<T>(
  texts: Map<string, string>,
  uri: vscode.Uri,
  decide: Decide<T>,
  open: () => Thenable<unknown>,
): Promise<T> {
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ path }) => texts.get(path) ?? '',
  });
  try {
    await open();
    return await decide(uri);
  } finally {
    await vscode.window.tabGroups.close(tabsOf(uri), true);
    provider.dispose();
  }
}

/** Editors keep the text of an address. */
function stamp(): string {
  return Date.now().toString(36);
}
