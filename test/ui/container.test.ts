import { openWorkbench } from './openWorkbench';
import { becomes } from './patience';
import { testedVersion, type Workbench } from './workbench';

describe(`the window of VS Code ${testedVersion}`, () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench();
  });
  after(() => workbench?.close());

  it('has one 9plan container with the three views', async () => {
    await workbench.openContainer('9plan');
    await becomes(() => workbench.activity('9plan').count(), 1);
    for (const view of ['Queue', 'History', 'Sessions']) await workbench.view(view).waitFor();
  });

  it('offers to start where nothing has been planned yet', async () => {
    await workbench.openContainer('9plan');
    const queue = workbench.view('Queue');
    await queue.getByRole('button', { name: 'Start a Session' }).waitFor();
    for (const way of ['import plans', 'connect another agent'])
      await queue.locator('a.monaco-link', { hasText: way }).waitFor();
    await workbench.screenshot('nothing-planned');
  });
});
