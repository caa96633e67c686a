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
 * The error of a file that is not the one that was wanted, with what a server said that it was.
 * @param {PluginError} error
 * @param {string | undefined} answer
 */
export function withAnswer(error, answer) {
  return answer === undefined ? error : new PluginError(`${error.message}; the server answered ${answer}`, error);
}
