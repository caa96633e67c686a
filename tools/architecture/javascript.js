import path from 'node:path';

import { matchesIn, readSources } from './violation.js';

/** @typedef {import('./violation.js').Violation} Violation */
/** @typedef {import('./violation.js').Source} Source */

// Imports and exports of any kind, those in JSDoc too. Calls come over several lines, with comments for bundlers.
const IMPORTS = /(?:\bfrom\s*|\bimport\s*(?:\(\s*(?:\/\*.*?\*\/\s*)*)?)['"]([\w@./:-]+)['"]/gs;
const BUILTINS = /['"](node:[\w/]+)['"]/g;

/** The files of js/ that know Node. */
const KNOW_NODE = ['js/load.js', 'js/thread.js'];
/** What web/ may use, which is what users of the package have. */
const PUBLIC = ['dist/index.js', 'dist/static.js'];
/** What cli/ may use, by the names that users of the package have it under. */
const PACKAGE = /^minitensor(\/(static|signature|package\.json))?$/;

/**
 * @param {string} root of a checkout
 * @returns {Violation[]}
 */
export function checkJavaScriptRooms(root) {
  return [
    ...readSources(root, 'js', /\.js$/).flatMap(checkLibrary),
    ...readSources(root, 'cli', /\.js$/).flatMap(checkCommandLine),
    ...readSources(root, 'web', /\.js$/).flatMap(checkPage),
  ];
}

/**
 * @param {Source} source of js/
 * @returns {Violation[]}
 */
function checkLibrary({ file, text }) {
  const outside = importsOf(file, text)
    .filter(({ value, target }) => !value.startsWith('node:') && !target?.startsWith('js/'))
    .map(({ value, line }) => ({ file, line, rule: `js imports from js only: "${value}"` }));
  const builtins = KNOW_NODE.includes(file) ? [] : matchesIn(text, BUILTINS)
    .map(({ value, line }) => ({ file, line, rule: `only ${KNOW_NODE.join(' and ')} know Node: "${value}"` }));
  return [...outside, ...builtins];
}

/**
 * @param {Source} source of cli/
 * @returns {Violation[]}
 */
function checkCommandLine({ file, text }) {
  return importsOf(file, text)
    .filter(({ value, target }) => !value.startsWith('node:') && !target?.startsWith('cli/') && !PACKAGE.test(value))
    .map(({ value, line }) => ({ file, line, rule: `cli imports from cli and the package only: "${value}"` }));
}

/**
 * @param {Source} source of web/
 * @returns {Violation[]}
 */
function checkPage({ file, text }) {
  return importsOf(file, text)
    .filter(({ target }) => !target?.startsWith('web/') && !PUBLIC.includes(target ?? ''))
    .map(({ value, line }) => ({ file, line, rule: `web imports from web and the package only: "${value}"` }));
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {{ value: string, line: number, target: string | null }[]} `target`
 *   is relative to the root; a package has none
 */
function importsOf(file, text) {
  return matchesIn(text, IMPORTS).map(({ value, line }) => ({
    value,
    line,
    target: value.startsWith('.') ? path.posix.join(path.posix.dirname(file), value) : null,
  }));
}
