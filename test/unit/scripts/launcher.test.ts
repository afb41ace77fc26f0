import assert from 'node:assert/strict';
import path from 'node:path';
import { parseFlags } from '../../../scripts/lib/launcher.mjs';
import { type Server, windowUrl } from '../../../scripts/lib/vscodeServer.mjs';

describe('the launcher that stands in for VS Code', () => {
  it('reads the flags that test-electron gives, in both forms', () => {
    const flags = parseFlags([
      ...['/ws', '--user-data-dir=/u', '--extensions-dir', '/x', '--no-sandbox', '--disable-workspace-trust'],
      ...['--extensionTestsPath=/t/index.js', '--extensionDevelopmentPath=/a', '--extensionDevelopmentPath=/b=c'],
    ]);
    assert.deepEqual(flags, {
      developed: [path.resolve('/a'), path.resolve('/b=c')],
      tests: path.resolve('/t/index.js'),
      userDataDir: path.resolve('/u'),
      extensionsDir: path.resolve('/x'),
      trusted: true,
      workspace: path.resolve('/ws'),
    });
  });

  it('takes a folder after a flag without a value for the folder it is', () => {
    assert.equal(parseFlags(['--no-sandbox', 'ws']).workspace, path.resolve('ws'));
    assert.equal(parseFlags(['ws']).trusted, false);
  });

  it('opens folders, workspace files and empty windows, with any name', () => {
    const server = { authority: '127.0.0.1:1234' } as Server;
    const query = (window: Parameters<typeof windowUrl>[1]) => new URL(windowUrl(server, window)).searchParams;
    assert.equal(query({ workspace: '/a b&c#d' }).get('folder'), '/a b&c#d');
    assert.equal(query({ workspace: '/a.code-workspace' }).get('workspace'), '/a.code-workspace');
    assert.equal(query({}).get('ew'), 'true');
    assert.deepEqual(JSON.parse(query({ developed: ['/e'], tests: '/t.js' }).get('payload') ?? ''), [
      ['extensionDevelopmentPath', 'vscode-remote://127.0.0.1:1234/e'],
      ['extensionTestsPath', 'vscode-remote://127.0.0.1:1234/t.js'],
    ]);
  });
});
