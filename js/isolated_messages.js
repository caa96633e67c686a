/*
 * What crosses between an instance and the worker of an isolated plugin: plain data, copied or transferred.
 */
import { MiniTensorError, PluginError, errorClasses } from './errors.js';

/** @typedef {import('./core_module.js').OpDescription} OpDescription */
/** @typedef {import('./core_module.js').PluginInfoFields} PluginInfoFields */
/** @typedef {import('./core_module.js').AttributeValue} AttributeValue */
/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./dtype.js').AnyTensorData} TensorData */

/** @typedef {{ data: TensorData, shape: readonly number[], dtype: DType }} PackedTensor */

/**
 * The first message: which core to start, within which memory, and which plugin to load.
 * @typedef {object} LoadRequest
 * @property {'load'} kind
 * @property {WebAssembly.Module} core
 * @property {WebAssembly.Module} inspector
 * @property {number} initialPages
 * @property {number} maximumPages
 * @property {Uint8Array<ArrayBuffer> | WebAssembly.Module} file
 * @property {string} origin
 * @property {string} [name] that it must have
 * @property {boolean} logs whether what it logs is to be told
 */

/**
 * The others: which function of an op to call.
 * @typedef {object} RunRequest
 * @property {'execute' | 'gradients'} kind
 * @property {string} op
 * @property {readonly PackedTensor[]} inputs
 * @property {Record<string, AttributeValue>} attributes
 */

/** @typedef {{ info: PluginInfoFields, ops: readonly OpDescription[] }} LoadedReply */

/**
 * The answer to a request, with what has stopped the plugin so far; or, before that, a line of the plugin's log.
 * @typedef {{ value: LoadedReply | readonly PackedTensor[], fault: string } | { error: PackedError, fault: string }
 *   | { log: [plugin: string, line: string] }} Reply
 */

/**
 * @typedef {object} PackedError
 * @property {'error' | 'type' | 'foreign'} kind
 * @property {string} message
 * @property {string} code
 * @property {string} [phase]
 * @property {string} [plugin]
 * @property {readonly string[]} [symbols]
 * @property {string} [hint]
 * @property {PackedError} [cause]
 */

/**
 * @param {unknown} error
 * @returns {PackedError}
 */
export function packError(error) {
  if (error instanceof PluginError) {
    const { message, code, phase, plugin, symbols, hint, cause } = error;
    const packed = /** @type {const} */ ({ kind: 'error', message, code, phase, plugin, symbols, hint });
    return cause instanceof Error ? { ...packed, cause: packCause(cause) } : packed;
  }
  if (error instanceof MiniTensorError) return { kind: 'error', message: error.message, code: error.code };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: error instanceof TypeError ? 'type' : 'error', message, code: 'MT_INTERNAL' };
}

/**
 * Of an error that is not ours, such as a trap, its text.
 * @param {Error} cause
 * @returns {PackedError}
 */
function packCause(cause) {
  return cause instanceof MiniTensorError ? packError(cause) : { kind: 'foreign', message: String(cause), code: '' };
}

/**
 * The error as one of our classes again.
 * @param {PackedError} packed
 * @returns {Error}
 */
export function unpackError({ kind, message, code, cause, ...details }) {
  if (kind === 'type') return new TypeError(message);
  if (kind === 'foreign') return new Error(message);
  if (code === 'MT_PLUGIN') {
    return new PluginError(message, cause ? { ...details, cause: unpackError(cause) } : details);
  }
  const known = /** @type {Record<string, new (message: string) => MiniTensorError>} */ (errorClasses);
  const Class = known[code];
  return Class ? new Class(message) : new MiniTensorError(message, { code });
}

/**
 * The buffers of tensors, which are not used here any more once they are sent.
 * @param {readonly PackedTensor[]} tensors
 */
export function buffersOf(tensors) {
  return tensors.map(({ data }) => data.buffer);
}
