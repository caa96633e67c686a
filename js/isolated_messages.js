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

/** @typedef {{ value: LoadedReply | readonly PackedTensor[] } | { error: PackedError }} Reply */

/**
 * @typedef {object} PackedError
 * @property {'error' | 'type'} kind
 * @property {string} message
 * @property {string} code
 * @property {string} [phase]
 * @property {string} [plugin]
 * @property {readonly string[]} [symbols]
 * @property {string} [hint]
 */

/**
 * @param {unknown} error
 * @returns {PackedError}
 */
export function packError(error) {
  if (error instanceof PluginError) {
    const { message, code, phase, plugin, symbols, hint } = error;
    return { kind: 'error', message, code, phase, plugin, symbols, hint };
  }
  if (error instanceof MiniTensorError) return { kind: 'error', message: error.message, code: error.code };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: error instanceof TypeError ? 'type' : 'error', message, code: 'MT_INTERNAL' };
}

/**
 * The error as one of our classes again.
 * @param {PackedError} packed
 * @returns {Error}
 */
export function unpackError({ kind, message, code, ...details }) {
  if (kind === 'type') return new TypeError(message);
  if (code === 'MT_PLUGIN') return new PluginError(message, details);
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
