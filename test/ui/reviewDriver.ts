import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { root } from '../../scripts/lib/run.mjs';
import { Agent } from './agent';
import { openWorkbench, type Workbench } from './workbench';

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
  ) {}

  static async open(settings: Record<string, unknown> = {}, folder?: string): Promise<ReviewDriver> {
    const workspace = folder ?? (await mkdtemp(path.join(tmpdir(), '9plan-review-')));
    const agent = await Agent.connect(workspace);
    if (!folder) await agent.call('9plan_session_create', { task_description: 'Move house' });
    const workbench = await openWorkbench({ workspace, settings });
    const driver = new ReviewDriver(workspace, workbench, agent);
    await driver.windowIsPresent();
    return driver;
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await this.agent.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
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
    for (let i = 0; i < 400; i++) {
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
    await panel.evaluate((text) => {
      const walker = document.createTreeWalker(document.querySelector('.passages') as Node, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode as Text;
        const at = node.data.indexOf(text);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        window.getSelection()?.removeAllRanges();
        window.getSelection()?.addRange(range);
        return;
      }
      throw new Error(`no text ${text}`);
    }, words);
  }

  async commentOn(panel: Frame, words: string, comment: string): Promise<void> {
    await this.select(panel, words);
    await panel.getByRole('button', { name: 'Comment on the selection' }).click();
    await this.page.keyboard.type(comment);
    await this.page.keyboard.press('Escape');
  }

  press(panel: Frame, button: string): Promise<void> {
    return panel.getByRole('button', { name: button, exact: true }).click();
  }

  /** A proposal that was asked for in the wait is found by the server only once the window has said that it is there. */
  private async windowIsPresent(): Promise<void> {
    const { readdir } = await import('node:fs/promises');
    for (let i = 0; i < 400; i++) {
      const windows = await readdir(path.join(this.folder, '.9plan/windows')).catch(() => []);
      if (windows.length > 0) return;
      await this.page.waitForTimeout(50);
    }
    throw new Error('the window never showed that it is open');
  }
}

/** What axe finds wrong in a page. */
export async function violations(panel: Frame): Promise<string[]> {
  await panel.evaluate(await readFile(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  return panel.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe hangs itself on the window.
    const { violations } = await (window as any).axe.run(document.body);
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return violations.map((v: any) => `${v.id}: ${v.nodes.map((n: any) => n.html).join(' | ')}`);
  });
}

export function isPending(call: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return Promise.race([call, new Promise((resolve) => setTimeout(resolve, 300, pending))]).then(
    (first) => first === pending,
  );
}
