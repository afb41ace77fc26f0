import assert from 'node:assert/strict';
import { newest, oldest } from '../../scripts/lib/tools.mjs';
import { openWorkbench, type Workbench } from './workbench';

for (const version of [newest, oldest]) {
  describe(`the window of VS Code ${version}`, () => {
    let workbench: Workbench;
    before(async () => {
      workbench = await openWorkbench({ version });
    });
    after(() => workbench?.close());

    it('has one 9plan container with the three views', async () => {
      await workbench.openContainer('9plan');
      assert.equal(await workbench.activity('9plan').count(), 1);
      for (const view of ['Queue', 'History', 'Sessions']) await workbench.view(view).waitFor();
    });

    it('offers to start where nothing has been planned yet', async () => {
      await workbench.view('Queue').getByText('Start a Session').waitFor();
    });
  });
}
