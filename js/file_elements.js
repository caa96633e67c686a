/*
 * From the elements in a file to a tensor, exactly. Types of elements have NumPy's short names, which end in their size
 * in bytes. Those that no dtype stands for become the smallest dtype that holds them all, as typed arrays do; float16
 * and bfloat16 become float32.
 *
 * Everything that runs WebAssembly has little-endian typed arrays, or behaves as if.
 */
import { MAX_RANK } from './array_source.js';
import { ShapeError } from './errors.js';

/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./instance.js').MiniTensor} MiniTensor */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./array_source.js').NumericTypedArray} NumericTypedArray */

/**
 * @typedef {object} ElementType
 * @property {new (buffer: ArrayBuffer) => NumericTypedArray} Array
 * @property {DType} [dtype] default: that of the typed array
 * @property {(bits: Uint16Array) => Float32Array} [widen]
 */

export const elementTypes = /** @type {const} @satisfies {Record<string, ElementType>} */ ({
  b1: { Array: Uint8Array, dtype: 'bool' },
  i1: { Array: Int8Array },
  i2: { Array: Int16Array },
  i4: { Array: Int32Array },
  i8: { Array: BigInt64Array },
  u1: { Array: Uint8Array },
  u2: { Array: Uint16Array },
  u4: { Array: Uint32Array },
  u8: { Array: BigUint64Array },
  f2: { Array: Uint16Array, widen: widenFloat16 },
  f4: { Array: Float32Array },
  f8: { Array: Float64Array },
  bf2: { Array: Uint16Array, widen: widenBfloat16 },
});

/** @typedef {keyof typeof elementTypes} ElementName */

/**
 * The type that a dtype is written as.
 * @satisfies {Record<DType, ElementName>}
 */
export const elementOf = /** @type {const} */ ({
  float32: 'f4',
  float64: 'f8',
  int32: 'i4',
  int64: 'i8',
  uint8: 'u1',
  bool: 'b1',
});

/** @param {ElementName} name */
export function elementSize(name) {
  return Number(name.at(-1));
}

/**
 * How many bytes a tensor has in a file; more than any file for sizes whose product is no exact number.
 * @param {readonly number[]} shape
 * @param {ElementName} name
 * @param {string} what for messages
 */
export function byteSize(shape, name, what) {
  if (shape.length > MAX_RANK) {
    throw new ShapeError(`${what}: shape has ${shape.length} sizes; a tensor has ${MAX_RANK} at most`);
  }
  return shape.reduce((product, size) => product * size, elementSize(name));
}

/**
 * @param {MiniTensor} mt
 * @param {Uint8Array} bytes as many as byteSize says
 * @param {readonly number[]} shape
 * @param {ElementName} name
 * @returns {Tensor}
 */
export function tensorOf(mt, bytes, shape, name) {
  /** @type {ElementType} */
  const { Array: TypedArray, dtype, widen } = elementTypes[name];
  // A copy, since elements in a file need not lie where typed arrays can.
  const values = new TypedArray(bytes.slice().buffer);
  const widened = widen ? widen(/** @type {Uint16Array} */ (values)) : values;
  return new mt.Tensor(widened, { shape, ...(dtype ? { dtype } : {}) });
}

/** @param {Tensor} tensor */
export function bytesOfTensor(tensor) {
  return new Uint8Array(tensor.toTypedArray().buffer);
}

/**
 * IEEE 754 binary16 as binary32: every value is one of binary32, and of NaN the payload moves to its upper bits.
 * @param {Uint16Array} bits
 */
function widenFloat16(bits) {
  const wide = new Float32Array(bits.length);
  const wideBits = new Uint32Array(wide.buffer);
  bits.forEach((half, i) => {
    const exponent = (half >>> 10) & 31;
    const fraction = half & 1023;
    // Below the smallest normal number binary16 counts in steps of 2^-24.
    wide[i] = fraction * 2 ** -24;
    const normal = ((exponent === 31 ? 255 : exponent + 112) << 23) | (fraction << 13);
    wideBits[i] = ((half >>> 15) << 31) | (exponent === 0 ? Number(wideBits[i]) : normal);
  });
  return wide;
}

/**
 * bfloat16 is the upper half of binary32.
 * @param {Uint16Array} bits
 */
function widenBfloat16(bits) {
  return new Float32Array(Uint32Array.from(bits, (half) => half << 16).buffer);
}
