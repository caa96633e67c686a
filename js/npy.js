/*
 * NumPy's format for one array, versions 1.0, 2.0 and 3.0 (NEP 1; the documentation of numpy.lib.format):
 *
 *   93 "NUMPY"           magic
 *   1 or 2 or 3, 0       the version
 *   2 bytes, since 2: 4  the length of the header, little-endian
 *   the header           a Python dictionary of `descr`, `fortran_order` and `shape`, in ASCII (3: UTF-8), and spaces
 *   the elements         to the end of the file
 */
import { show } from './check.js';
import { DTypeError, ValueError } from './errors.js';
import { bytesOf, readBytes } from './file_bytes.js';
import {
  byteSize,
  bytesOfTensor,
  elementOf,
  elementSize,
  elementTypes,
  tensorOf,
} from './file_elements.js';
import { HeaderReader } from './file_header.js';
import { requireAnyTensor, requireInstance } from './instance_arguments.js';

/** @typedef {import('./file_bytes.js').Bytes} Bytes */
/** @typedef {import('./file_bytes.js').FileSource} FileSource */
/** @typedef {import('./file_elements.js').ElementName} ElementName */
/** @typedef {import('./instance.js').MiniTensor} MiniTensor */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/**
 * @typedef {object} NpyHeader
 * @property {ElementName} element
 * @property {boolean} isBigEndian
 * @property {boolean} isFortran whether the first axis runs fastest
 * @property {readonly number[]} shape
 */

const MAGIC = [0x93, ...new TextEncoder().encode('NUMPY')];

/**
 * The array of a .npy file. Byte order and Fortran order do not matter. Elements keep their values exactly: int8, int16
 * and uint16 become int32, uint32 and uint64 int64 (a ValueError for a value beyond it), float16 float32. Others are a
 * DTypeError.
 * @param {MiniTensor} mt
 * @param {Bytes} bytes
 * @returns {Tensor}
 */
export function decodeNpy(mt, bytes) {
  return decode(mt, bytes, 'decodeNpy');
}

/**
 * The same of what has to be waited for.
 * @param {MiniTensor} mt
 * @param {FileSource} source
 * @returns {Promise<Tensor>}
 */
export async function readNpy(mt, source) {
  requireInstance(mt, 'readNpy');
  return decode(mt, await readBytes(source, 'readNpy'), 'readNpy');
}

/**
 * A .npy file of version 1.0, in row-major order.
 * @param {Tensor} tensor
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeNpy(tensor) {
  requireAnyTensor(tensor, 'encodeNpy: tensor');
  const { dtype, shape } = tensor;
  const element = elementOf[dtype];
  const descr = (elementSize(element) === 1 ? '|' : '<') + element;
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const prefix = MAGIC.length + 4;
  // NumPy has the elements begin at a multiple of 64.
  const start = Math.ceil((prefix + text.length + 1) / 64) * 64;
  const header = new TextEncoder().encode(`${text.padEnd(start - prefix - 1)}\n`);
  const elements = bytesOfTensor(tensor);
  const file = new Uint8Array(start + elements.length);
  file.set([...MAGIC, 1, 0, header.length & 255, header.length >> 8]);
  file.set(header, prefix);
  file.set(elements, start);
  return file;
}

/**
 * @param {unknown} mt
 * @param {unknown} source
 * @param {string} what
 */
function decode(mt, source, what) {
  requireInstance(mt, what);
  const bytes = bytesOf(source, `${what}: bytes`);
  const { text, start } = splitHeader(bytes, what);
  const { element, isBigEndian, isFortran, shape } = parseHeader(text, what);
  const elements = bytes.subarray(start);
  const expected = byteSize(shape, element, what);
  if (elements.length !== expected) {
    const found = `after the header are ${elements.length}`;
    throw new ValueError(`${what}: ${element} elements of shape [${shape}] take ${expected} bytes; ${found}`);
  }
  const ordered = isBigEndian ? swapBytes(elements, elementSize(element)) : elements;
  if (!isFortran || shape.length < 2) return tensorOf(mt, ordered, shape, element);
  const reversed = tensorOf(mt, ordered, shape.toReversed(), element);
  try {
    return reversed.transpose();
  } finally {
    reversed.dispose();
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {string} what
 * @returns {{ text: string, start: number }} the header, and where the elements begin
 */
function splitHeader(bytes, what) {
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) {
    throw new ValueError(`${what}: this is no .npy file: it does not begin with \\x93NUMPY`);
  }
  const [major = 0, minor = 0] = bytes.subarray(MAGIC.length, MAGIC.length + 2);
  if (major < 1 || major > 3 || minor !== 0) {
    throw new ValueError(`${what}: version ${major}.${minor} is not known; known are 1.0, 2.0 and 3.0`);
  }
  const prefix = MAGIC.length + (major === 1 ? 4 : 6);
  const length = bytes.subarray(MAGIC.length + 2, prefix).reduceRight((sum, byte) => sum * 256 + byte, 0);
  const start = prefix + length;
  if (bytes.length < start) {
    throw new ValueError(`${what}: the header ends at byte ${start}, and the file has only ${bytes.length}`);
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(prefix, start)), start };
  } catch {
    throw new ValueError(`${what}: the header is no UTF-8 text`);
  }
}

/**
 * @param {string} text
 * @param {string} what
 * @returns {NpyHeader}
 */
function parseHeader(text, what) {
  const reader = new HeaderReader(text, what);
  /** @type {{ descr?: string, fortran_order?: boolean, shape?: readonly number[] }} */
  const fields = {};
  reader.expect('{');
  while (!reader.take('}')) {
    const key = plainText(reader);
    if (Object.hasOwn(fields, key)) throw new ValueError(`${what}: the header has ${show(key)} twice`);
    reader.expect(':');
    if (key === 'descr') fields.descr = readDescr(reader, what);
    else if (key === 'fortran_order') fields.fortran_order = readBoolean(reader);
    else if (key === 'shape') fields.shape = readTuple(reader);
    else throw new ValueError(`${what}: the header has ${show(key)}, which is not known`);
    if (!reader.take(',')) {
      reader.expect('}');
      break;
    }
  }
  reader.expectEnd();
  const { descr, fortran_order: isFortran, shape } = fields;
  if (descr === undefined || isFortran === undefined || shape === undefined) {
    throw new ValueError(`${what}: the header must have descr, fortran_order and shape`);
  }
  return { ...parseDescr(descr, what), isFortran, shape };
}

/** @param {HeaderReader} reader */
function plainText(reader) {
  const quoted = reader.quoted('\'"');
  if (quoted.includes('\\')) reader.fail('a name without backslashes before this');
  return quoted.slice(1, -1);
}

/**
 * @param {HeaderReader} reader
 * @param {string} what
 */
function readDescr(reader, what) {
  if (!reader.take('[') && !reader.take('(')) return plainText(reader);
  throw new DTypeError(`${what}: the file has elements of several fields (a structured dtype), which no tensor has`);
}

/** @param {HeaderReader} reader */
function readBoolean(reader) {
  if (reader.take('True')) return true;
  if (!reader.take('False')) reader.fail('True or False');
  return false;
}

/**
 * A tuple of sizes. Python 2 wrote an L after large ones.
 * @param {HeaderReader} reader
 */
function readTuple(reader) {
  /** @type {number[]} */
  const sizes = [];
  reader.expect('(');
  while (!reader.take(')')) {
    sizes.push(reader.size());
    reader.take('L');
    if (!reader.take(',')) {
      if (sizes.length === 1) reader.fail('\',\', as in a Python tuple of one');
      reader.expect(')');
      break;
    }
  }
  return sizes;
}

/**
 * @param {string} descr such as `<f4`
 * @param {string} what
 * @returns {{ element: ElementName, isBigEndian: boolean }}
 */
function parseDescr(descr, what) {
  const [, order = '', element = ''] = /^([<>|])([biuf][1248])$/.exec(descr) ?? [];
  if (Object.hasOwn(elementTypes, element) && (order !== '|' || element.endsWith('1'))) {
    return { element: /** @type {ElementName} */ (element), isBigEndian: order === '>' };
  }
  const known = 'b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8';
  throw new DTypeError(`${what}: elements of dtype ${show(descr)} are not read; those of ${known} are`);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} size of an element
 */
function swapBytes(bytes, size) {
  const swapped = bytes.slice();
  for (let at = 0; at < swapped.length; at += size) swapped.subarray(at, at + size).reverse();
  return swapped;
}
