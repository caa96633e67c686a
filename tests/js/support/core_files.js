import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A file of a compiled core, a character for each byte.
 * @param {string} folder `core` or `core-static`
 * @param {string} name
 */
export function readCoreFile(folder, name) {
  return readFileSync(fileURLToPath(new URL(`../../../dist/${folder}/${name}`, import.meta.url)), 'latin1');
}

/**
 * What the exports of a core are called in WebAssembly, by the names of their symbols. The linker shortens them, and
 * its JavaScript knows them.
 * @param {string} folder `core` or `core-static`
 */
export function coreExportNames(folder) {
  const found = readCoreFile(folder, 'minitensor.js').matchAll(/\._(\w+)=[\w$]+\.([\w$]+)/g);
  return new Map([...found].map(([, symbol, name]) => [String(symbol), String(name)]));
}
