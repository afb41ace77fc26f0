// `npm run images`: makes the pictures of the documents from a window on the sample folder.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { root, say } from '../../scripts/lib/run.mjs';
import { makeSample } from '../../scripts/lib/sample.mjs';
import { exitOnSignals, scratchFolder } from '../../scripts/lib/scratch.mjs';
import { ReviewDriver } from './reviewDriver';

const folder = path.join(root, 'docs/images');

const proposal = `# Send photos in pieces

Photos fail most often on slow connections, because one lost packet starts 8 MB anew.

## Steps

1. Cut each photo into pieces of 256 kB and give each piece a number.
2. Send pieces that the server does not have yet, three at a time.
3. Put them together on the server when the last one has arrived, and compare the checksum.

## Risks

- Servers of version 1 know no pieces: ask for the version first, and send whole photos there.
- Pieces of photos that were given up fill the disk. Delete them after 7 days.
`;

async function makeImages(): Promise<void> {
  exitOnSignals();
  await mkdir(folder, { recursive: true });
  const sample = await scratchFolder('images');
  const workspace = path.join(sample.path, 'field-notes');
  await makeSample(workspace);
  const driver = await ReviewDriver.open({}, workspace);
  try {
    await driver.page.setViewportSize({ width: 1280, height: 760 });
    await driver.workbench.useTheme('light');
    await queue(driver);
    await review(driver);
  } finally {
    await driver.close();
    await sample.remove();
  }
}

async function queue({ workbench, page }: ReviewDriver): Promise<void> {
  await workbench.openContainer('9plan');
  await workbench.row('Queue', 'Queue changes while there is no network').click();
  const editor = await workbench.webview('main');
  await editor.getByText('Append each change to an outbox').waitFor();
  await shoot(page, 'queue');
}

async function review(driver: ReviewDriver): Promise<void> {
  await driver.workbench.runCommand('View: Close All Editors');
  const waiting = driver.submit(proposal, [
    'Ask for the server’s version',
    'Cut photos into pieces',
    'Delete old pieces',
  ]);
  const panel = await driver.panel('Send photos in pieces');
  await driver.commentOn(panel, 'three at a time', 'Two are enough: the notes must get through as well.');
  await shoot(driver.page, 'review');
  await driver.press(panel, 'Request changes');
  await waiting;
}

async function shoot(page: ReviewDriver['page'], name: string): Promise<void> {
  await page.mouse.move(0, 0);
  // What moved is to have come to rest.
  await page.waitForTimeout(600);
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  say(path.relative(root, file));
}

void makeImages();
