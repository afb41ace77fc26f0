// The programs that the tests drive: a real VS Code, a browser, an MCP client. All come from the npm registry, pinned,
// and are kept in .vscode-test/. Needs nothing but Node and tar.

import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { Cache } from './cache.mjs';
import { npm, root, run } from './run.mjs';

/**
 * The newest version that is tested, and the oldest that the extension supports. VS Code's server crashes on an older
 * Node than the one it was built for, so each brings its own.
 */
const pins = [
  { version: '1.139', server: '4.139.1', node: '24.21.0' },
  { version: '1.110', server: '4.110.0', node: '22.21.1' },
];

export const vscodeVersions = pins.map(({ version }) => version);
export const newest = vscodeVersions[0] ?? '';
export const oldest = vscodeVersions.at(-1) ?? '';

const chromiumVersion = '153.0.0';
const inspectorVersion = '2.12.0';
const conformanceVersion = '0.2.0-alpha.12';
/** The last line that runs on Node 20. */
const vsceVersion = '3.9.2';

const cache = new Cache(path.join(root, '.vscode-test'));
const platform = process.platform === 'win32' ? 'win' : process.platform;

/**
 * @param {string} version one of {@link vscodeVersions}
 * @returns {Promise<{ node: string, server: string }>} absolute paths of a Node and of VS Code's server-main.js
 */
export async function ensureVSCodeServer(version) {
  const pin = pins.find((one) => one.version === version);
  if (!pin) throw new Error(`VS Code ${version} is not pinned, only ${vscodeVersions.join(' and ')} are`);
  const [node, folder] = await Promise.all([
    ensureNode(pin.node),
    cache.ensure(`code-server-${pin.server}`, `VS Code ${version} (a few hundred MB, once)`, async (target) => {
      await unpackPackage(`code-server@${pin.server}`, target);
      // Without install scripts nothing is compiled; what would be is optional (logging, native keyrings).
      await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: path.join(target, 'lib/vscode'),
        quiet: true,
      });
      await addSearch(path.join(target, 'lib/vscode/node_modules/@vscode'));
    }),
  ]);
  return { node, server: path.join(folder, 'lib/vscode/out/server-main.js') };
}

/**
 * @param {string} [version]
 * @returns {Promise<string>} the absolute path of a Node executable of exactly that version
 */
export async function ensureNode(version = pins[0]?.node ?? '') {
  const folder = await cache.ensure(`node-${version}`, `Node ${version}`, (target) =>
    unpackPackage(`node-${platform}-${process.arch}@${version}`, target),
  );
  return path.join(folder, 'bin', platform === 'win' ? 'node.exe' : 'node');
}

/**
 * Finds a Chromium: the one that CHROMIUM names, else the pinned one from npm, else, where npm has none, the system's.
 *
 * @returns {Promise<{ executable: string, env: Record<string, string> }>} `env` must be set when it is started
 */
export async function ensureChromium() {
  const named = process.env.CHROMIUM;
  if (named) return { executable: named, env: {} };
  if (platform === 'linux' && process.arch === 'x64') {
    const folder = await cache.ensure(`chromium-${chromiumVersion}`, `Chromium ${chromiumVersion}`, unpackChromium);
    return { executable: path.join(folder, 'chromium'), env: await whatTheSystemLacks(folder) };
  }
  const present = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) => existsSync(file));
  if (!present)
    throw new Error('npm has no Chromium for this platform: set CHROMIUM to the path of a Chromium or Chrome');
  return { executable: present, env: {} };
}

/** @returns {Promise<{ node: string, cli: string, mcpdo: string }>} the MCP Inspector's programs and a Node that runs them */
export async function ensureInspector() {
  const [node, folder] = await Promise.all([
    ensureNode(),
    cache.ensure(`inspector-${inspectorVersion}`, `MCP Inspector ${inspectorVersion}`, (target) =>
      installPackage(`@modelcontextprotocol/inspector@${inspectorVersion}`, target),
    ),
  ]);
  const clients = path.join(folder, 'node_modules/@modelcontextprotocol/inspector/clients');
  return {
    node,
    cli: path.join(clients, 'launcher/build/index.js'),
    mcpdo: path.join(clients, 'mcpdo/build/mcp-bin.js'),
  };
}

/** @returns {Promise<{ node: string, script: string }>} the protocol's own conformance suite and a Node that runs it */
export async function ensureConformance() {
  const [node, folder] = await Promise.all([
    ensureNode(),
    cache.ensure(`conformance-${conformanceVersion}`, `MCP conformance suite ${conformanceVersion}`, (target) =>
      installPackage(`@modelcontextprotocol/conformance@${conformanceVersion}`, target),
    ),
  ]);
  return { node, script: path.join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js') };
}

/** @returns {Promise<string>} the script of vsce, which makes packages for VS Code */
export async function ensureVsce() {
  const folder = await cache.ensure(`vsce-${vsceVersion}`, `vsce ${vsceVersion}`, async (target) => {
    await writeFile(path.join(target, 'package.json'), '{"private": true}');
    // The optional part is a native keyring for publishing, which has to be compiled or downloaded.
    const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '-E'];
    await npm(['install', ...flags, `@vscode/vsce@${vsceVersion}`], { cwd: target, quiet: true });
  });
  return path.join(folder, 'node_modules/@vscode/vsce/vsce');
}

/** With all that it needs. @param {string} spec a package with its version @param {string} target */
async function installPackage(spec, target) {
  await writeFile(path.join(target, 'package.json'), '{"private": true}');
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '-E', spec], { cwd: target, quiet: true });
}

/** @param {string} spec a package with its version @param {string} target */
async function unpackPackage(spec, target) {
  await npm(['pack', spec, '--silent', '--pack-destination', target], { quiet: true });
  const archive = (await readdir(target)).find((name) => name.endsWith('.tgz'));
  if (!archive) throw new Error(`npm pack ${spec} made no archive`);
  await run('tar', ['-xzf', archive, '--strip-components=1'], { cwd: target });
  await rm(path.join(target, archive));
}

/**
 * Older versions download their search program in an install script; without it some of VS Code's own extensions fail.
 *
 * @param {string} packages where VS Code's own packages are
 */
async function addSearch(packages) {
  const bin = path.join(packages, 'ripgrep/bin');
  if (!existsSync(path.dirname(bin)) || existsSync(bin)) return;
  const all = path.join(packages, 'ripgrep-universal');
  await mkdir(all);
  await unpackPackage('@vscode/ripgrep-universal@1.18.0', all);
  await rename(path.join(all, 'bin', `${process.platform}-${process.arch}`), bin);
  await rm(all, { recursive: true });
}

/** @param {string} target */
async function unpackChromium(target) {
  await unpackPackage(`@sparticuz/chromium@${chromiumVersion}`, target);
  const parts = { 'chromium.br': '', 'swiftshader.tar.br': '.', 'fonts.tar.br': 'fonts', 'al2023.tar.br': 'libraries' };
  for (const [name, folder] of Object.entries(parts)) {
    const packed = path.join(target, 'bin', name);
    const unpacked = path.join(target, path.basename(name, '.br'));
    await writeFile(unpacked, await promisify(brotliDecompress)(await readFile(packed)));
    if (folder) {
      await mkdir(path.join(target, folder), { recursive: true });
      await run('tar', ['-xf', unpacked, '-C', folder], { cwd: target });
      await rm(unpacked);
    }
  }
  await chmod(path.join(target, 'chromium'), 0o755);
  await rm(path.join(target, 'bin'), { recursive: true });
}

/**
 * Chromium links a few libraries that a bare system lacks, and needs a font. The package has both, but the system's own
 * are better where they are there.
 *
 * @param {string} folder
 * @returns {Promise<Record<string, string>>}
 */
async function whatTheSystemLacks(folder) {
  /** @type {Record<string, string>} */
  const env = {};
  const libraries = ['/lib', '/usr/lib', `/usr/lib/x86_64-linux-gnu`, '/usr/lib64'];
  const has = (/** @type {string} */ name) => libraries.some((place) => existsSync(path.join(place, name)));
  if (!has('libnss3.so') || !has('libnspr4.so') || !has('libexpat.so.1')) {
    env.LD_LIBRARY_PATH = [path.join(folder, 'libraries/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  }
  if (!existsSync('/etc/fonts/fonts.conf')) {
    const config = path.join(folder, 'fonts.conf');
    const fonts = path.join(folder, 'fonts');
    await writeFile(
      config,
      `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${fonts}/cache</cachedir></fontconfig>`,
    );
    env.FONTCONFIG_FILE = config;
  }
  return env;
}
