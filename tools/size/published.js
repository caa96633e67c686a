import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * What a page may load to use the engine, in bytes, gzipped: the one place that says so. 1 KB is 1000 bytes.
 */
export const BUDGET = 160_000;

const IMPORTS = /\b(?:from|import)\s*["'](\.[^"']*)["']/g;
const IMPORTS_ON_DEMAND = /\bimport\(\s*["'](\.[^"']*)["']\s*\)/g;
const ASSETS = /new URL\(\s*["'](\.[^"']*\.wasm)["']/g;

/**
 * @typedef {object} PublishedFile
 * @property {string} file
 * @property {number} raw
 * @property {number} gzip
 */

/**
 * What a page loads that imports a module: the module, what that imports, and the WebAssembly they name.
 *
 * @param {string} entry its path
 * @returns {PublishedFile[]} relative to its folder, in the order in which a page asks for them
 */
export function publishedFiles(entry) {
  const files = [path.resolve(entry)];
  // The list grows while it is walked.
  for (const file of files) {
    if (!file.endsWith('.js')) continue;
    for (const next of referencesOf(file)) if (!files.includes(next)) files.push(next);
  }
  const folder = path.dirname(entry);
  return files.map((file) => ({ file: path.relative(folder, file), ...sizeOf(readFileSync(file)) }));
}

/**
 * What it loads beside that once it is needed.
 *
 * @param {string} entry its path
 * @returns {PublishedFile[]} relative to its folder
 */
export function publishedOnDemand(entry) {
  const folder = path.dirname(entry);
  const known = new Map(publishedFiles(entry).map((part) => [part.file, part]));
  const first = known.size;
  // The map grows while it is walked.
  for (const file of known.keys()) {
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(path.join(folder, file), 'utf8');
    for (const [, name = ''] of text.matchAll(IMPORTS_ON_DEMAND)) {
      for (const part of publishedFiles(path.join(folder, path.dirname(file), name))) {
        if (!known.has(part.file)) known.set(part.file, part);
      }
    }
  }
  return [...known.values()].slice(first);
}

/** @param {string} file */
function referencesOf(file) {
  const text = readFileSync(file, 'utf8');
  // Emscripten's own code names its file for those who do not hand it over, as js/instance.js does.
  const isGlue = path.basename(file) === 'minitensor.js';
  const patterns = isGlue ? [IMPORTS] : [IMPORTS, ASSETS];
  const names = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => String(match[1])));
  return names.map((name) => path.resolve(path.dirname(file), name));
}

/**
 * @param {Uint8Array} bytes
 * @returns {{ raw: number, gzip: number }}
 */
export function sizeOf(bytes) {
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}
