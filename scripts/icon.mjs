// Draws media/icon.png, the mark of the activity bar on a ground of its own, so that it reads on light and dark pages.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './lib/run.mjs';
import { launchBrowser } from './lib/vscodeServer.mjs';

const size = 256;

/** A queue: one plan done, one at work, one waiting. */
const rows = [
  { y: 52, box: '<path d="M59 71 l9 10 l16 -19" stroke-width="9" stroke="#17324d"/>', fill: '#7fd6c2', bar: 104 },
  { y: 108, box: '<circle cx="71" cy="127" r="8" fill="#17324d" stroke="none"/>', fill: '#ffc857', bar: 104 },
  { y: 164, box: '', fill: 'none', bar: 64 },
];

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 256 256">
  <defs>
    <linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#21486d"/>
      <stop offset="1" stop-color="#132a41"/>
    </linearGradient>
  </defs>
  <rect x="6" y="6" width="244" height="244" rx="54" fill="url(#ground)" stroke="#3d6b96" stroke-width="4"/>
  <g fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round" stroke-linejoin="round">
    ${rows
      .map(
        ({ y, box, fill, bar }) => `
    <rect x="50" y="${y}" width="42" height="40" rx="11" fill="${fill}" stroke="${fill === 'none' ? '#fff' : fill}"/>
    ${box}
    <path d="M116 ${y + 20} h${bar - 14}" stroke-width="17"/>`,
      )
      .join('')}
  </g>
</svg>`;

const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0; } svg { display: block; }</style>${svg}`);
  const image = await page.screenshot({ omitBackground: true });
  await mkdir(path.join(root, 'media'), { recursive: true });
  await writeFile(path.join(root, 'media/icon.png'), image);
} finally {
  await browser.close();
}
