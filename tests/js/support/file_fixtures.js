import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What tests/fixtures/generate_files.py writes.
 * @typedef {{ name: string, shape: number[], dtype: string, bits: string }} ExpectedTensor
 * @typedef {object} FileFixtures
 * @property {(ExpectedTensor & { file: string })[]} npy
 * @property {{ name: string, file: string }[]} refusedNpy
 * @property {{ file: string, metadata: Record<string, string>, tensors: ExpectedTensor[] }} safetensors
 */

/** @type {FileFixtures} */
export const fixtures = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../fixtures/files.json'), 'utf8'),
);

/** @param {string} base64 */
export function bytesOf(base64) {
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

/** @param {ArrayBufferView} view */
export function hex({ buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}

/** @param {import('minitensor').Tensor} tensor */
export function contentsOf(tensor) {
  return { shape: [...tensor.shape], dtype: tensor.dtype, bits: hex(tensor.toTypedArray()) };
}

/** @param {ExpectedTensor} expected */
export function expectedContents({ shape, dtype, bits }) {
  return { shape, dtype, bits };
}

/**
 * Elements of every dtype whose bits are easily lost.
 * @type {[import('minitensor').DType, ArrayBufferView & ArrayLike<number | bigint>][]}
 */
export const delicate = [
  ['float32', new Float32Array(Uint32Array.of(0x80000000, 1, 0x7f800001, 0x7fc12345, 0xffffffff, 0x3f800000).buffer)],
  ['float64', new Float64Array(BigUint64Array.of(1n << 63n, 1n, 0x7ff0000000000001n, 0xfff8000012345678n).buffer)],
  ['int32', Int32Array.of(-(2 ** 31), -1, 0, 2 ** 31 - 1)],
  ['int64', BigInt64Array.of(-(2n ** 63n), -1n, 2n ** 53n + 1n, 2n ** 63n - 1n)],
  ['uint8', Uint8Array.of(0, 1, 128, 255)],
  ['bool', Uint8Array.of(0, 1, 1, 0)],
];

/**
 * The same bytes in everything that bytes may come in, with others around them.
 * @param {Uint8Array} bytes
 * @returns {[string, ArrayBuffer | SharedArrayBuffer | ArrayBufferView][]}
 */
export function everyForm(bytes) {
  const around = new Uint8Array(bytes.length + 13).fill(0xee);
  around.set(bytes, 5);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return [
    ['an ArrayBuffer', bytes.slice().buffer],
    ['a SharedArrayBuffer', shared],
    ['a view at an odd offset', around.subarray(5, 5 + bytes.length)],
    ['a DataView', new DataView(around.buffer, 5, bytes.length)],
    ['a Buffer of Node', Buffer.from(bytes)],
  ];
}
