import { allocate, callsOf } from './calls.js';
import { compileOnce } from './compile_once.js';
import { PluginError, errorFromCore } from './errors.js';
import { loadPart } from './load_part.js';
import { withAnswer } from './source_errors.js';

/** @typedef {import('./calls.js').CallExports} CallExports */
/** @typedef {import('./core_module.js').CoreError} CoreError */
/** @typedef {import('./core_module.js').CoreInspection} CoreInspection */
/** @typedef {import('./load.js').WasmSource} WasmSource */
/** @typedef {import('./plugin_source.js').PluginFile} PluginFile */

/** @typedef {CallExports & { _mt_error_pending: () => number }} Exports */
/** @typedef {(address: number, size: number, origin: string) => unknown} Inspect */
/** @typedef {{ exports: Exports, calls: Record<string, Inspect> & { takeError: () => CoreError } }} Program */

/** Memory never becomes smaller: a program that has read a file of such a size is not kept. */
const LARGE = 4 * 1024 * 1024;

/** The program that reads the files of plugins, in a memory of its own. It is fetched when the first is to be read. */
export class Inspector {
  #find;
  /** @type {Program | undefined} */
  #program;

  /** @param {() => Promise<WasmSource>} find gives where it is */
  constructor(find) {
    this.#find = find;
  }

  /** @returns {Promise<WebAssembly.Module>} a PluginError when it cannot be had */
  module() {
    return loadPart(async () => compileOnce(await this.#find()));
  }

  /**
   * What a file says of itself. A PluginError when it is no plugin; when it is not even a module, with what a server
   * said that it was.
   * @param {PluginFile} file
   * @param {'inspectFile' | 'checkFile'} how `checkFile`: a PluginError also when this host would not load it
   * @returns {Promise<CoreInspection>}
   */
  async inspect({ bytes, origin, answer }, how) {
    const program = this.#program ??= await this.#start();
    const { exports, calls } = program;
    let isSound = false;
    try {
      const address = allocate(exports, Math.max(bytes.length, 1));
      new Uint8Array(exports.wasmMemory.buffer).set(bytes, address);
      const inspection = calls[how]?.(address, bytes.length, origin);
      exports._free(address);
      isSound = exports.wasmMemory.buffer.byteLength <= LARGE;
      if (exports._mt_error_pending()) throw errorFromCore(calls.takeError());
      return /** @type {CoreInspection} */ (inspection);
    } catch (error) {
      throw error instanceof PluginError && error.phase === 'read' ? withAnswer(error, answer) : error;
    } finally {
      // Nor is one that a trap has left halfway.
      if (!isSound) this.#program = undefined;
    }
  }

  /** @returns {Promise<Program>} */
  async #start() {
    const module = await this.module();
    const imports = { env: { emscripten_notify_memory_growth: () => {} } };
    const { memory, _initialize, ...functions } = (await WebAssembly.instantiate(module, imports)).exports;
    /** @type {() => void} */ (_initialize)();
    const named = Object.fromEntries(Object.entries(functions).map(([name, value]) => [`_${name}`, value]));
    const exports = /** @type {Exports} */ (/** @type {unknown} */ ({ ...named, wasmMemory: memory }));
    return { exports, calls: /** @type {Program['calls']} */ (callsOf(exports)) };
  }
}
