// The floor for a cold start: a Node process that loads nothing and answers the first line.
process.stdin.setEncoding('utf8');
let buffer = '';
process.stdin.on('data', (chunk) => {
  buffer += chunk;
  for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n')) {
    const { id, method } = JSON.parse(buffer.slice(0, end));
    buffer = buffer.slice(end + 1);
    if (id === undefined) continue;
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1.0.0' } }
        : { tools: [] };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});
process.stdin.on('end', () => process.exit(0));
