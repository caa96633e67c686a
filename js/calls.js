import { MiniTensorError } from './errors.js';
import { decodeValues, encodeValues } from './wire.js';

/**
 * What a compiled program exports for calls: bindings/calls.cpp.
 * @typedef {object} CallExports
 * @property {WebAssembly.Memory} wasmMemory
 * @property {(size: number) => number} _malloc 0 when memory has run out
 * @property {(address: number) => void} _free
 * @property {() => number} _mt_scratch
 * @property {() => number} _mt_scratch_size
 * @property {() => void} _mt_calls
 * @property {(number: number, bytes: number, size: number) => number} _mt_call
 * @property {() => void} _mt_take_error
 * @property {() => number} _mt_reply
 * @property {() => number} _mt_reply_size
 */

/**
 * The functions of a program that take and give values, by name, and takeError.
 * @param {CallExports} module
 * @returns {Record<string, (...values: unknown[]) => unknown>}
 */
export function callsOf(module) {
  const reply = () => {
    const { buffer } = module.wasmMemory;
    return decodeValues(new Uint8Array(buffer, module._mt_reply(), module._mt_reply_size()))[0];
  };
  const scratch = module._mt_scratch();
  const room = module._mt_scratch_size();
  /**
   * @param {number} number
   * @param {unknown[]} values
   */
  const call = (number, values) => {
    const bytes = encodeValues(values);
    const { length } = bytes;
    const address = length <= room ? scratch : allocate(module, length);
    try {
      new Uint8Array(module.wasmMemory.buffer, address).set(bytes);
      return module._mt_call(number, address, length) ? reply() : undefined;
    } finally {
      if (address !== scratch) module._free(address);
    }
  };
  module._mt_calls();
  const names = /** @type {string[]} */ (reply());
  /** @type {Record<string, (...values: unknown[]) => unknown>} */
  const calls = {
    takeError() {
      module._mt_take_error();
      return reply();
    },
  };
  names.forEach((name, number) => {
    calls[name] = (...values) => call(number, values);
  });
  return calls;
}

/**
 * @param {Pick<CallExports, '_malloc'>} module
 * @param {number} size in bytes
 * @returns {number} an address, for _free
 */
export function allocate(module, size) {
  const address = module._malloc(size);
  if (address === 0) throw new MiniTensorError(`out of memory: ${size} bytes wanted`, { code: 'MT_MEMORY' });
  return address;
}
