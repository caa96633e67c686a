import path from 'node:path';

import { includesOf } from '../includes.js';
import { matchesIn, readSources } from './violation.js';

/** @typedef {import('./violation.js').Violation} Violation */
/** @typedef {import('./violation.js').Source} Source */

/** The rooms of the C++ sources. Each may include itself and what stands before it. */
export const CPP_ROOMS = ['base', 'tensor', 'ops', 'autograd', 'nn', 'plugin', 'loader', 'bindings'];

const CPP = /\.(h|hpp|c|cpp|inc|in)$/;

/**
 * @param {string} root of a checkout
 * @returns {Violation[]}
 */
export function checkCppRooms(root) {
  const rooms = [...readSources(root, 'src/minitensor', CPP), ...readSources(root, 'bindings', CPP)];
  const authors = readSources(root, 'examples/plugins', CPP);
  return [
    ...rooms.flatMap(upwardIncludes),
    ...rooms.flatMap(systemCalls),
    ...authors.flatMap(includesBesidesSdk),
  ];
}

/**
 * @param {Source} source
 * @returns {Violation[]}
 */
function upwardIncludes({ file, text }) {
  const from = roomOf(file);
  return includesOf(text).flatMap((include) => {
    const rule = brokenRule(from, include.path);
    return rule ? [{ file, line: include.line, rule: `${rule}: "${include.path}"` }] : [];
  });
}

/**
 * @param {string} from room
 * @param {string} included path
 * @returns {string | null}
 */
function brokenRule(from, included) {
  if (!/^(minitensor|bindings)\//.test(included)) return 'includes are written from the root';
  const to = roomOf(included.startsWith('bindings/') ? included : `src/${included}`);
  if (from === to) return null;
  if (to === 'sdk') return from === 'loader' ? null : 'only loader includes sdk';
  if (from === 'sdk') return 'sdk knows nobody';
  for (const room of [from, to]) {
    if (!CPP_ROOMS.includes(room)) return `"${room}" is no room`;
  }
  return CPP_ROOMS.indexOf(to) > CPP_ROOMS.indexOf(from) ? `${from} must not include ${to}` : null;
}

/**
 * @param {string} file relative to the root
 * @returns {string}
 */
function roomOf(file) {
  if (file.startsWith('bindings/')) return 'bindings';
  return path.posix.dirname(file).split('/')[2] ?? '';
}

/**
 * @param {Source} source
 * @returns {Violation[]}
 */
function systemCalls({ file, text }) {
  if (roomOf(file) === 'loader') return [];
  return matchesIn(text, /\b(dlopen|dlsym|dlclose)\s*\(/g)
    .map(({ value, line }) => ({ file, line, rule: `only loader calls ${value}` }));
}

/**
 * @param {Source} source of a plugin, as a stranger would write it
 * @returns {Violation[]}
 */
function includesBesidesSdk({ file, text }) {
  return includesOf(text)
    .filter((include) => include.path.startsWith('minitensor/') && !include.path.startsWith('minitensor/sdk/'))
    .map(({ path: included, line }) => ({ file, line, rule: `plugins include sdk only: "${included}"` }));
}
