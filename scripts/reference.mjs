// Writes what README.md says of the tools and settings from the code. `--check [file]` only says whether it is current.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { listedTools } from '../src/mcp/catalogue.ts';
import { TOOLSETS } from '../src/mcp/config.ts';
import { root } from './lib/run.mjs';

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });

const file = path.resolve(positionals[0] ?? path.join(root, 'README.md'));
const before = await readFile(file, 'utf8');
const after = replaced(replaced(before, 'tools', toolTables()), 'settings', await settingTable());
if (!values.check) await writeFile(file, after);
else if (after !== before) {
  console.error(`${file} is not what the code says: run \`npm run reference\``);
  process.exitCode = 1;
}

/** @param {string} text @param {string} name of the two marks @param {string} content */
function replaced(text, name, content) {
  const part = new RegExp(`(<!-- ${name}:[^>]* -->\n)[^]*?(<!-- /${name} -->)`);
  if (!part.test(text)) throw new Error(`${file} has no place for ${name}`);
  return text.replace(part, (_, open, close) => `${open}${content}${close}`);
}

function toolTables() {
  const listed = listedTools();
  const titles = { session: 'Sessions', ...Object.fromEntries(TOOLSETS.map((set) => [set, `Toolset \`${set}\``])) };
  return Object.entries(titles)
    .map(([toolset, title]) => {
      const rows = listed.filter((each) => each.toolset === toolset).map(toolRow);
      return `**${title}**\n\n| tool | takes | |\n| --- | --- | --- |\n${rows.join('\n')}\n\n`;
    })
    .join('');
}

/** @param {ReturnType<typeof listedTools>[number]} listed */
function toolRow({ tool: { name, description, inputSchema } }) {
  const required = new Set(inputSchema.required ?? []);
  const takes = Object.keys(inputSchema.properties ?? {})
    .filter((key) => key !== 'session_name' || required.has(key))
    .map((key) => `\`${key}${required.has(key) ? '' : '?'}\``);
  return `| \`${name}\` | ${takes.join(', ')} | ${cell(description ?? '')} |`;
}

async function settingTable() {
  const read = async (/** @type {string} */ name) => JSON.parse(await readFile(path.join(root, name), 'utf8'));
  const [manifest, texts] = [await read('package.json'), await read('package.nls.json')];
  const rows = Object.entries(manifest.contributes.configuration.properties).map(
    ([name, { markdownDescription }]) => `| \`${name}\` | ${cell(texts[markdownDescription.slice(1, -1)])} |`,
  );
  return `| setting | meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
