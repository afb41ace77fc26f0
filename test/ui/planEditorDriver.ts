import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { Agent } from './agent';
import { openWorkbench } from './openWorkbench';
import { becomes } from './patience';
import { OPEN_EDITORS, type Workbench } from './workbench';

export interface PlanText {
  context: string;
  goal: string;
  approach: string;
  success_criteria: string;
}

export interface OpenedPlan {
  id: string;
  file: string;
  /** The document inside the webview. */
  editor: Frame;
}

/** A window with plan editors, and an agent at work on the same store. */
export class PlanEditorDriver {
  private readonly added: string[] = [];
  private last = '';

  private constructor(
    readonly folder: string,
    readonly workbench: Workbench,
    readonly agent: Agent,
  ) {}

  static async open(): Promise<PlanEditorDriver> {
    const folder = await mkdtemp(path.join(tmpdir(), '9plan-editor-'));
    await mkdir(path.join(folder, 'src'));
    await writeFile(path.join(folder, 'src/store.ts'), 'export const one = 1;\nexport const two = 2;\n');
    const agent = await Agent.connect(folder);
    await agent.call('9plan_session_create', { task_description: 'Edit plans' });
    const workbench = await openWorkbench({ workspace: folder, settings: { 'files.autoSave': 'off' } });
    await workbench.openContainer('9plan');
    return new PlanEditorDriver(folder, workbench, agent);
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await this.agent.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get page(): Page {
    return this.workbench.page;
  }

  async add(plan: PlanText, position: 'front' | 'back' = 'back'): Promise<{ id: string; file: string }> {
    const added = await this.agent.call<{ plan_id: string; plan_path: string }>('9plan_queue_add', {
      ...plan,
      position,
    });
    this.added.push(added.plan_id);
    return { id: added.plan_id, file: added.plan_path };
  }

  /** Adds a plan and opens it with a click on its row. */
  async openPlan(plan: PlanText, position?: 'front' | 'back'): Promise<OpenedPlan> {
    const added = await this.add(plan, position);
    this.last = added.id;
    await this.workbench.row('Queue', added.id).click();
    return { ...added, editor: await this.editorOf(added.id) };
  }

  /** The text box of a section. */
  box(editor: Frame, label: string): Locator {
    return editor.getByLabel(label, { exact: true }).and(editor.locator('textarea'));
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Types a text at one stroke, as one step of undo. */
  async insert(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** Waits until a text box holds the text. */
  async becomes(box: Locator, text: string): Promise<void> {
    await becomes(() => box.inputValue(), text);
  }

  /** The first tab of a plan's file; what it says is the plan's goal. */
  private tab(id: string): Locator {
    return this.page.locator(`.tab[data-resource-name="${id}.txt"]`).first();
  }

  async isUnsaved(id: string): Promise<void> {
    await this.tab(id).and(this.page.locator('.dirty')).waitFor();
  }

  async save(id: string): Promise<void> {
    await this.press('Control+s');
    await this.tab(id).and(this.page.locator('.dirty')).waitFor({ state: 'detached' });
  }

  /** The second webview of the plan, after a split. */
  async otherEditor(editor: Frame): Promise<Frame> {
    return this.editorOf(this.last, editor);
  }

  async reload(): Promise<Frame> {
    await this.workbench.reload({ [OPEN_EDITORS]: `${this.last}.txt` });
    return this.editorOf(this.last);
  }

  /** Closes a plan's tab and throws its unsaved text away. */
  async discardUnsaved(id: string): Promise<void> {
    await this.tab(id).click();
    await this.workbench.runCommand('View: Close Editor');
    await this.workbench.dialog.getByRole('button', { name: /Don.t Save/ }).click();
  }

  /** Closes what a test opened and discards its plans. */
  async closeEditors(): Promise<void> {
    await this.workbench.closeEditors();
    for (const plan_id of this.added.splice(0)) {
      await this.agent.call('9plan_plan_discard', { plan_id, reason: 'The test is over.' }).catch(() => undefined);
    }
  }

  private async editorOf(id: string, not?: Frame): Promise<Frame> {
    for (let i = 0; i < 300; i++) {
      for (const frame of this.page.frames()) {
        if (frame === not) continue;
        const facts = await frame
          .locator('.facts')
          .textContent({ timeout: 200 })
          .catch(() => null);
        if (facts?.includes(id)) return frame;
      }
      await this.page.waitForTimeout(50);
    }
    throw new Error(`no plan editor shows ${id}`);
  }
}
