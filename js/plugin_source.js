import { unlessAborted } from './abort.js';
import { show } from './check.js';
import { PluginError } from './errors.js';
import { isFile, readFile } from './load.js';
import { skeletonOf } from './module_skeleton.js';
import { DEFAULT_MAX_BYTES, addressOf, tagOf, viewOf } from './plugin_address.js';
import { fetchPlugin, readResponse } from './plugin_download.js';
import { tooLarge } from './source_errors.js';
import { messageOf, shownAddress } from './source_text.js';

/**
 * What was read.
 * @typedef {object} PluginFile
 * @property {Uint8Array<ArrayBuffer>} bytes a copy, so that what was checked is what is loaded; of a module a skeleton,
 *   which has the same metadata, imports and exports
 * @property {string} origin its address, for messages
 * @property {string} [answer] what the server said that it sends
 * @property {WebAssembly.Module} [module] when it was compiled already
 */

/**
 * How to read.
 * @typedef {object} Reading
 * @property {string} [base]
 * @property {number} maxBytes
 * @property {AbortSignal} signal
 * @property {(state: string) => void} note hears how far it has come
 */

/**
 * The file that a source gives; never a module's skeleton. A PluginError for a module.
 * @param {unknown} source
 * @returns {Promise<PluginFile>}
 */
export async function readPluginBytes(source) {
  const file = await readPlugin(source);
  requireBytes(file, 'signature');
  return file;
}

/**
 * Throws a PluginError for a module.
 * @param {PluginFile} file
 * @param {'integrity' | 'signature'} phase what the bytes are needed for
 */
export function requireBytes({ module }, phase) {
  if (!module) return;
  throw new PluginError(`the ${phase} of a WebAssembly.Module cannot be checked, since it does not give its bytes`, {
    phase,
    hint: 'give the bytes or the address of the file',
  });
}

/**
 * The file that a source gives. What is in memory is copied before this returns for the first time.
 * @param {unknown} source
 * @param {Partial<Reading>} [how]
 * @returns {Promise<PluginFile>}
 */
export async function readPlugin(source, how = {}) {
  const { base, maxBytes = DEFAULT_MAX_BYTES, signal = new AbortController().signal, note = () => {} } = how;
  /** @type {Reading} */
  const reading = { ...(base === undefined ? {} : { base }), maxBytes, signal, note };
  const address = addressOf(source, reading.base);
  if (address !== undefined) return isFile(address) ? readPath(address, reading) : fetchPlugin(address, reading);
  if (ArrayBuffer.isView(source)) return copyBytes(() => viewOf(source), reading);
  switch (tagOf(source)) {
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return copyBytes(() => new Uint8Array(/** @type {ArrayBuffer} */ (source)), reading);
    case 'Response':
      return readResponse(/** @type {Response} */ (source), '', reading);
    case 'Blob':
    case 'File':
      return readBlob(/** @type {Blob} */ (source), reading);
    case 'WebAssembly.Module':
      return readModule(/** @type {WebAssembly.Module} */ (source));
  }
  if (isPromise(source)) return readPlugin(await settle(source, reading), reading);
  throw new TypeError('plugin source must be a path, URL, Response, Blob, ArrayBuffer or view of one, '
    + `WebAssembly.Module, or a promise of one of these, not ${show(source)}`);
}

/**
 * @param {unknown} source
 * @returns {source is PromiseLike<unknown>}
 */
function isPromise(source) {
  return typeof source === 'object' && source !== null && 'then' in source && typeof source.then === 'function';
}

/**
 * @param {PromiseLike<unknown>} promise
 * @param {Reading} reading
 */
async function settle(promise, { signal, note }) {
  note('the promise of it was not kept yet');
  try {
    return await unlessAborted(Promise.resolve(promise), signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new PluginError(`plugin source cannot be read: the promise of it was rejected: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: 'give the address itself, and the error will say more',
      cause,
    });
  }
}

/**
 * @param {() => Uint8Array} view
 * @param {Reading} reading
 * @returns {PluginFile}
 */
function copyBytes(view, { maxBytes }) {
  const origin = '<bytes>';
  /** @type {Uint8Array} */
  let bytes;
  try {
    bytes = view();
  } catch (cause) {
    throw new PluginError(`plugin file ${origin} cannot be read: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: 'its buffer was transferred to somebody else, or made shorter',
      cause,
    });
  }
  if (bytes.length > maxBytes) throw tooLarge(origin, `it has ${bytes.length} bytes`, maxBytes);
  return { bytes: new Uint8Array(bytes), origin };
}

/**
 * @param {string} address
 * @param {Reading} reading
 * @returns {Promise<PluginFile>}
 */
async function readPath(address, { maxBytes, signal, note }) {
  note('it was not read to its end');
  const origin = shownAddress(address);
  /** @type {import('./load.js').FileContent} */
  let content;
  try {
    content = await readFile(address, maxBytes, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new PluginError(`plugin file ${origin} cannot be read: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: 'check the path; a relative one starts at the working folder, or at option base',
      cause,
    });
  }
  const { bytes, size } = content;
  if (bytes.length > maxBytes) {
    // Of what is no ordinary file, nobody knows the size before it is read.
    throw tooLarge(origin, size > maxBytes ? `it has ${size} bytes` : 'it is larger', maxBytes);
  }
  return { bytes, origin };
}

/**
 * @param {Blob} blob
 * @param {Reading} reading
 * @returns {Promise<PluginFile>}
 */
async function readBlob(blob, { maxBytes, note }) {
  const origin = 'name' in blob && typeof blob.name === 'string' ? shownAddress(blob.name) : '<Blob>';
  note('it was not read to its end');
  if (blob.size > maxBytes) throw tooLarge(origin, `it has ${blob.size} bytes`, maxBytes);
  try {
    return { bytes: new Uint8Array(await blob.arrayBuffer()), origin };
  } catch (cause) {
    throw new PluginError(`plugin file ${origin} cannot be read: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: 'a file that changes after it was chosen has to be chosen again',
      cause,
    });
  }
}

/**
 * @param {WebAssembly.Module} module
 * @returns {PluginFile}
 */
function readModule(module) {
  return { bytes: skeletonOf(module), origin: '<WebAssembly.Module>', module };
}
