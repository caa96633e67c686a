import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} Include
 * @property {string} path as it stands between the quotes
 * @property {number} line counted from 1
 */

/**
 * @param {string} text of a C or C++ source
 * @returns {Include[]} its includes in quotes; those in angle brackets are of
 *   the system
 */
export function includesOf(text) {
  return text.split('\n').flatMap((content, index) => {
    const [, included] = /^\s*#\s*include\s*"([^"]+)"/.exec(content) ?? [];
    return included ? [{ path: included, line: index + 1 }] : [];
  });
}

/**
 * @param {string} file
 * @param {readonly string[]} folders where includes are looked for, after the
 *   file's own
 * @returns {string[]} the file and all that it includes, directly or not
 */
export function includeClosure(file, folders) {
  const found = new Set([file]);
  // A set is walked in the order of insertion, and what is added on the way is visited, too.
  for (const current of found) {
    for (const include of includesOf(readFileSync(current, 'utf8'))) {
      const candidates = [path.dirname(current), ...folders].map((folder) => path.join(folder, include.path));
      const target = candidates.find((candidate) => existsSync(candidate));
      if (target) found.add(target);
    }
  }
  return [...found];
}
