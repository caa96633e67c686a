import { requireArray, requireFunction, requireObject, show } from './check.js';
import { compileOnce } from './compile_once.js';
import { Core } from './core.js';
import { CustomOps } from './custom_ops.js';
import { makeDisposable } from './disposable.js';
import { MiniTensorError, ValueError } from './errors.js';
import { executeManyOn, executeOn } from './execute.js';
import { createOps } from './op_functions.js';
import { gradcheck, withoutRecording } from './gradients.js';
import { LiveHandles } from './live_handles.js';
import { Plugins } from './plugins.js';
import { Tensor, createTensorClass, requireTensor } from './tensor.js';

/** @typedef {import('./core_module.js').CoreModule} CoreModule */
/** @typedef {import('./core_module.js').CoreCallbacks} CoreCallbacks */
/** @typedef {import('./load.js').WasmSource} WasmSource */
/** @typedef {import('./tensor.js').TensorClass} TensorClass */

/**
 * Notes a tensor for release at the end of asyncTidy, and gives it back.
 * @typedef {<T extends Tensor>(tensor: T) => T} Use
 */

/**
 * @typedef {object} InitOptions
 * @property {boolean} [debug] records where each tensor and layer was made, for liveHandles(); slow
 * @property {(plugin: string, message: string) => void} [onLog] called with each line that a compiled plugin logs; by
 *   default they go nowhere. What it throws is dropped
 * @property {WasmSource} [wasm] the core's .wasm: an address, its bytes, or a compiled module; by default it is found
 *   beside this package's code
 * @property {WasmSource} [inspector] the same of inspector.wasm, which reads the files of plugins; it is fetched when
 *   the first is given to loadPlugin or inspectPlugin
 */

/** @typedef {{ inspector: WasmSource }} Parts */

/**
 * How to make a compiled core: Emscripten's factory, and where its .wasm is.
 * @typedef {object} CoreBuild
 * @property {(options: object) => Promise<unknown>} create
 * @property {URL | WebAssembly.Module} wasm
 * @property {() => Promise<Parts> | Parts} parts gives where what is fetched once it is needed is
 * @property {WebAssembly.Memory} [memory] by default it makes one, which may grow to 2 GiB
 * @property {number} [memoryLimit] the maximum of that, in bytes
 */

/**
 * What is alive in an instance.
 * @typedef {object} MemoryReport
 * @property {number} tensors
 * @property {number} bytes of the tensors' elements
 * @property {number} layers
 * @property {number} ops those of the application and of plugins
 * @property {number} plugins compiled ones and JavaScript ones
 * @property {number} callbacks JavaScript functions that the core holds
 */

/**
 * Emscripten's factory waits for ever when instantiation fails, so that is waited for here.
 * @param {CoreBuild} build
 * @param {WebAssembly.Module} wasm
 * @param {CoreCallbacks} callbacks
 * @returns {Promise<CoreModule>}
 */
function instantiate(build, wasm, callbacks) {
  return new Promise((resolve, reject) => {
    const options = {
      callbacks,
      ...(build.memory ? { wasmMemory: build.memory } : {}),
      /**
       * @param {WebAssembly.Imports} imports
       * @param {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} receive
       */
      instantiateWasm(imports, receive) {
        // Of a module that is not the core's, `receive` throws.
        WebAssembly.instantiate(wasm, imports).then((instance) => receive(instance, wasm)).catch(reject);
        return {};
      },
    };
    build.create(options).then((module) => resolve(/** @type {CoreModule} */ (module)), reject);
  });
}

/** An engine of its own: memory, ops, layers and plugins. `init` makes one. */
export class MiniTensor {
  #core;

  /**
   * @param {Core} core
   * @internal
   */
  constructor(core) {
    this.#core = core;
    /** The class of this instance's tensors. @readonly */
    this.Tensor = createTensorClass(core);
    /** The operations beside the engine's own. @readonly */
    this.customOps = new CustomOps(core);
    /** Everything about plugins and layers. @readonly */
    this.plugins = new Plugins(core);
    Object.assign(
      this,
      createOps(
        (name, inputs, attributes) => executeOn(core, name, inputs, attributes),
        (name, inputs, attributes) => executeManyOn(core, name, inputs, attributes),
      ),
    );
  }

  /**
   * Runs `fn`, and releases every tensor that was made meanwhile but for those in what it returns (a tensor, or arrays
   * and plain objects of them) and those given to `keep`.
   * @template T
   * @param {() => T} fn not asynchronous
   * @returns {T}
   */
  tidy(fn) {
    requireFunction(fn, 'tidy: fn');
    return this.#core.scopes.run(() => {
      const value = fn();
      if (value instanceof Promise) {
        throw new TypeError('tidy: fn gave a Promise, whose tensors would be released too early; use asyncTidy');
      }
      return value;
    }, tensorsIn);
  }

  /**
   * Runs an asynchronous `fn`, and releases the tensors that it gave to `use` when it has ended, but for those in what
   * it resolves to. Only those: between two awaits other code runs, whose tensors are its own.
   * @template T
   * @param {(use: Use) => T | Promise<T>} fn
   * @returns {Promise<T>}
   */
  async asyncTidy(fn) {
    requireFunction(fn, 'asyncTidy: fn');
    /** @type {Set<Tensor>} */
    const used = new Set();
    try {
      const value = await fn((tensor) => {
        requireTensor(this.#core, tensor, 'asyncTidy: what was given to use');
        used.add(tensor);
        return tensor;
      });
      for (const tensor of tensorsIn(value)) used.delete(tensor);
      return value;
    } finally {
      for (const tensor of used) tensor.dispose();
    }
  }

  /**
   * Runs `fn`, in which nothing is recorded for gradients.
   * @template T
   * @param {() => T} fn not asynchronous
   * @returns {T}
   */
  noGrad(fn) {
    return withoutRecording(this.#core, fn);
  }

  /**
   * Compares the gradients of a function with differences of its values (central ones, in float64). A MiniTensorError
   * with the code MT_GRADCHECK says which element differs, and by what.
   * @param {(...inputs: Tensor[]) => Tensor} fn the same function at each call; it is given float64 tensors
   * @param {readonly Tensor[]} inputs where to compare; away from kinks
   * @param {import('./gradients.js').GradcheckOptions} [options]
   */
  gradcheck(fn, inputs, options) {
    requireFunction(fn, 'gradcheck: fn');
    requireArray(inputs, 'gradcheck: inputs');
    for (const input of inputs) requireTensor(this.#core, input, 'gradcheck: an input');
    /** @param {Tensor[]} given */
    const checked = (...given) => {
      const output = fn(...given);
      requireTensor(this.#core, output, 'gradcheck: what fn gave');
      return output;
    };
    this.tidy(() => gradcheck(this.Tensor, checked, inputs, options));
  }

  /**
   * Has a tensor outlive every `tidy`, and the op or layer, that it was made in.
   * @template {Tensor} T
   * @param {T} tensor
   * @returns {T}
   */
  keep(tensor) {
    requireTensor(this.#core, tensor, 'keep: tensor');
    this.#core.scopes.keep(tensor);
    return tensor;
  }

  /**
   * Begins the stream of random numbers anew that `rand`, `randn`, `randint`, `permutation` and whatever else is random
   * draws from. A new instance begins with seed 0.
   * @param {number} seed an integer from 0 to 2^53 - 1
   */
  manualSeed(seed) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new ValueError(`manualSeed: the seed must be an integer from 0 to 2^53 - 1, not ${show(seed)}`);
    }
    this.#core.invoke((module) => module.manualSeed(seed));
  }

  /**
   * What is alive.
   * @returns {MemoryReport}
   */
  memory() {
    const { tensors, bytes, layers, ops, plugins } = this.#core.invoke((module) => module.countLive());
    const { callbacks } = this.#core;
    return { tensors, bytes, layers, ops, plugins: plugins + callbacks.count('plugin'), callbacks: callbacks.size };
  }

  /**
   * What is alive and was made by JavaScript, with the stack trace of where. Only of an instance made with
   * `init({ debug: true })`.
   */
  liveHandles() {
    const handles = this.#core.module && this.#core.liveHandles;
    if (!handles) {
      throw new ValueError('liveHandles: nothing is recorded; make the instance with init({ debug: true })');
    }
    return handles.list();
  }

  get isClosed() {
    return this.#core.isClosed;
  }

  /**
   * Releases the instance with everything in it. Compiled plugins are unloaded, so that their cleanup runs; callbacks
   * of JavaScript plugins are not called. Whatever of the instance is used afterwards throws a MiniTensorError. Nothing
   * happens the second time.
   */
  close() {
    this.#core.close();
  }
}

makeDisposable(MiniTensor.prototype, MiniTensor.prototype.close);

/**
 * @param {unknown} value
 * @param {Set<unknown>} [seen] arrays and objects, which may refer to each other
 * @returns {Generator<Tensor>}
 */
function* tensorsIn(value, seen = new Set()) {
  if (value instanceof Tensor) {
    yield value;
  } else if ((Array.isArray(value) || isPlainObject(value)) && !seen.has(value)) {
    seen.add(value);
    for (const item of Object.values(value)) yield* tensorsIn(item, seen);
  }
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isPlainObject(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * @param {CoreBuild} build
 * @param {unknown} [options]
 * @returns {Promise<import('./exports.js').MiniTensor>}
 */
export async function createInstance(build, options = {}) {
  requireObject(options, 'init: options');
  const source = /** @type {WasmSource} */ (options.wasm ?? build.wasm);
  const given = /** @type {WasmSource | undefined} */ (options.inspector);
  const core = new Core(async () => given ?? (await build.parts()).inspector);
  if (build.memoryLimit !== undefined) core.memoryLimit = build.memoryLimit;
  if (options.debug) core.liveHandles = new LiveHandles();
  if (options.onLog !== undefined) {
    requireFunction(options.onLog, 'init: onLog');
    core.callbacks.onLog = /** @type {(plugin: string, message: string) => void} */ (options.onLog);
  }
  try {
    const wasm = await compileOnce(source);
    core.attach(await instantiate(build, wasm, core.callbacks), wasm);
  } catch (cause) {
    const where = source instanceof URL || typeof source === 'string' ? ` from ${source}` : '';
    const reason = cause instanceof Error ? cause.message : cause;
    throw new MiniTensorError(`init: the core cannot be started${where}: ${reason}`, { code: 'MT_INIT', cause });
  }
  return /** @type {MiniTensor & import('./generated/ops.js').Ops} */ (new MiniTensor(core));
}
