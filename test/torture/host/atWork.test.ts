// VS Code as one of many processes on a store: test/torture/processes.test.ts starts it, kills it and reads its diary.

import { strict as assert } from 'node:assert';
import { existsSync, openSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { act, elsewhere, rows, until, workbench } from '../../host/support';
import { seededRandom } from '../../support/crashDisk';
import { commandHands } from '../support/commandHands';
import type { HostOrders } from '../support/hostOrders';
import { MixedWork } from '../support/mixedWork';

/** Milliseconds; the machine is busy. */
const SHOWN_WITHIN = 60_000;

describe('An editor host', () => {
  it('works among others, and shows in the end what the store holds', async function () {
    this.timeout(0);
    const orders: HostOrders = JSON.parse(process.env.HOST_ORDERS ?? '');
    const { sessions, prefix, seed } = orders;
    const { parts } = await workbench();
    const settings = vscode.workspace.getConfiguration('nineplan');
    await settings.update('storePath', orders.folder, vscode.ConfigurationTarget.Workspace);
    await until('the window has gone there', () => parts.state.planning?.storeFolder === orders.folder, SHOWN_WITHIN);
    await vscode.commands.executeCommand('nineplan.queue.focus');

    const diary = openSync(orders.diary, 'a');
    const tell = (what: object) => writeSync(diary, `${JSON.stringify(what)}\n`);
    tell({ pid: process.pid });
    const hands = commandHands(parts);
    const told = { begin: tell, acknowledge: tell };
    const work = new MixedWork(hands, sessions.slice(0, 1), prefix, told, seededRandom(seed));
    await act('nineplan.session.switch', sessions.slice(0, 1));
    while (!existsSync(orders.rest)) await work.step();
    await until('all others have ended', () => existsSync(orders.show), 600_000);

    for (const [n, session] of sessions.entries()) {
      // The first is in view: nothing but what the window follows by itself has brought its tree up to date.
      if (n > 0) await act('nineplan.session.switch', [session]);
      const held = await inStore(session);
      const agrees = async () => isDeepStrictEqual(await inTree(), held);
      await until('the tree shows what the store holds', agrees, SHOWN_WITHIN).catch(async () => {
        assert.deepEqual(await inTree(), held);
      });
    }
  });
});

/** Plans in the tree of the window, all of them, as it draws them. */
async function inTree(): Promise<string[]> {
  const { queue } = (await workbench()).parts.views;
  const shown = await rows(queue);
  if (!shown.some(({ item }) => item.contextValue === 'more')) {
    return shown.map(({ node, item }) => `${node.planId} ${item.label}`);
  }
  await vscode.commands.executeCommand('nineplan.queue.showMore');
  return inTree();
}

function inStore(session: string): Promise<string[]> {
  return elsewhere(({ store }) =>
    store.read((view) => {
      const active = view.activePlan(session);
      return [...(active ? [active] : []), ...view.queue(session)].map(({ id, goal }) => `${id} ${goal}`);
    }),
  );
}
