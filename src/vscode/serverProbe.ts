import { spawn } from 'node:child_process';
import type * as vscode from 'vscode';

export type ProbeResult = { kind: 'answered'; milliseconds: number } | { kind: 'failed'; reason: string };

/** Milliseconds: far beyond any start, so that only a server that hangs is cut off. */
const PATIENCE = 10_000;

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: '9plan-diagnosis', version: '1' },
  },
};

/** Starts the server exactly as an agent's client would, says hello and ends it. */
export function probeServer(server: vscode.McpStdioServerDefinition): Promise<ProbeResult> {
  const started = performance.now();
  const environment = Object.entries({ ...process.env, ...server.env });
  const child = spawn(server.command, server.args, {
    cwd: server.cwd?.fsPath,
    env: Object.fromEntries(environment.flatMap(([key, value]) => (value == null ? [] : [[key, String(value)]]))),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaints = '';
  let answer = '';
  return new Promise<ProbeResult>((resolve) => {
    const finish = (result: ProbeResult) => {
      clearTimeout(limit);
      resolve(result);
      child.stdin.end();
      child.kill();
    };
    const limit = setTimeout(() => finish({ kind: 'failed', reason: `no answer in ${PATIENCE / 1000} s` }), PATIENCE);
    child.on('error', (error) => finish({ kind: 'failed', reason: error.message }));
    child.on('exit', (code) =>
      finish({ kind: 'failed', reason: complaints.trim().split('\n').at(-1) || `it ended with code ${code}` }),
    );
    child.stderr.on('data', (chunk) => {
      complaints = `${complaints}${chunk}`.slice(-4000);
    });
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk) => {
      answer += chunk;
      const line = answer.split('\n', 1)[0] ?? '';
      if (!answer.includes('\n')) return;
      finish(
        line.includes('"serverInfo"')
          ? { kind: 'answered', milliseconds: Math.round(performance.now() - started) }
          : { kind: 'failed', reason: `unexpected answer: ${line.slice(0, 200)}` },
      );
    });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  });
}
