import { strict as assert } from 'node:assert';
import { extensions, workspace } from 'vscode';

describe('the extension in VS Code', () => {
  it('activates', async () => {
    const extension = extensions.getExtension('nineplan.9plan');
    assert.ok(extension, 'VS Code does not know the extension');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('is run on a folder of its own', () => {
    assert.equal(workspace.workspaceFolders?.length, 1);
  });
});
