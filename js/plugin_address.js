import { show } from './check.js';
import { PluginError } from './errors.js';
import { hasFiles, resolveAddress } from './load.js';
import { messageOf, shownAddress } from './source_text.js';

/**
 * Where a compiled plugin comes from: a URL or (in Node) a path, the file's bytes, or the module that it was compiled
 * to.
 * @typedef {string | URL | ArrayBuffer | SharedArrayBuffer | ArrayBufferView | Response | Blob
 *   | (WebAssembly.Module & object)} ReadySource
 */

/**
 * The same, or a promise of it, such as fetch gives.
 * @typedef {ReadySource | PromiseLike<ReadySource>} PluginSource
 */

/** How large a plugin's file may be when nothing else is said. */
export const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * What a value is, whatever realm it is of.
 * @param {unknown} value
 */
export function tagOf(value) {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/**
 * The address that a source is, made absolute; undefined for another kind of source.
 * @param {unknown} source
 * @param {string} [base]
 * @returns {string | undefined}
 */
export function addressOf(source, base) {
  if (typeof source !== 'string' && tagOf(source) !== 'URL') return undefined;
  const text = String(source);
  try {
    if (text === '') throw new TypeError('it is empty');
    return resolveAddress(text, base);
  } catch (cause) {
    const what = `the address leads nowhere${base === undefined ? '' : ` from ${show(base)}`}`;
    throw new PluginError(`plugin file ${show(text)} cannot be read: ${what}: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: hasFiles ? 'give a path or a URL' : 'give an absolute URL, or with option base the one it is relative to',
      cause,
    });
  }
}

/**
 * What a source is called in messages before it is read.
 * @param {unknown} source
 */
export function nameOf(source) {
  return typeof source === 'string' ? shownAddress(source) : `<${tagOf(source)}>`;
}

/**
 * Whether a source is bytes that somebody may change.
 * @param {unknown} source
 */
export function isChangeable(source) {
  return ArrayBuffer.isView(source) || ['ArrayBuffer', 'SharedArrayBuffer'].includes(tagOf(source));
}

/**
 * The same source, and of bytes a copy.
 * @param {unknown} source
 */
export function snapshot(source) {
  try {
    if (ArrayBuffer.isView(source)) return new Uint8Array(viewOf(source));
    return isChangeable(source) ? new Uint8Array(/** @type {ArrayBuffer} */ (source)).slice() : source;
  } catch {
    return source; // a buffer that is gone, as whoever reads it will say
  }
}

/** @param {ArrayBufferView} view */
export function viewOf({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
