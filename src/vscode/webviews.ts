import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Log } from '../planner/ports';
import { readLink } from '../webview/links';
import { Disposable } from './disposable';

export interface PageOptions {
  /** Names the bundle: `dist/webview/<name>.js` and `.css`. */
  name: string;
  title: string;
  /** The page's words in the reader's language. */
  words: Record<string, string>;
}

/** Fills a webview with one of our pages: it runs our script, shows our style and loads nothing else from anywhere. */
export function openPage(webview: vscode.Webview, extension: vscode.Uri, page: PageOptions): void {
  const bundles = vscode.Uri.joinPath(extension, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [bundles] };
  const source = (file: string) => escapeHtml(webview.asWebviewUri(vscode.Uri.joinPath(bundles, file)).toString());
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  webview.html = `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="${source(`${page.name}.css`)}">
</head>
<body data-words="${escapeHtml(JSON.stringify(page.words))}">
<div id="page"></div>
<script nonce="${nonce}" src="${source(`${page.name}.js`)}"></script>
</body>
</html>`;
}

/** The part of a zod schema that is needed here. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { message: string } };
}

/** Typed messages to and from one webview. What the webview sends and the protocol doesn't know is logged and ignored. */
export class WebviewChannel<Out, In extends { type: string }> extends Disposable {
  private readonly received = this.own(new vscode.EventEmitter<In>());
  readonly onDidReceive = this.received.event;

  constructor(
    private readonly webview: vscode.Webview,
    schema: Schema<In>,
    log: Log,
  ) {
    super();
    this.own(
      webview.onDidReceiveMessage((message: unknown) => {
        const parsed = schema.safeParse(message);
        if (parsed.success) this.received.fire(parsed.data);
        else log.warn({ reason: parsed.error.message }, 'a message of a webview was refused');
      }),
    );
  }

  post(message: Out): void {
    if (!this.isDisposed) void this.webview.postMessage(message);
  }
}

/**
 * Opens what a link in a plan leads to. Files are looked for in `root`, the workspace folder, and nowhere else.
 *
 * @returns whether the link was followed
 */
export async function openLink(target: string, root: vscode.Uri | undefined): Promise<boolean> {
  const link = readLink(target);
  if (!link) return false;
  if (link.kind === 'external') return vscode.env.openExternal(vscode.Uri.parse(link.url, true));
  if (!root) return false;
  const file = vscode.Uri.joinPath(root, link.path);
  if (!file.path.startsWith(root.path.endsWith('/') ? root.path : `${root.path}/`)) return false;
  const selection = link.line ? new vscode.Range(link.line - 1, 0, link.line - 1, 0) : undefined;
  await vscode.commands.executeCommand('vscode.open', file, { selection });
  return true;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
