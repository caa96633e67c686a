import { Callbacks } from './callbacks.js';
import { allocate, callsOf } from './calls.js';
import { MiniTensorError, errorFromCore } from './errors.js';
import { Scopes } from './scopes.js';
import { Young } from './young.js';

/** @typedef {import('./live_handles.js').LiveHandles} LiveHandles */
/** @typedef {import('./live_handles.js').HandleKind} HandleKind */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./core_module.js').CoreModule} CoreModule */

const encoder = new TextEncoder();

/**
 * The compiled core of one instance, and what JavaScript keeps for it. Only classes of this package see it.
 *
 * Memory of the core grows, which detaches every view of it: views are asked for where they are used and never kept
 * across a call.
 */
export class Core {
  /** @type {CoreModule | undefined} */
  #module;
  /** @type {Map<string, number>} */
  #opIds = new Map();
  /** For what is dropped without dispose(). */
  #finalizers = {
    tensor: this.#finalizer('tensor'),
    layer: this.#finalizer('layer'),
    registry: this.#finalizer('registry'),
  };
  #young = new Young(this.#finalizers);
  #scratch = 0;
  #scratchSize = 0;
  #bytes = new Uint8Array();
  #words = new Uint32Array();
  #doubles = new Float64Array();

  /**
   * @param {() => Promise<import('./load.js').WasmSource>} findInspector gives the program that reads plugins' files
   */
  constructor(findInspector) {
    /** @readonly */
    this.findInspector = findInspector;
    this.callbacks = new Callbacks(this);
    this.scopes = new Scopes();
    /** Where the core's stack ends while JavaScript runs. */
    this.stack = 0;
    /** Whether the core records ops for gradients while JavaScript runs: 1 or 0. */
    this.recording = 1;
    /** Where living handles were made, when that is recorded. @type {LiveHandles | undefined} */
    this.liveHandles = undefined;
    /**
     * Makes the Tensor object for a handle; set by the instance, which has the class.
     * @type {(handle: number, isLent?: boolean) => Tensor}
     */
    this.wrap = () => {
      throw new MiniTensorError('the instance is not ready');
    };
    /**
     * Makes a tensor of values; set by the instance, which has the class.
     * @type {import('./tensor.js').CreateTensor}
     */
    this.createTensor = () => {
      throw new MiniTensorError('the instance is not ready');
    };
    /** How many bytes the memory may have: what Emscripten gives it, unless it was made with another maximum. */
    this.memoryLimit = 2 ** 31;
    /** What ends with the instance. @type {Set<() => void>} */
    this.closers = new Set();
    /** What another core can be made of: the code, and how much memory it needs to begin with. */
    this.blueprint = { wasm: /** @type {WebAssembly.Module | undefined} */ (undefined), bytes: 0 };
  }

  /** @param {HandleKind} kind */
  #finalizer(kind) {
    return new FinalizationRegistry((/** @type {number} */ handle) => this.release(kind, handle));
  }

  /**
   * @param {CoreModule} module
   * @param {WebAssembly.Module} wasm what it was made of
   */
  attach(module, wasm) {
    // A new object, since the one to which so many functions were added one by one is slow to look them up in.
    this.#module = { ...module, ...callsOf(module) };
    this.blueprint = { wasm, bytes: module.wasmMemory.buffer.byteLength };
    this.stack = module.stackSave();
    this.#scratch = module._mt_scratch();
    this.#scratchSize = module._mt_scratch_size();
  }

  get module() {
    const module = this.#module;
    if (!module) throw new MiniTensorError('this instance of MiniTensor is closed', { code: 'MT_CLOSED' });
    return module;
  }

  /** Throws when the instance is closed. */
  requireOpen() {
    return this.module !== undefined;
  }

  /** Where the core has room for the arguments and results of one call, at a multiple of 8. */
  get scratch() {
    return this.#scratch;
  }

  get isClosed() {
    return this.#module === undefined;
  }

  /** Unloads the plugins, and lets go of the memory and all that is in it. */
  close() {
    try {
      this.#module?.unloadAllPlugins();
    } catch {
      // As when the engine's stack is at its end. The memory goes all the same.
    }
    this.#module = undefined;
    this.#bytes = new Uint8Array();
    this.#words = new Uint32Array();
    this.#doubles = new Float64Array();
    this.#young.clear();
    this.callbacks.clear();
    this.#opIds.clear();
    for (const close of this.closers) close();
  }

  /**
   * Has `owner` hold `handle`, which is released when the owner is collected, unless disown() was called before.
   * @param {object} owner
   * @param {HandleKind} kind
   * @param {number} handle
   */
  own(owner, kind, handle) {
    this.#young.add(owner, kind, handle);
    this.liveHandles?.add(kind, handle);
  }

  /**
   * @param {object} owner
   * @param {HandleKind} kind
   * @param {number} handle
   */
  disown(owner, kind, handle) {
    if (!this.#young.remove(owner)) this.#finalizers[kind].unregister(owner);
    this.liveHandles?.remove(kind, handle);
  }

  /**
   * @param {HandleKind} kind
   * @param {number} handle
   */
  release(kind, handle) {
    const module = this.#module;
    if (!module) return; // everything went when the instance was closed
    module._mt_require_engine_stack();
    this.liveHandles?.remove(kind, handle);
    if (kind === 'tensor') module._mt_tensor_release(handle);
    else if (kind === 'layer') module.releaseLayer(handle);
    else module.releaseRegistry(handle);
  }

  /**
   * The memory as bytes. To be used at once: when memory grows, this view and the next two become empty, and others
   * take their places.
   */
  get bytes() {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.module.wasmMemory.buffer);
    return this.#bytes;
  }

  /** The same as numbers of 4 bytes. */
  get words() {
    if (this.#words.length === 0) this.#words = new Uint32Array(this.module.wasmMemory.buffer);
    return this.#words;
  }

  /** The same as floating-point numbers of 8 bytes. */
  get doubles() {
    if (this.#doubles.length === 0) this.#doubles = new Float64Array(this.module.wasmMemory.buffer);
    return this.#doubles;
  }

  /**
   * Calls a function of the core, and throws the error that it noted.
   * @template T
   * @param {(module: CoreModule) => T} call
   * @returns {T}
   */
  invoke(call) {
    const { module } = this;
    const result = this.enter(() => call(module));
    if (module._mt_error_pending()) throw this.takeError();
    return result;
  }

  /**
   * Calls into the core, once it is sure that the engine's stack does not end inside: the RangeError comes before.
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  enter(call) {
    this.module._mt_require_engine_stack();
    try {
      return call();
    } catch (error) {
      throw this.#recovered(error);
    }
  }

  /**
   * Puts the core in order after an exception that went through its frames: a trap, which is a fault of its own, or an
   * engine whose frames are larger than was thought. Neither takes down the core's stack.
   * @param {unknown} error
   */
  #recovered(error) {
    this.module.stackRestore(this.stack);
    this.module._mt_set_recording(this.recording);
    return error;
  }

  /** The error that the core noted; for a callback that threw, what it threw. */
  takeError() {
    const noted = this.module.takeError();
    if ((noted.cause ?? noted).code === 'MT_MEMORY') {
      const limit = `; the limit is ${this.memoryLimit} bytes`;
      noted.message += limit;
      if (noted.cause) noted.cause.message += limit;
    }
    const kept = noted.callbackError ? this.callbacks.takeError(noted.callbackError) : undefined;
    if (noted.code === 'MT_CALLBACK') return kept;
    const error = errorFromCore(noted);
    if (kept !== undefined) error.cause = kept;
    return error;
  }

  /**
   * Copies numbers into memory for the length of one call.
   * @template T
   * @param {readonly number[]} values handles (4 bytes) or doubles (8 bytes) each
   * @param {4 | 8} size
   * @param {Uint8Array} bytes put after the numbers
   * @param {(numbers: number, bytes: number) => T} use gets the addresses
   * @returns {T}
   */
  withArguments(values, size, bytes, use) {
    const bytesOffset = values.length * size;
    const total = bytesOffset + bytes.length;
    this.module._mt_require_engine_stack();
    const address = total <= this.#scratchSize ? this.#scratch : allocate(this.module, total);
    try {
      const numbers = size === 4 ? this.words : this.doubles;
      const start = address / size;
      for (let i = 0; i < values.length; i++) numbers[start + i] = /** @type {number} */ (values[i]);
      if (bytes.length > 0) this.bytes.set(bytes, address + bytesOffset);
      return use(address, address + bytesOffset);
    } catch (error) {
      throw this.#recovered(error);
    } finally {
      if (address !== this.#scratch) this.module._free(address);
    }
  }

  /**
   * Runs an op by name.
   * @param {string} name
   * @param {readonly number[]} inputs handles
   * @param {Uint8Array} attributes as attributes.js encodes them
   * @returns {Tensor}
   */
  execute(name, inputs, attributes) {
    const id = this.#opIds.get(name) ?? this.#findOp(name);
    const handle = this.withArguments(inputs, 4, attributes, (handles, bytes) =>
      this.module._mt_op_execute(id, handles, inputs.length, bytes, attributes.length),
    );
    if (handle === 0) throw this.takeError();
    return this.wrap(handle >>> 0);
  }

  /**
   * Runs an op of one input, without attributes.
   * @param {string} name
   * @param {number} input a handle
   */
  execute1(name, input) {
    const { module } = this;
    const id = this.#opIds.get(name) ?? this.#findOp(name);
    return this.#made(() => module._mt_op_execute1(id, input));
  }

  /**
   * Runs an op of two inputs, without attributes.
   * @param {string} name
   * @param {number} a a handle
   * @param {number} b a handle
   */
  execute2(name, a, b) {
    const { module } = this;
    const id = this.#opIds.get(name) ?? this.#findOp(name);
    return this.#made(() => module._mt_op_execute2(id, a, b));
  }

  /**
   * Runs an op of a tensor and a number, without attributes.
   * @param {string} name
   * @param {number} tensor a handle
   * @param {number} value takes the tensor's dtype
   * @param {boolean} isFirst whether the number stands before the tensor
   * @returns {Tensor | undefined} undefined for a tensor whose dtype is not a floating-point one
   */
  executeNumber(name, tensor, value, isFirst) {
    const { module } = this;
    const id = this.#opIds.get(name) ?? this.#findOp(name);
    const handle = this.enter(() => module._mt_op_execute_number(id, tensor, value, isFirst));
    if (handle !== 0) return this.wrap(handle >>> 0);
    if (module._mt_error_pending()) throw this.takeError();
    return undefined;
  }

  /**
   * @param {() => number} call of the core, which gives a handle, or 0 and an error
   * @returns {Tensor}
   */
  #made(call) {
    const handle = this.enter(call);
    if (handle === 0) throw this.takeError();
    return this.wrap(handle >>> 0);
  }

  /**
   * Runs an op that may have several outputs.
   * @param {string} name
   * @param {readonly number[]} inputs handles
   * @param {Uint8Array} attributes
   * @returns {Tensor[]}
   */
  executeMany(name, inputs, attributes) {
    const id = this.#opIds.get(name) ?? this.#findOp(name);
    const count = this.withArguments(inputs, 4, attributes, (handles, bytes) =>
      this.module._mt_op_execute_many(id, handles, inputs.length, bytes, attributes.length),
    );
    if (this.module._mt_error_pending()) throw this.takeError();
    const start = this.module._mt_results() / 4;
    return Array.from(this.words.subarray(start, start + count), (handle) => this.wrap(handle));
  }

  /** @param {string} name */
  #findOp(name) {
    const text = encoder.encode(name);
    const id = this.withArguments([], 4, text, (_, address) => this.module._mt_op_find(address, text.length));
    if (id === 0) this.invoke((module) => module.requireOp(name));
    this.#opIds.set(name, id);
    return id;
  }

  /**
   * The same as invoke, for calls with which ops come or go.
   * @template T
   * @param {(module: CoreModule) => T} call
   * @returns {T}
   */
  changeOps(call) {
    try {
      return this.invoke(call);
    } finally {
      // Not before: a callback may have run an op that is gone by now.
      this.#opIds.clear();
    }
  }

  /**
   * The same as changeOps, for calls that give a callback to the core. It is the core's from then on; if the core was
   * never reached, it is released here.
   * @template T
   * @param {import('./callbacks.js').Callback} callback
   * @param {(module: CoreModule, id: number) => T} call gets the callback's number
   * @returns {T}
   */
  give(callback, call) {
    this.module._mt_require_engine_stack();
    const id = this.callbacks.add(callback);
    try {
      return this.changeOps((module) => call(module, id));
    } catch (error) {
      this.callbacks.release(id);
      throw error;
    }
  }
}
