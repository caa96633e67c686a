/*
 * The bytes of a file, from what people have them in.
 */
import { show } from './check.js';
import { MiniTensorError, ValueError } from './errors.js';
import { messageOf } from './source_text.js';

/** @typedef {ArrayBuffer | SharedArrayBuffer | ArrayBufferView} Bytes of a view, those that it shows */

/** @typedef {Bytes | Blob | Response | PromiseLike<Bytes | Blob | Response>} FileSource */

/**
 * @param {unknown} source
 * @returns {source is ArrayBuffer | SharedArrayBuffer} of any realm
 */
function isBuffer(source) {
  try {
    return Boolean(new DataView(/** @type {ArrayBuffer} */ (source)));
  } catch {
    return false;
  }
}

/**
 * The bytes, not copied unless another thread might change them.
 * @param {unknown} source
 * @param {string} what for messages
 * @param {string} [expected]
 * @returns {Uint8Array}
 */
export function bytesOf(source, what, expected = 'bytes, as an ArrayBuffer or a view of one') {
  const isView = ArrayBuffer.isView(source);
  if (!isView && !isBuffer(source)) throw new TypeError(`${what} must be ${expected}, not ${show(source)}`);
  const { buffer, byteOffset, byteLength } = isView ? source : new DataView(source);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]' ? bytes.slice() : bytes;
}

/**
 * @param {unknown} source a FileSource
 * @param {string} what for messages
 */
export async function readBytes(source, what) {
  const settled = await source;
  const tag = ArrayBuffer.isView(settled) ? '' : Object.prototype.toString.call(settled).slice(8, -1);
  if (!['Blob', 'File', 'Response'].includes(tag)) {
    return bytesOf(settled, `${what}: source`, 'bytes, a Blob, a Response, or a promise of one of these');
  }
  const body = /** @type {Blob | Response} */ (settled);
  if ('ok' in body && !body.ok) throw new ValueError(`${what}: the server answered ${body.status}, not with the file`);
  try {
    return bytesOf(await body.arrayBuffer(), `${what}: content`);
  } catch (cause) {
    throw new MiniTensorError(`${what}: the ${tag} cannot be read: ${messageOf(cause)}`, { code: 'MT_READ', cause });
  }
}
