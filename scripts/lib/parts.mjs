// A bundle in several files: what `import()` names is read only when it is asked for.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';

const NAMESPACE = 'part';

/**
 * Splits a bundle at its `import()`s. esbuild does that for ES modules only, so its files are made into CommonJS afterwards.
 * A module that two of them need is in one file alone, so that there is one of each class and variable.
 *
 * The bundle's entry must be the file `entry`. It fills one file beside the one that bears its name, however many parts
 * share code with it: each part says that it needs all of the entry, which is loaded by then anyway.
 *
 * @param {string} entry path
 * @returns {import('esbuild').Plugin}
 */
export function parts(entry) {
  return {
    name: 'parts',
    setup(build) {
      const { initialOptions } = build;
      const { minifySyntax, minifyWhitespace, minifyIdentifiers, target } = initialOptions;
      Object.assign(initialOptions, { format: 'esm', splitting: true, chunkNames: '[name]-[hash]' });
      Object.assign(initialOptions, { sourcemap: 'inline', write: false, entryPoints: [entry] });

      build.onResolve({ filter: /.*/ }, async ({ path: name, kind, namespace, ...from }) => {
        if (kind !== 'dynamic-import' || namespace === NAMESPACE) return undefined;
        const resolved = await build.resolve(name, { ...from, kind: 'import-statement' });
        return { ...resolved, namespace: NAMESPACE, pluginData: { isPackage: !name.startsWith('.') } };
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: file, pluginData }) => ({
        resolveDir: path.dirname(file),
        contents: [
          `import ${JSON.stringify(path.resolve(entry))};`,
          `export * from ${JSON.stringify(file)};`,
          pluginData.isPackage ? `export { default } from ${JSON.stringify(file)};` : '',
        ].join('\n'),
      }));

      build.onEnd(async ({ outputFiles = [] }) => {
        await Promise.all(outputFiles.map(({ path: file, text }) => writeCommonJs(file, text)));
      });

      /** @param {string} file @param {string} text with its source map */
      async function writeCommonJs(file, text) {
        const { code, map } = await esbuild.transform(text, {
          ...{ minifySyntax, minifyWhitespace, minifyIdentifiers, target },
          format: 'cjs',
          supported: { 'dynamic-import': false },
          banner: '"use strict";',
          sourcefile: path.basename(file),
          sourcemap: 'external',
          sourcesContent: false,
        });
        await writeFile(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
        await writeFile(`${file}.map`, map);
      }
    },
  };
}
