import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { root } from '../../scripts/lib/run.mjs';
import { Agent } from './agent';
import { axeViolations, selectWords } from './inPage.mjs';
import { openWorkbench } from './openWorkbench';
import type { Workbench } from './workbench';

export interface Verdict {
  proposal_id: string;
  status: string;
  decision: string | null;
  decided_by: string | null;
  feedback: string | null;
  comments: { quote: string; comment: string }[];
  approved_plan?: string;
  queued_plans: string[];
  message: string;
}

/** A window with review panels, and agents outside that hand in plans and wait. */
export class ReviewDriver {
  private constructor(
    readonly folder: string,
    readonly workbench: Workbench,
    readonly agent: Agent,
    private readonly owned: boolean,
  ) {}

  static async open(settings: Record<string, unknown> = {}, folder?: string): Promise<ReviewDriver> {
    const workspace = folder ?? (await mkdtemp(path.join(tmpdir(), '9plan-review-')));
    const agent = await Agent.connect(workspace);
    if (!folder) await agent.call('9plan_session_create', { task_description: 'Move house' });
    const workbench = await openWorkbench({ workspace, settings });
    const driver = new ReviewDriver(workspace, workbench, agent, folder === undefined);
    await driver.windowsArePresent(folder ? 2 : 1);
    return driver;
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await this.agent.close();
    // Of two windows on a folder the first one owns it.
    if (this.owned) await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get page(): Page {
    return this.workbench.page;
  }

  /** Hands in a plan; the promise is the agent's waiting call. */
  submit(plan: string, todos?: string[]): Promise<Verdict> {
    const list = todos?.map((content) => ({ content, status: 'pending' }));
    return this.agent.call<Verdict>('exit_plan_mode', { plan, ...(list ? { todos: list } : {}) });
  }

  /** The document of the panel that shows the text. */
  async panel(text: string): Promise<Frame> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      for (const frame of this.page.frames()) {
        const shown = await frame
          .locator('.passages, .empty')
          .first()
          .textContent({ timeout: 200 })
          .catch(() => null);
        if (shown?.includes(text)) return frame;
      }
      await this.page.waitForTimeout(50);
    }
    throw new Error(`no review panel shows ${text}`);
  }

  /** Selects words of the plan as a mouse would. */
  async select(panel: Frame, words: string): Promise<void> {
    await panel.evaluate(selectWords, words);
  }

  async commentOn(panel: Frame, words: string, comment: string): Promise<void> {
    await this.select(panel, words);
    await panel.getByRole('button', { name: 'Comment on the selection' }).click();
    await this.page.keyboard.type(comment);
    await this.page.keyboard.press('Escape');
  }

  async press(panel: Frame, button: string): Promise<void> {
    try {
      await panel.getByRole('button', { name: button, exact: true }).click();
    } catch (error) {
      // A button that closes its own panel may take the frame away before the click is over.
      if (!/Frame was detached/.test(String(error))) throw error;
    }
  }

  /** A window tells of proposals that are handed in after it has opened the store. */
  private async windowsArePresent(count: number): Promise<void> {
    for (let i = 0; i < 400; i++) {
      const windows = await readdir(path.join(this.folder, '.9plan/windows')).catch(() => []);
      if (windows.length >= count) return;
      await this.page.waitForTimeout(50);
    }
    throw new Error('the window never showed that it is open');
  }
}

/** What axe finds wrong in a page. */
export async function violations(panel: Frame): Promise<string[]> {
  await panel.evaluate(await readFile(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  return panel.evaluate(axeViolations);
}

export function isPending(call: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return Promise.race([call, new Promise((resolve) => setTimeout(resolve, 300, pending))]).then(
    (first) => first === pending,
  );
}

/** A plan of so many lines with all that one could try to make a page run, load or follow something. */
export function hostilePlan(lines: number): string {
  const part = `## Part

A paragraph with **bold**, \`code\`, [a file](src/a.ts#L3) and [a page](https://evil.example/page).
<script>globalThis.ran = true;</script>
<img src="https://evil.example/a.png" onerror="globalThis.ran = true">
![picture](https://evil.example/b.png "x") ![data](data:image/svg+xml,<svg onload=alert(1)>)
[run](javascript:globalThis.ran=true) [command](command:workbench.action.closeWindow) <command:x> <javascript:x>
<iframe srcdoc="<script>parent.ran=true</script>"></iframe><style>* { display: none }</style>
<a href="command:workbench.action.quit">quit</a><form action="https://evil.example"><button>go</button></form>

| a | b |
| --- | --- |
| <svg onload="globalThis.ran=true"> | [x](vscode://x/y) |

\`\`\`html
<script>globalThis.ran = true;</script>
\`\`\`

1. First "onmouseover="globalThis.ran=true
2. Second [x](" onmouseover=globalThis.ran=true ")
   - inner
3. Third

> quoted &lt;script&gt;globalThis.ran=true&lt;/script&gt;

`;
  const all = `# Hostile plan\n\n${part.repeat(lines / part.split('\n').length + 1)}`.split('\n');
  return all.slice(0, lines).join('\n');
}
