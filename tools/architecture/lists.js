import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { readSources } from './violation.js';

/** @typedef {import('./violation.js').Violation} Violation */

const COMPILED = /\.(c|cpp|S)$/;
const SYMBOLS = 'src/minitensor/loader/exported_symbols.txt';

/**
 * Sources that nobody compiles.
 *
 * @param {string} root of a checkout
 * @returns {Violation[]}
 */
export function checkListedSources(root) {
  return ['src/minitensor', 'bindings', 'tests/cpp'].flatMap((folder) =>
    readSources(root, folder, COMPILED)
      .filter(({ file }) => !isListed(root, file))
      .map(({ file }) => ({ file, line: 1, rule: 'no CMakeLists.txt lists this file' })));
}

/**
 * @param {string} root
 * @param {string} file relative to it
 * @returns {boolean} whether the CMakeLists.txt of a folder above names it
 */
function isListed(root, file) {
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
    const list = path.join(root, folder, 'CMakeLists.txt');
    const name = path.posix.relative(folder, file);
    if (existsSync(list) && readFileSync(list, 'utf8').split(/[\s()"]+/).includes(name)) return true;
  }
  return false;
}

/**
 * Symbols of ours that are exported for JavaScript and defined nowhere.
 *
 * @param {string} root of a checkout
 * @returns {Violation[]}
 */
export function checkExportedSymbols(root) {
  const rooms = ['bindings', 'src/minitensor/base', 'src/minitensor/loader'];
  const sources = rooms.flatMap((folder) => readSources(root, folder, COMPILED));
  return readFileSync(path.join(root, SYMBOLS), 'utf8').split('\n').flatMap((content, index) => {
    const [, name] = /^(mt_\w+) api$/.exec(content) ?? [];
    if (!name || sources.some(({ text }) => defines(text, name))) return [];
    return [{ file: SYMBOLS, line: index + 1, rule: `neither bindings, base nor loader defines ${name}` }];
  });
}

/**
 * @param {string} text
 * @param {string} name of a function
 */
function defines(text, name) {
  // A type, the name, parameters, and a body: a call has no type before it, a declaration no body.
  const definition = `[ ]*[\\w:]+[\\w:<>*& ]*[*& ]${name}\\s*\\([^;{]*\\)[^;{]*\\{`;
  const label = `${name}:$`; // in assembly
  return new RegExp(`^(?:${definition}|${label})`, 'm').test(text);
}
