/*
 * The functions of a plugin's ops, with guards around the memory that they are to fill. They are found in the
 * description of the plugin that create_plugin gives (minitensor/sdk/plugin_api.h), and replaced in the core's table.
 */
import { Buffer } from 'node:buffer';

/** @typedef {(...args: number[]) => number} PluginFunction */

/** Bytes before and after the elements, which the function must leave as they are. */
const GUARD = 256;
const GUARD_BYTE = 0xa7;
/** Sizes of elements by number of dtype: of none, then float32, float64, int32, int64, uint8 and bool. */
const ITEM_SIZES = [0, 4, 8, 4, 8, 1, 1];
/** Where what is in the structures: mt_plugin, mt_op, mt_op_call and mt_tensor. */
const PLUGIN = { opCount: 16, ops: 24 };
const OP = { forward: 44, backward: 48, end: 52 };
const CALL = { inputCount: 4, output: 36, gradOutput: 40, gradInputs: 44 };
const TENSOR = { dtype: 4, size: 16, data: 32 };

/**
 * @typedef {object} Guarded
 * @property {string} what
 * @property {number} tensor
 * @property {number} data the elements of the tensor
 * @property {number} bytes
 * @property {number} block with the guards and, between them, what the function is given for the elements
 */

export class Guards {
  /** @type {WebAssembly.Table | undefined} */
  #core;
  /** @type {WebAssembly.Memory | undefined} */
  #memory;
  /** @type {Record<'malloc' | 'free', PluginFunction> | undefined} */
  #allocator;
  #isWatching = false;
  #found = '';

  /** @param {WebAssembly.Table} table */
  setCore(table) {
    // The core is made first; other parts of the engine come later.
    this.#core ??= table;
  }

  /** @param {WebAssembly.Imports} imports of a plugin, of the engine's making */
  setHost({ env }) {
    const { memory, malloc, free } = /** @type {WebAssembly.ModuleImports} */ (env);
    this.#memory = /** @type {WebAssembly.Memory} */ (memory);
    this.#allocator = /** @type {Record<'malloc' | 'free', PluginFunction>} */ ({ malloc, free });
  }

  /**
   * From now on, functions of ops are given memory with guards for what they are to fill. They may hand the tensors on
   * to ops of the engine, which knows nothing of that memory: results of theirs are worth nothing until settle().
   */
  watch() {
    this.#isWatching = true;
  }

  /**
   * Ends watch().
   * @returns {string} what a function has done to memory that is not its own; empty: nothing
   */
  settle() {
    const found = this.#found;
    this.#isWatching = false;
    this.#found = '';
    return found;
  }

  /**
   * @param {WebAssembly.Exports} exports of a plugin
   * @returns {WebAssembly.Exports} the same, but that the functions of its ops are guarded
   */
  guarding(exports) {
    const create = /** @type {PluginFunction | undefined} */ (exports.create_plugin);
    if (typeof create !== 'function' || create.length !== 3 || !this.#core) return exports;
    const guarded = (/** @type {number[]} */ ...args) => {
      const status = create(...args);
      if (status === 0) this.#replaceFunctions((args[2] ?? 0) >>> 0);
      return status;
    };
    return { ...exports, create_plugin: asWasm(guarded, 3) };
  }

  /** @param {number} plugin that create_plugin has filled in, rightly or not */
  #replaceFunctions(plugin) {
    try {
      const ops = this.#word(plugin + PLUGIN.ops);
      for (let i = 0; i < this.#word(plugin + PLUGIN.opCount); i++) {
        const op = this.#word(ops + 4 * i);
        if (this.#word(op) < OP.end) continue;
        this.#replace(this.#word(op + OP.forward), 'output');
        this.#replace(this.#word(op + OP.backward), 'gradients');
      }
    } catch (error) {
      // What it has filled in leads out of the memory, which is for the engine to say.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /**
   * @param {number} slot of the core's table
   * @param {'output' | 'gradients'} filled what the function is to fill
   */
  #replace(slot, filled) {
    const table = /** @type {WebAssembly.Table} */ (this.#core);
    const original = slot > 0 && slot < table.length ? table.get(slot) : null;
    if (typeof original !== 'function' || original.length !== 1) return;
    table.set(slot, asWasm((call) => {
      if (!this.#isWatching) return original(call);
      return this.#callGuarded(original, /** @type {number} */ (call) >>> 0, filled);
    }, 1));
  }

  /**
   * @param {PluginFunction} original
   * @param {number} call its arguments
   * @param {'output' | 'gradients'} filled
   */
  #callGuarded(original, call, filled) {
    const output = this.#word(call + CALL.output);
    const gradients = this.#word(call + CALL.gradInputs);
    const count = filled === 'output' ? 0 : this.#word(call + CALL.inputCount);
    const guarded = filled === 'output' ? [this.#guard(output, 'its output')] : [];
    for (let i = 0; i < count; i++) {
      guarded.push(this.#guard(this.#word(gradients + 4 * i), `the gradient for input ${i}`));
    }
    const kept = filled === 'output' ? [] : [
      { what: 'output', ...this.#copyOf(output) },
      { what: 'gradient of the output', ...this.#copyOf(this.#word(call + CALL.gradOutput)) },
    ];
    try {
      return original(call);
    } finally {
      for (const one of guarded) this.#unguard(one);
      for (const { what, data, copy } of kept) {
        if (Buffer.compare(copy, this.#bytes(data, copy.length)) !== 0) this.#note(`writes to the ${what}`);
      }
    }
  }

  /** @param {number} tensor */
  #elementsOf(tensor) {
    const size = Number(this.#view().getBigInt64(tensor + TENSOR.size, true));
    const bytes = size * (ITEM_SIZES[this.#word(tensor + TENSOR.dtype)] ?? 0);
    return { data: this.#word(tensor + TENSOR.data), bytes };
  }

  /** @param {number} tensor */
  #copyOf(tensor) {
    const { data, bytes } = this.#elementsOf(tensor);
    return { data, copy: this.#bytes(data, bytes).slice() };
  }

  /**
   * @param {number} tensor
   * @param {string} what
   * @returns {Guarded}
   */
  #guard(tensor, what) {
    const { data, bytes } = this.#elementsOf(tensor);
    const block = (this.#allocator?.malloc(bytes + 2 * GUARD) ?? 0) >>> 0;
    // Without memory for it, the function is called as it is.
    if (block !== 0) {
      this.#bytes(block, bytes + 2 * GUARD).fill(GUARD_BYTE);
      this.#bytes(block + GUARD, bytes).set(this.#bytes(data, bytes));
      this.#view().setUint32(tensor + TENSOR.data, block + GUARD, true);
    }
    return { what, tensor, data, bytes, block };
  }

  /** @param {Guarded} guarded */
  #unguard({ what, tensor, data, bytes, block }) {
    if (block === 0) return;
    const isWhole = (/** @type {number} */ at) => this.#bytes(at, GUARD).every((byte) => byte === GUARD_BYTE);
    if (!isWhole(block + GUARD + bytes)) this.#note(`writes beyond the end of ${what}`);
    else if (!isWhole(block)) this.#note(`writes before the start of ${what}`);
    this.#bytes(data, bytes).set(this.#bytes(block + GUARD, bytes));
    this.#view().setUint32(tensor + TENSOR.data, data, true);
    this.#allocator?.free(block);
  }

  /** @param {string} what the function does */
  #note(what) {
    this.#found ||= what;
  }

  /** @param {number} address */
  #word(address) {
    return this.#view().getUint32(address, true);
  }

  /** Memory grows, so that no view is kept. */
  #view() {
    return new DataView(/** @type {WebAssembly.Memory} */ (this.#memory).buffer);
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  #bytes(address, size) {
    return new Uint8Array(/** @type {WebAssembly.Memory} */ (this.#memory).buffer, address, size);
  }
}

/**
 * A function that a table of WebAssembly takes, of numbers of 4 bytes.
 * @param {PluginFunction} call
 * @param {number} count of parameters
 * @returns {PluginFunction}
 */
function asWasm(call, count) {
  const i32 = 0x7f;
  const [importIt, exportIt] = [[1, 0x65, 1, 0x66, 0, 0], [1, 0x66, 0, 0]];
  const module = new WebAssembly.Module(Uint8Array.of(
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
    // One type, which is that of one import, "e" "f", which is exported as "f".
    0x01, count + 5, 1, 0x60, count, ...Array.from({ length: count }, () => i32), 1, i32,
    0x02, importIt.length + 1, 1, ...importIt,
    0x07, exportIt.length + 1, 1, ...exportIt,
  ));
  return /** @type {PluginFunction} */ (new WebAssembly.Instance(module, { e: { f: call } }).exports.f);
}
