/*
 * From what people hand over as numbers (a number, nested arrays, a typed array) to flat values and a shape.
 */
import { show } from './check.js';
import { DTypeError, ShapeError } from './errors.js';

/** @typedef {import('./dtype.js').DType} DType */

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

/**
 * @typedef {Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
 *   | Float32Array | Float64Array} NumericTypedArray
 */

/** @typedef {NestedNumbers | NumericTypedArray} ArraySource */

/**
 * @typedef {object} FlatValues
 * @property {ArrayLike<number>} values in row-major order
 * @property {readonly number[]} shape
 * @property {DType} dtype the one that holds these values when nobody asks for another
 */

const MAX_RANK = 8;

/**
 * The dtype that holds every value of a kind of typed array. Found by name, so that arrays of other realms are known.
 */
const typedArrayDtypes = /** @type {Record<string, DType>} */ ({
  Int8Array: 'float32',
  Uint8Array: 'float32',
  Uint8ClampedArray: 'float32',
  Int16Array: 'float32',
  Uint16Array: 'float32',
  Int32Array: 'float64',
  Uint32Array: 'float64',
  Float32Array: 'float32',
  Float64Array: 'float64',
});

const typedArrayTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

/**
 * "Float32Array", …: what the array really is, whatever its realm and its own properties say.
 * @param {ArrayBufferView} view
 * @returns {string | undefined} undefined for a DataView
 */
function typedArrayName(view) {
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
  const values = /** @type {NumericTypedArray} */ (view);
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

/**
 * @param {unknown} source
 * @param {string} what for messages
 * @returns {FlatValues}
 */
export function flatten(source, what) {
  if (ArrayBuffer.isView(source)) return flattenTypedArray(source, what);
  const shape = shapeOf(source, what);
  /** @type {number[]} */
  const values = [];
  /** @type {(item: unknown, depth: number, path: string) => void} */
  const visit = (item, depth, path) => {
    const expected = shape[depth];
    if (expected === undefined) {
      if (Array.isArray(item)) {
        const where = path || 'the value';
        throw new ShapeError(`${what}: ragged: ${where} is an array of ${item.length}, others are numbers`);
      }
      if (typeof item !== 'number') throw new TypeError(`${what}${path} must be a number, not ${show(item)}`);
      values.push(item);
      return;
    }
    if (!Array.isArray(item)) {
      if (typeof item !== 'number') throw new TypeError(`${what}${path} must be an array, not ${show(item)}`);
      throw new ShapeError(`${what}: ragged: ${path} is a number, others are arrays of ${expected}`);
    }
    if (item.length !== expected) {
      throw new ShapeError(`${what}: ragged: ${path} has length ${item.length}, others have ${expected}`);
    }
    for (let i = 0; i < expected; i++) visit(item[i], depth + 1, `${path}[${i}]`);
  };
  visit(source, 0, '');
  return { values, shape, dtype: 'float32' };
}
