import { readFileSync } from 'node:fs';
import path from 'node:path';

import { filesBelow } from '../build/files.js';

/**
 * @typedef {object} Violation
 * @property {string} file relative to the root, with forward slashes
 * @property {number} line counted from 1
 * @property {string} rule that is broken, and by what
 */

/**
 * @typedef {object} Source
 * @property {string} file relative to the root, with forward slashes
 * @property {string} text
 */

/**
 * @param {string} root
 * @param {string} folder below it
 * @param {RegExp} pattern that the names of files match
 * @returns {Source[]}
 */
export function readSources(root, folder, pattern) {
  return filesBelow(path.join(root, folder))
    .filter((name) => pattern.test(name))
    .map((name) => ({
      file: path.posix.join(folder, name.split(path.sep).join('/')),
      text: readFileSync(path.join(root, folder, name), 'utf8'),
    }));
}

/**
 * Every match of a pattern whose first group is what it is about.
 *
 * @param {string} text
 * @param {RegExp} pattern with the flag `g`
 * @returns {{ value: string, line: number }[]}
 */
export function matchesIn(text, pattern) {
  return [...text.matchAll(pattern)].map((match) => ({
    value: match[1] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }));
}
