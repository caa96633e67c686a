/*
 * Checks of arguments. What is wrong is shown as it is, but never more than a line of it, and without running its code.
 */

import { ValueError } from './errors.js';

/**
 * @param {unknown} value
 * @returns {string} for a message
 */
export function show(value) {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${value}n`.slice(0, 60);
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
  }
}

/**
 * @param {unknown} value
 * @param {string} what for the message: `customOps.register: name`
 * @returns {asserts value is string}
 */
export function requireString(value, what) {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string, not ${show(value)}`);
  if (!isWellFormed(value)) throw new TypeError(`${what} contains a lone surrogate, which is no text: ${show(value)}`);
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {asserts value is Function}
 */
export function requireFunction(value, what) {
  if (typeof value !== 'function') throw new TypeError(`${what} must be a function, not ${show(value)}`);
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {asserts value is Record<string, unknown>}
 */
export function requireObject(value, what) {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${what} must be an object, not ${show(value)}`);
}

/**
 * Of any realm; without a class, as a literal or what has no prototype.
 * @param {unknown} value
 * @returns {value is object}
 */
export function isPlainObject(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * A ValueError for an option of another name, so that a misspelled one is not overlooked.
 * @param {unknown} options
 * @param {string} caller
 * @param {readonly string[]} names
 * @returns {asserts options is Record<string, unknown>}
 */
export function requireOptions(options, caller, names) {
  requireObject(options, `${caller}: options`);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new ValueError(`${caller}: unknown option ${show(name)}; known are: ${names.join(', ')}`);
  }
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {asserts value is readonly unknown[]}
 */
export function requireArray(value, what) {
  if (!Array.isArray(value)) throw new TypeError(`${what} must be an array, not ${show(value)}`);
}

/**
 * A copy of an array, each item of which has been checked: of the caller's own array, each look may show something
 * else.
 * @param {readonly unknown[]} items
 * @param {(item: unknown, index: number) => void} check throws what it does not accept
 * @returns {unknown[]}
 */
export function checkedCopy(items, check) {
  /** @type {unknown[]} */
  const copy = [];
  for (const item of items) {
    check(item, copy.length);
    copy.push(item);
  }
  return copy;
}

/**
 * Whether UTF-16 text has no lone surrogates, which UTF-8 cannot express.
 * @param {string} text
 */
function isWellFormed(text) {
  // The engine's own is not in every one that we support.
  const { isWellFormed: known } = /** @type {{ isWellFormed?: () => boolean }} */ (/** @type {unknown} */ (text));
  return known?.call(text) ?? !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
