// An extension for tests: a language model that plays a script, and a door through which a test runs commands.

const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
const vscode = require('vscode');

/** What the model does, one step a request: `{ text }`, or `{ tool, input }` with the end of a tool's name. */
let script = [];
/** What the model was asked with tools at hand, since the script began. */
let requests = [];

exports.activate = (context) => {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('scripted', model));
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1', () => writeFileSync(process.env.SCRIPTED_MODEL_ADDRESS, String(server.address().port)));
  context.subscriptions.push({ dispose: () => server.close() });
};

const model = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'scripted',
      name: 'Scripted',
      family: 'scripted',
      version: '1',
      maxInputTokens: 200_000,
      maxOutputTokens: 20_000,
      capabilities: { toolCalling: true },
    },
  ],
  async provideLanguageModelChatResponse(_model, messages, { tools = [] }, progress) {
    // VS Code asks for titles and the like without tools.
    progress.report(tools.length > 0 ? play(messages, tools) : new vscode.LanguageModelTextPart('A title'));
  },
  provideTokenCount: async (_model, text) => Math.ceil(JSON.stringify(text).length / 4),
};

function play(messages, tools) {
  const names = tools.map(({ name }) => name);
  requests.push({ messages: messages.map(plain), tools: names });
  const step = script.shift() ?? { text: 'The script is over.' };
  if (step.tool === undefined) return new vscode.LanguageModelTextPart(step.text);
  const name = names.find((one) => one === step.tool || one.endsWith(`_${step.tool}`));
  if (!name) return new vscode.LanguageModelTextPart(`There is no tool ${step.tool}.`);
  return new vscode.LanguageModelToolCallPart(`call-${requests.length}-${Date.now()}`, name, step.input ?? {});
}

function plain({ role, content }) {
  return { role, parts: content.map((part) => part.value ?? part.content ?? part) };
}

/** A new `script`, a `command` with its `args`, or nothing: then the answer is how things stand. */
async function answer(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const asked = JSON.parse(body);
  try {
    response.end(JSON.stringify((await done(asked)) ?? null));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error?.stack ?? error));
  }
}

async function done({ script: next, command, args }) {
  if (command) return vscode.commands.executeCommand(command, ...args);
  if (next) [script, requests] = [next, []];
  const copilotIsActive = vscode.extensions.getExtension('GitHub.copilot-chat')?.isActive ?? false;
  return { requests, left: script.length, copilotIsActive };
}
