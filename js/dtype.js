import { show } from './check.js';
import { DTypeError } from './errors.js';

/** @typedef {'float32' | 'float64' | 'int32' | 'int64' | 'uint8' | 'bool'} DType */

/** The elements of floating-point dtypes. @typedef {Float32Array | Float64Array} TensorData */

/** The elements of any dtype. @typedef {TensorData | Int32Array | BigInt64Array | Uint8Array} AnyTensorData */

/**
 * The core's number and JavaScript's typed array of each dtype; of bool an array of 0 and 1. A test compares this with
 * the core's list.
 */
export const dtypes = /** @type {const} */ ({
  float32: { number: 1, Array: Float32Array },
  float64: { number: 2, Array: Float64Array },
  int32: { number: 3, Array: Int32Array },
  int64: { number: 4, Array: BigInt64Array },
  uint8: { number: 5, Array: Uint8Array },
  bool: { number: 6, Array: Uint8Array },
});

/** The order in which the array API's tables promote: of two dtypes the later one. */
const promotionOrder = /** @type {readonly DType[]} */ (['bool', 'uint8', 'int32', 'int64', 'float32', 'float64']);

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

/**
 * The dtype of a result of two.
 * @param {DType} a
 * @param {DType} b
 */
export function promote(a, b) {
  return promotionOrder.indexOf(a) >= promotionOrder.indexOf(b) ? a : b;
}

/**
 * What numbers are that are no typed array: see `weakDtype`.
 * @typedef {'bool' | 'int' | 'float'} Kind
 */

/**
 * The dtype that numbers, which have none of their own, get beside tensors of dtype `base`: that one, unless it cannot
 * hold numbers of their kind (the array API's "mixing arrays with Python scalars").
 * @param {Kind} kind
 * @param {DType} base
 * @returns {DType}
 */
export function weakDtype(kind, base) {
  if (kind === 'bool' || base === 'float32' || base === 'float64') return base;
  if (kind === 'float') return 'float32';
  return base === 'bool' ? 'int64' : base;
}

/**
 * An element of the core's as JavaScript has it: of int64 a number if it is a safe integer, else a BigInt.
 * @param {number | bigint} value
 * @param {DType} dtype
 * @returns {number | bigint | boolean}
 */
export function toValue(value, dtype) {
  if (dtype === 'bool') return value !== 0;
  if (typeof value !== 'bigint') return value;
  return BigInt.asIntN(54, value) === value && value !== -9007199254740992n ? Number(value) : value;
}
