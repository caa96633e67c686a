import { show } from './check.js';
import { PluginError } from './errors.js';
import { readUrl } from './load.js';

/**
 * Where a compiled plugin comes from: a path (in Node), a URL, or the file's bytes.
 * @typedef {string | URL | ArrayBuffer | ArrayBufferView | Response | Blob} PluginSource
 */

/** @typedef {{ bytes: Uint8Array<ArrayBuffer>, origin: string }} PluginFile */

/**
 * The bytes of a source, as a copy, so that what was checked is what is loaded.
 * @param {unknown} source
 * @returns {Promise<PluginFile>}
 */
export async function readPlugin(source) {
  if (typeof source === 'string' || source instanceof URL) return readAddress(source);
  if (ArrayBuffer.isView(source)) {
    const { buffer, byteOffset, byteLength } = source;
    return { bytes: new Uint8Array(buffer, byteOffset, byteLength).slice(), origin: '<bytes>' };
  }
  if (isBuffer(source)) return { bytes: new Uint8Array(source).slice(), origin: '<bytes>' };
  if (typeof Response === 'function' && source instanceof Response) return readResponse(source);
  if (typeof Blob === 'function' && source instanceof Blob) {
    const name = 'name' in source && typeof source.name === 'string' ? source.name : '<Blob>';
    return { bytes: new Uint8Array(await source.arrayBuffer()), origin: name };
  }
  throw new TypeError(
    `plugin source must be a path, URL, Response, Blob, ArrayBuffer or view of one, not ${show(source)}`,
  );
}

/**
 * Also of another realm.
 * @param {unknown} value
 * @returns {value is ArrayBuffer}
 */
function isBuffer(value) {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]';
}

/**
 * @param {string | URL} address
 * @returns {Promise<PluginFile>}
 */
async function readAddress(address) {
  const origin = String(address);
  try {
    return await readUrl(address, readResponse);
  } catch (cause) {
    if (cause instanceof PluginError) throw cause;
    throw new PluginError(`plugin file ${origin} cannot be read: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: 'check the address or path; in a browser, also that a page of this origin may read it (CORS)',
      cause,
    });
  }
}

/**
 * @param {Response} response
 * @returns {Promise<PluginFile>}
 */
async function readResponse(response) {
  const origin = response.url || '<Response>';
  if (!response.ok) {
    throw new PluginError(`plugin file ${origin} cannot be read: the server answered ${response.status}`, {
      phase: 'fetch',
      hint: 'check the address',
    });
  }
  return { bytes: new Uint8Array(await response.arrayBuffer()), origin };
}

/** @param {unknown} error */
function messageOf(error) {
  if (!(error instanceof Error)) return String(error);
  // Node's fetch says no more than "fetch failed" itself.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
