import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * A task server of another make, with tasks in memory: a task's text is its `description`, blockers are set by
 * `task_dep` alone, and it may refuse the n-th task, or chat instead of answering ids. Its one resource-like tool `dump` is for the test.
 */
export function taskServer(
  refuseAt = Number.POSITIVE_INFINITY,
  chats = false,
): { server: Server; tasks: Map<string, object> } {
  const tasks = new Map<string, { title: string; description: string; deps: string[] }>();
  let created = 0;
  const server = new Server({ name: 'other-tasks', version: '1' }, { capabilities: { tools: {} } });
  const text = { type: 'string' };
  const tool = (name: string, properties: Record<string, object>) => ({
    name,
    inputSchema: { type: 'object' as const, properties, additionalProperties: false },
  });
  const answer = (said: string, isError = false) => ({ content: [{ type: 'text', text: said }], isError });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      tool('task_create', { title: text, description: text }),
      tool('task_delete', { id: text }),
      tool('task_dep', { id: text, add: { type: 'array', items: text } }),
    ],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const args = params.arguments as { id: string; title: string; description: string; add: string[] };
    if (params.name === 'task_delete') return answer(String(tasks.delete(args.id)));
    if (params.name === 'task_dep') {
      tasks.get(args.id)?.deps.push(...args.add);
      return answer('ok');
    }
    created += 1;
    if (created >= refuseAt) return answer('quota exceeded', true);
    tasks.set(`T-${created}`, { title: args.title, description: args.description, deps: [] });
    return answer(chats ? `I have made T-${created}.\n\nAnything else?` : ` T-${created}\n`);
  });
  return { server, tasks };
}

if (require.main === module) {
  void taskServer(Number(process.argv[2]), process.argv[3] === 'chats').server.connect(new StdioServerTransport());
}
