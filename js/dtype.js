import { show } from './check.js';
import { DTypeError } from './errors.js';

/** @typedef {'float32' | 'float64'} DType */

/** @typedef {Float32Array | Float64Array} TensorData */

/** The core's number and JavaScript's typed array of each dtype. A test compares this with the core's list. */
export const dtypes = /** @type {const} */ ({
  float32: { number: 1, Array: Float32Array },
  float64: { number: 2, Array: Float64Array },
});

const byNumber = new Map(
  Object.entries(dtypes).map(([name, { number }]) => [/** @type {number} */ (number), /** @type {DType} */ (name)]),
);

/**
 * @param {number} number of the core
 * @returns {DType}
 */
export function dtypeFromNumber(number) {
  return /** @type {DType} */ (byNumber.get(number));
}

/**
 * @param {unknown} value
 * @param {string} what for the message
 * @returns {DType}
 */
export function requireDtype(value, what) {
  if (typeof value !== 'string') throw new TypeError(`${what} must be the name of a dtype, not ${show(value)}`);
  if (!Object.hasOwn(dtypes, value)) {
    throw new DTypeError(`${what}: unknown dtype ${show(value)}; known are: ${Object.keys(dtypes).join(', ')}`);
  }
  return /** @type {DType} */ (value);
}
