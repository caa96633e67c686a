/*
 * From what people hand over as numbers (a number, nested arrays, a typed array) to flat values and a shape.
 */
import { show } from './check.js';
import { DTypeError, ShapeError, ValueError } from './errors.js';

/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./dtype.js').Kind} Kind */

/** @typedef {readonly number[]} Nested1 */
/** @typedef {readonly Nested1[]} Nested2 */
/** @typedef {readonly Nested2[]} Nested3 */
/** @typedef {readonly Nested3[]} Nested4 */
/** @typedef {readonly Nested4[]} Nested5 */
/** @typedef {readonly Nested5[]} Nested6 */
/** @typedef {readonly Nested6[]} Nested7 */
/** @typedef {readonly Nested7[]} Nested8 */

/**
 * A number, or nested arrays of numbers, all of one length at each depth.
 * @typedef {number | Nested1 | Nested2 | Nested3 | Nested4 | Nested5 | Nested6 | Nested7 | Nested8} NestedNumbers
 */

/** @typedef {number | bigint | boolean} Value */
/** @typedef {readonly Value[]} Values1 */
/** @typedef {readonly Values1[]} Values2 */
/** @typedef {readonly Values2[]} Values3 */
/** @typedef {readonly Values3[]} Values4 */
/** @typedef {readonly Values4[]} Values5 */
/** @typedef {readonly Values5[]} Values6 */
/** @typedef {readonly Values6[]} Values7 */
/** @typedef {readonly Values7[]} Values8 */

/**
 * The same of numbers, BigInts and booleans.
 * @typedef {Value | Values1 | Values2 | Values3 | Values4 | Values5 | Values6 | Values7 | Values8} NestedValues
 */

/**
 * @typedef {Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
 *   | Float32Array | Float64Array | BigInt64Array | BigUint64Array} NumericTypedArray
 */

/** @typedef {NestedValues | NumericTypedArray} ArraySource */

/**
 * @typedef {object} FlatValues
 * @property {ArrayLike<Value>} values in row-major order
 * @property {readonly number[]} shape
 * @property {DType} dtype the one that these values get when nobody asks for another
 * @property {Kind} [kind] of numbers that have no dtype of their own: not of a typed array
 * @property {ReadonlySet<string>} [types] of those: which there were, see kindOf
 */

export const MAX_RANK = 8;

/**
 * The smallest dtype that holds every value of a kind of typed array; of BigUint64Array, which none does, int64. Found
 * by name, so that arrays of other realms are known.
 */
const typedArrayDtypes = /** @type {Record<string, DType>} */ ({
  Int8Array: 'int32',
  Uint8Array: 'uint8',
  Uint8ClampedArray: 'uint8',
  Int16Array: 'int32',
  Uint16Array: 'int32',
  Int32Array: 'int32',
  Uint32Array: 'int64',
  BigInt64Array: 'int64',
  BigUint64Array: 'int64',
  Float16Array: 'float32',
  Float32Array: 'float32',
  Float64Array: 'float64',
});

const typedArrayTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

/**
 * "Float32Array", …: what the array really is, whatever its realm and its own properties say.
 * @param {ArrayBufferView} view
 * @returns {string | undefined} undefined for a DataView
 */
export function typedArrayName(view) {
  return typedArrayTag?.get?.call(view);
}

/**
 * @param {ArrayBufferView} view
 * @param {string} what
 * @returns {FlatValues}
 */
function flattenTypedArray(view, what) {
  const name = typedArrayName(view);
  const dtype = name === undefined ? undefined : typedArrayDtypes[name];
  if (!dtype) throw new DTypeError(`${what}: elements of ${name ?? 'a DataView'} have no dtype here`);
  const values = /** @type {Exclude<NumericTypedArray, BigInt64Array | BigUint64Array>} */ (view);
  // A detached array has length 0 like an empty one, but it is a mistake.
  if ('detached' in values.buffer && values.buffer.detached) throw new TypeError(`${what}: the array is detached`);
  return { values, shape: [values.length], dtype };
}

/**
 * The sizes along the first element of each depth.
 * @param {unknown} source
 * @param {string} what
 */
function shapeOf(source, what) {
  const shape = [];
  for (let level = source; Array.isArray(level); level = level[0]) {
    if (shape.length === MAX_RANK) throw new ShapeError(`${what}: arrays are nested more than ${MAX_RANK} deep`);
    // Only a Proxy has another, and the core would be given more values than it has room for.
    if (!Number.isSafeInteger(level.length) || level.length < 0) {
      throw new TypeError(`${what}: ${show(level.length)} is no length`);
    }
    shape.push(level.length);
  }
  return shape;
}

const LARGEST_INT64 = 2n ** 63n - 1n;

/**
 * What kind of numbers there were, and the dtype that they get by themselves.
 * @param {ReadonlySet<string>} types of the values, by typeof; `fraction` for a number that is no integer
 * @param {string} what
 * @returns {{ kind: Kind, dtype: DType }}
 */
export function kindOf(types, what) {
  if (types.has('bigint')) {
    if (types.has('fraction')) throw new TypeError(`${what}: BigInts stand beside numbers that are no integers`);
    return { kind: 'int', dtype: 'int64' };
  }
  if (types.has('fraction')) return { kind: 'float', dtype: 'float32' };
  if (types.has('number')) return { kind: 'int', dtype: 'float32' };
  return types.has('boolean') ? { kind: 'bool', dtype: 'bool' } : { kind: 'int', dtype: 'float32' };
}

/**
 * @param {unknown} item
 * @param {string} where
 * @returns {'bigint' | 'boolean' | 'number' | 'fraction' | undefined} undefined for what is no number
 */
function typeOf(item, where) {
  if (typeof item === 'number') return Number.isInteger(item) ? 'number' : 'fraction';
  if (typeof item === 'boolean') return 'boolean';
  if (typeof item !== 'bigint') return undefined;
  if (item > LARGEST_INT64 || item < -LARGEST_INT64 - 1n) {
    throw new ValueError(`${where}: ${show(item)} does not fit int64`);
  }
  return 'bigint';
}

/**
 * @param {unknown} source
 * @param {string} what for messages
 * @returns {FlatValues}
 */
export function flatten(source, what) {
  if (ArrayBuffer.isView(source)) return flattenTypedArray(source, what);
  const shape = shapeOf(source, what);
  /** @type {Value[]} */
  const values = [];
  /** @type {Set<string>} */
  const types = new Set();
  /** @type {(item: unknown, depth: number, path: string) => void} */
  const visit = (item, depth, path) => {
    const expected = shape[depth];
    const type = typeOf(item, `${what}${path}`);
    if (expected === undefined) {
      if (Array.isArray(item)) {
        const where = path || 'the value';
        throw new ShapeError(`${what}: ragged: ${where} is an array of ${item.length}, others are numbers`);
      }
      if (!type) throw new TypeError(`${what}${path} must be a number, not ${show(item)}`);
      types.add(type);
      values.push(/** @type {Value} */ (item));
      return;
    }
    if (!Array.isArray(item)) {
      if (!type) throw new TypeError(`${what}${path} must be an array, not ${show(item)}`);
      throw new ShapeError(`${what}: ragged: ${path} is a number, others are arrays of ${expected}`);
    }
    if (item.length !== expected) {
      throw new ShapeError(`${what}: ragged: ${path} has length ${item.length}, others have ${expected}`);
    }
    for (let i = 0; i < expected; i++) visit(item[i], depth + 1, `${path}[${i}]`);
  };
  visit(source, 0, '');
  return { values, shape, types, ...kindOf(types, what) };
}
