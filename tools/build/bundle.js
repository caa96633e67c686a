import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} Bundle
 * @property {string} file relative to the package's folder
 * @property {string} text
 */

/** @satisfies {import('esbuild').CommonOptions} */
const MODULE = /** @type {const} */ ({ format: 'esm', target: 'es2022', charset: 'utf8', legalComments: 'none' });

/**
 * Makes one module of each entry and of what is imported on demand, and others of what they share, so that a class is
 * the same in all. A page then loads few files. Of names, those stay that others see: of properties, methods and
 * exported classes.
 *
 * @param {string} folder of the modules
 * @param {readonly string[]} entries relative to it; files that they import from a folder below are left where they are
 * @returns {Promise<Bundle[]>}
 */
export async function bundle(folder, entries) {
  const { build } = await esbuild();
  const options = /** @satisfies {import('esbuild').BuildOptions} */ ({
    ...MODULE,
    absWorkingDir: folder,
    entryPoints: entries.map((entry) => path.join(folder, entry)),
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    // An engine that reports an error nobody caught prints the line it came from.
    lineLimit: 500,
    external: ['node:*', './core/*', './core-static/*'],
    logLevel: 'silent',
  });
  const { metafile } = await build({ ...options, metafile: true });
  const starts = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const { outputFiles } = await build({ ...options, plugins: [prepareModules(folder, starts)] });
  const files = outputFiles.map((output) => ({
    file: path.relative(folder, output.path),
    text: keepFromBundlers(output.text),
  }));
  return withoutEmpty(files);
}

/**
 * Has exported classes say their names, which errors and consoles show, whatever they are called in the bundle. And has
 * all that esbuild makes a file for refer to the engine: it makes another file of what some of them share and others do
 * not, and a page would load seven in place of one, which are 2 KB more.
 *
 * @param {string} folder of the modules
 * @param {readonly string[]} starts of files, relative to it
 * @returns {import('esbuild').Plugin}
 */
function prepareModules(folder, starts) {
  const engine = 'import{createInstance}from"./instance.js";Object.is(createInstance);';
  const named = '$&static{Object.defineProperty(this,"name",{value:"$1"})}';
  return {
    name: 'prepare-modules',
    setup: ({ onLoad }) => onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      if (!file.startsWith(folder)) return undefined;
      const text = readFileSync(file, 'utf8').replace(/^export class (\w+)[^{]*\{/gm, named);
      const refersTo = starts.includes(path.relative(folder, file)) && !text.includes('createInstance');
      return { contents: refersTo ? `${text}\n${engine}` : text };
    }),
  };
}

/**
 * Leaves out modules in which nothing is, and the imports of them: each would be a request. esbuild makes one of the
 * modules that have types alone.
 *
 * @param {readonly Bundle[]} files
 */
function withoutEmpty(files) {
  const empty = files.filter(({ text }) => text.trim() === '').map(({ file }) => `import"./${file}";`);
  return files
    .filter(({ text }) => text.trim() !== '')
    .map(({ file, text }) => ({ file, text: empty.reduce((rest, statement) => rest.replace(statement, ''), text) }));
}

/**
 * Puts back the comments by which other bundlers leave imports of Node's modules alone, which esbuild takes away.
 *
 * @param {string} text
 */
function keepFromBundlers(text) {
  return text.replaceAll('import("node:', 'import(/* webpackIgnore: true *//* @vite-ignore */"node:');
}

/**
 * Shortens what Emscripten writes, names and all: nobody reads it.
 *
 * @param {string} text of a module
 */
export async function minify(text) {
  const { transform } = await esbuild();
  const { code } = await transform(text, { ...MODULE, minify: true });
  return code;
}

/** Asked for only now: on a fresh machine it is there once the set-up has run. */
function esbuild() {
  return import('esbuild');
}
