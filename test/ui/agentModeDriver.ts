import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { scratchFolder } from '../../scripts/lib/scratch.mjs';
import { openWorkbench } from './openWorkbench';
import { until } from './patience';
import type { Workbench } from './workbench';

/** What the model does next: say something, or call a tool, named by the end of the name that VS Code gives it. */
export type Step = { text: string } | { tool: string; input?: Record<string, unknown> };

/** One request to the model. */
interface Request {
  messages: { role: number; parts: unknown[] }[];
  tools: string[];
}

interface State {
  requests: Request[];
  /** Steps that were not played yet. */
  left: number;
  copilotIsActive: boolean;
}

/** A confirmation as the person sees it. */
export interface Confirmation {
  title: string;
  input: string;
}

/** VS Code's own agent mode, offline: its loop, its tools, its chat; only the language model plays a script. */
export class AgentMode {
  private constructor(
    readonly workbench: Workbench,
    readonly folder: string,
    private readonly address: string,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async open(): Promise<AgentMode> {
    const scratch = await scratchFolder('agent');
    const [folder, extensionsDir] = [path.join(scratch.path, 'workspace'), path.join(scratch.path, 'extensions')];
    await mkdir(folder);
    await cp(path.join(__dirname, 'scriptedModel'), path.join(extensionsDir, 'tests.scripted-model-1.0.0'), {
      recursive: true,
    });
    const address = path.join(scratch.path, 'address');
    const workbench = await openWorkbench({
      workspace: folder,
      extensionsDir,
      // Copilot writes into the folder that VS Code is installed in.
      ownCopy: true,
      env: { SCRIPTED_MODEL_ADDRESS: address },
      userFiles: { 'chatLanguageModels.json': [{ vendor: 'scripted', name: 'Scripted' }] },
      settings: { 'chat.byokUtilityModelDefault': 'mainAgent' },
    });
    workbench.page.setDefaultTimeout(20_000);
    const agentMode = new AgentMode(workbench, folder, address, scratch.remove);
    try {
      await agentMode.installCopilot();
    } catch (error) {
      await agentMode.close();
      throw error;
    }
    return agentMode;
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await this.removeFolder();
  }

  get page(): Page {
    return this.workbench.page;
  }

  get store(): string {
    return path.join(this.folder, '.9plan');
  }

  /** Sends a message in a new chat. */
  async ask(query: string, script: Step[]): Promise<void> {
    await this.begin(script);
    await this.command('workbench.action.chat.open', { query, mode: 'agent', modelSelector: { vendor: 'scripted' } });
  }

  /** Opens a new chat, in which the person types. */
  async begin(script: Step[]): Promise<void> {
    await this.command('workbench.action.chat.newChat');
    await this.post({ script });
  }

  /** Writes into the chat's input with the keyboard. */
  async type(text: string): Promise<void> {
    await this.command('workbench.action.chat.open', { mode: 'agent', modelSelector: { vendor: 'scripted' } });
    await this.page.locator('.interactive-input-part .monaco-editor').first().click();
    await this.page.keyboard.type(text);
  }

  /** Allows every call that VS Code asks about until `end` shows; what it showed of each. */
  async allowUntil(end: Locator): Promise<Confirmation[]> {
    const seen: Confirmation[] = [];
    for (;;) {
      await end.or(this.confirmation).first().waitFor();
      if (!(await this.confirmation.isVisible())) return seen;
      seen.push(await this.describe());
      await this.answer('Allow');
    }
  }

  async skip(): Promise<void> {
    await this.confirmation.waitFor();
    await this.answer('Skip');
  }

  /** Types into the form, which takes the focus away for a moment whenever it shows another question. */
  async typeIntoForm(text: string): Promise<void> {
    await this.form.locator('input:focus, textarea:focus').waitFor();
    await this.page.keyboard.insertText(text);
  }

  /** Ends what a test may have left: a turn that waits for the person would take part in the next test. */
  async settle(): Promise<void> {
    await this.command('workbench.action.chat.cancel');
    await this.form.or(this.confirmation).first().waitFor({ state: 'hidden' });
  }

  private async describe(): Promise<Confirmation> {
    const part = async (name: string) => {
      const text = await this.confirmation.locator(`.chat-confirmation-widget-${name}`).first().textContent();
      return (text ?? '').replaceAll('\u00a0', ' ').trim();
    };
    return { title: await part('title'), input: await part('message') };
  }

  private async answer(button: string): Promise<void> {
    const card = this.confirmation;
    await card.locator('.monaco-button:visible', { hasText: button }).first().click();
    await card.waitFor({ state: 'hidden' });
  }

  get confirmation(): Locator {
    return this.page.locator('.chat-confirmation-widget-container:has(.chat-confirmation-widget-buttons):visible');
  }

  /** The form of an elicitation. */
  get form(): Locator {
    return this.page.locator('.chat-question-carousel-container:visible');
  }

  /** What the model said, as the chat shows it. */
  said(text: string): Locator {
    return this.page.locator('.interactive-response:visible', { hasText: text });
  }

  /** All that the last request told the model. */
  async lastRequest(): Promise<string> {
    const { requests } = await this.state();
    return JSON.stringify(requests.at(-1)?.messages);
  }

  /** The result of the last tool call, as the model got it. */
  async lastResult(): Promise<Record<string, unknown>> {
    const { requests } = await this.state();
    const part = requests.at(-1)?.messages.at(-1)?.parts.at(-1);
    const text = (part as { value: string }[]).map(({ value }) => value).join('');
    return JSON.parse(text.slice(text.indexOf('{')));
  }

  async tools(): Promise<string[]> {
    return (await this.state()).requests.at(-1)?.tools ?? [];
  }

  /** Resolves when the window tells the server whether it shows proposals by itself. */
  async reviewPanelIs(shown: boolean): Promise<void> {
    await until(`a window says reviewPanel: ${shown}`, async () => {
      const windows = path.join(this.store, 'windows');
      const names = await readdir(windows).catch(() => []);
      const texts = await Promise.all(names.map((name) => readFile(path.join(windows, name), 'utf8').catch(() => '')));
      return texts.some((text) => text.includes(`"reviewPanel":${shown}`));
    });
  }

  private async installCopilot(): Promise<void> {
    await until('the scripted model is there', () => readFile(this.address).then(Boolean, () => false), 60_000);
    await this.command('workbench.extensions.installExtension', 'GitHub.copilot-chat', { enable: true });
    await until('Copilot is active', async () => (await this.state()).copilotIsActive, 60_000);
  }

  private async command(command: string, ...args: unknown[]): Promise<unknown> {
    return this.post({ command, args });
  }

  private async state(): Promise<State> {
    return (await this.post({})) as State;
  }

  /** Speaks with the scripted model's extension. */
  private async post(body: unknown): Promise<unknown> {
    const port = await readFile(this.address, 'utf8');
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
}
