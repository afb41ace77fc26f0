import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { act, startSession, until, workbench } from './support';

describe('the picture of dependencies', () => {
  it('opens in VS Code’s own preview, follows the queue, and is copied', async () => {
    const [shop, cook] = await startSession('Shop', 'Cook');
    const { parts } = await workbench();
    const { store } = await parts.connection.planner();
    await store.transact('agent', (tx) => {
      tx.emit({ type: 'plan_linked', plan: cook as string, waitsFor: shop as string });
    });
    await act('nineplan.session.showDependencies', []);
    const preview = () => vscode.window.tabGroups.activeTabGroup.activeTab;
    await until('the preview is in front', () => preview()?.label.includes('Dependencies') ?? false);
    assert.ok(preview()?.input instanceof vscode.TabInputWebview || preview()?.input instanceof vscode.TabInputCustom);
    const text = () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'nineplan-dependencies')?.getText() ?? '';
    await until('it shows the plans', () => text().includes(`p${shop} --> p${cook}`));
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.complete', [], { outcome: 'Bought.' });
    await until('it follows', () => text().includes(`p${shop} -.-> p${cook}`));

    await act('nineplan.session.copyDependencies', []);
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^flowchart TD\n/);
    assert.ok(text().includes(copied.trim()), 'what is copied is what is shown');
    const { session } = parts.state.planning ?? {};
    await startSession('Something else');
    await act('nineplan.session.copyDependencies', [session?.name]);
    assert.equal(await vscode.env.clipboard.readText(), copied);
  });
});
