import { PluginError } from './errors.js';

/**
 * @param {string} origin
 * @param {string} what
 * @param {number} maxBytes
 */
export function tooLarge(origin, what, maxBytes) {
  return new PluginError(`plugin file ${origin} is too large: ${what}, and maxBytes is ${maxBytes}`, {
    phase: 'fetch',
    hint: 'check that it is the right file; if it is, give a larger maxBytes',
  });
}

/**
 * What went wrong, with what was behind it: fetch itself often says no more than that it failed.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  if (!(error instanceof Error)) return String(error);
  const behind = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error.message, ...behind.map(messageOf)].filter(Boolean).join(': ');
}

/** @param {string} address a data: URL may be very long */
export function shorten(address) {
  return address.length > 300 ? `${address.slice(0, 60)}…` : address;
}

/**
 * The error of a file that is not the one that was wanted, with what a server said that it was.
 * @param {PluginError} error
 * @param {string | undefined} answer
 */
export function withAnswer(error, answer) {
  return answer === undefined ? error : new PluginError(`${error.message}; the server answered ${answer}`, error);
}
