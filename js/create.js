/*
 * Tensors of values that JavaScript has, and what a tensor of the core is.
 */
import { flatten, typedArrayName } from './array_source.js';
import { noAttributes } from './attributes.js';
import { checkedCopy, requireArray, requireOptions, show } from './check.js';
import { dtypeFromNumber, dtypes, requireDtype } from './dtype.js';
import { ShapeError, ValueError } from './errors.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./array_source.js').FlatValues} FlatValues */
/** @typedef {import('./array_source.js').Value} Value */

/**
 * @param {Core} core
 * @param {number} handle
 */
export function describe(core, handle) {
  const { scratch } = core;
  if (core.enter(() => core.module._mt_tensor_describe(handle, scratch)) === 0) throw core.takeError();
  const { doubles } = core;
  const start = scratch / 8;
  const rank = /** @type {number} */ (doubles[start + 1]);
  return {
    dtype: dtypeFromNumber(/** @type {number} */ (doubles[start])),
    shape: numbersAt(doubles, start + 2, rank),
    strides: numbersAt(doubles, start + 2 + rank, rank),
  };
}

/**
 * @param {Float64Array} from
 * @param {number} start
 * @param {number} count
 */
function numbersAt(from, start, count) {
  /** @type {number[]} */
  const numbers = [];
  for (let i = 0; i < count; i++) numbers.push(/** @type {number} */ (from[start + i]));
  return Object.freeze(numbers);
}

/**
 * @param {unknown} shape
 * @param {number} count of values
 */
function requireShape(shape, count) {
  requireArray(shape, 'Tensor: shape');
  const sizes = checkedCopy(shape, (size) => {
    if (typeof size !== 'number') throw new TypeError(`Tensor: shape must hold numbers, not ${show(size)}`);
    if (!Number.isSafeInteger(size) || size < 0) {
      throw new ShapeError(`Tensor: sizes must be integers from 0 up, not ${size}`);
    }
  });
  const checked = /** @type {readonly number[]} */ (sizes);
  if (checked.reduce((product, size) => product * size, 1) !== count) {
    throw new ShapeError(`Tensor: ${count} values do not fill the shape [${checked}]`);
  }
  return checked;
}

/**
 * @param {Core} core
 * @param {unknown} source
 * @param {unknown} [options]
 * @returns {number} a handle
 */
export function createFromValues(core, source, options = {}) {
  requireOptions(options, 'Tensor', ['dtype', 'requiresGrad', 'shape']);
  const flat = flatten(source, 'Tensor');
  const shape = options.shape === undefined ? flat.shape : requireShape(options.shape, flat.values.length);
  const dtype = options.dtype === undefined ? flat.dtype : requireDtype(options.dtype, 'Tensor: dtype');
  // Those of a typed array have a dtype, from which they are cast.
  if (flat.kind !== undefined) requireFit(flat.values, dtype, 'Tensor');
  return createFromFlat(core, flat, shape, dtype);
}

/** The integers that a dtype holds. @type {Partial<Record<DType, readonly [bigint, bigint]>>} */
const limits = { uint8: [0n, 255n], int32: [-(2n ** 31n), 2n ** 31n - 1n], int64: [-(2n ** 63n), 2n ** 63n - 1n] };

/**
 * A tensor of numbers that took their dtype from others: none of them may change by that.
 * @param {Core} core
 * @param {FlatValues} flat
 * @param {DType} dtype
 * @param {string} what for messages
 * @returns {number} a handle
 */
export function createWeak(core, flat, dtype, what) {
  requireFit(flat.values, dtype, what);
  return createFromFlat(core, flat, flat.shape, dtype);
}

/**
 * A ValueError for a number that a dtype of integers does not hold. Fractions are cut off, as by a cast.
 * @param {ArrayLike<Value>} values
 * @param {DType} dtype
 * @param {string} what for messages
 */
function requireFit(values, dtype, what) {
  const limit = limits[dtype];
  if (!limit) return;
  for (const value of Array.from(values)) {
    const whole = typeof value === 'number' ? Math.trunc(value) : BigInt(value);
    if (whole >= limit[0] && whole <= limit[1]) continue;
    throw new ValueError(`${what}: ${show(value)} does not fit ${dtype}`);
  }
}

/**
 * The dtype in which values get to the core without a change: it casts them then, by its own rules.
 * @param {FlatValues} flat
 * @param {DType} dtype wanted
 * @returns {DType}
 */
function carrier({ dtype: own, kind, values }, dtype) {
  if (kind === undefined) return own;
  if (own === 'int64') return 'int64';
  if (dtype === 'int64' && kind === 'int') return Array.from(values).every(Number.isSafeInteger) ? 'float64' : 'int64';
  return dtype === 'float32' ? 'float32' : 'float64';
}

/**
 * @param {ArrayLike<Value>} values
 * @returns {bigint[]}
 */
function toBigInts(values) {
  return Array.from(values, (value) => BigInt(value));
}

/**
 * @param {Core} core
 * @param {FlatValues} flat
 * @param {readonly number[]} shape of as many elements
 * @param {DType} dtype
 * @returns {number} a handle
 */
function createFromFlat(core, flat, shape, dtype) {
  const given = carrier(flat, dtype);
  const { number, Array: TypedArray } = dtypes[given];
  const handle = core.withArguments(shape, 8, noAttributes, (sizes) =>
    core.module._mt_tensor_create(number, shape.length, sizes),
  );
  if (handle === 0) throw core.takeError();
  try {
    const size = shape.reduce((product, length) => product * length, 1);
    const address = core.module._mt_tensor_data(handle);
    const target = new TypedArray(core.module.wasmMemory.buffer, address, size);
    const values = given === 'int64' ? checkedBigInts(flat.values) : flat.values;
    // A getter of the caller's may have changed the array meanwhile, and what is not set would be any numbers.
    if (values.length !== size) throw new RangeError(`Tensor: ${values.length} values do not fill [${shape}]`);
    target.set(/** @type {ArrayLike<never>} */ (values));
  } catch (error) {
    core.module._mt_tensor_release(handle);
    throw error;
  }
  return given === dtype ? handle >>> 0 : cast(core, handle, dtype);
}

/**
 * @param {ArrayLike<Value>} values
 * @returns {ArrayLike<Value>}
 */
function checkedBigInts(values) {
  if (ArrayBuffer.isView(values) && typedArrayName(values) === 'BigInt64Array') return values;
  const integers = toBigInts(values);
  const [, largest] = /** @type {readonly [bigint, bigint]} */ (limits.int64);
  const wrong = integers.find((value) => value > largest || value < -largest - 1n);
  if (wrong !== undefined) throw new ValueError(`Tensor: ${show(wrong)} does not fit int64`);
  return integers;
}

/**
 * @param {Core} core
 * @param {number} handle is released
 * @param {DType} dtype
 */
function cast(core, handle, dtype) {
  const result = core.enter(() => core.module._mt_tensor_cast(handle, dtypes[dtype].number));
  core.module._mt_tensor_release(handle);
  if (result === 0) throw core.takeError();
  return result >>> 0;
}
