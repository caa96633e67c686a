import { noAttributes } from './attributes.js';
import { MiniTensorError } from './errors.js';

/** @typedef {import('./core.js').Core} Core */

/** What the core calls a callback for. The numbers are those of CallbackRole in bindings/javascript_callback.h. */
export const Role = /** @type {const} */ ({
  opForward: 0,
  opBackward: 1,
  opValidate: 2,
  opOutputShape: 3,
  opOutputDtype: 4,
  layerForward: 5,
  pluginInitialize: 6,
  pluginCleanup: 7,
  pluginCustomOperations: 8,
});

/**
 * Something of JavaScript's that the core calls. `call` gets the handles of the tensors that are lent to it, and the
 * attributes as bytes, and returns numbers for the core; it may throw.
 * @typedef {object} Callback
 * @property {'op' | 'layer' | 'plugin'} kind
 * @property {(role: number, handles: readonly number[], attributes: Uint8Array) => readonly number[]} call
 */

/**
 * How deep callbacks may run within callbacks. The core's stack has room for it (STACK_SIZE in
 * bindings/CMakeLists.txt), and so has the engine's, if the callbacks' own frames are not huge.
 */
const MAX_DEPTH = 100;

const decoder = new TextDecoder();

/** The callbacks that the core knows by number, and what they threw while the core was unwinding. */
export class Callbacks {
  #core;
  /** @type {Map<number, Callback>} */
  #entries = new Map();
  /** @type {Map<number, unknown>} */
  #errors = new Map();
  #lastId = 0;
  #lastError = 0;
  #depth = 0;
  /** Where plugins' log lines go. @type {((plugin: string, message: string) => void) | undefined} */
  onLog = undefined;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  get size() {
    return this.#entries.size;
  }

  /** @param {Callback['kind']} kind */
  count(kind) {
    let count = 0;
    for (const entry of this.#entries.values()) if (entry.kind === kind) count++;
    return count;
  }

  /**
   * @param {Callback} callback
   * @returns {number} its number, until the core releases it
   */
  add(callback) {
    this.#entries.set(++this.#lastId, callback);
    return this.#lastId;
  }

  /** @param {number} id */
  get(id) {
    return this.#entries.get(id);
  }

  clear() {
    this.#entries.clear();
    this.#errors.clear();
  }

  /** @param {number} id */
  release(id) {
    this.#entries.delete(id);
  }

  /**
   * What the core calls. It throws nothing, because an exception must not pass through the core's frames.
   * @type {import('./core_module.js').CoreCallbacks['call']}
   */
  call(id, role, tensors, tensorCount, attributes, attributesSize, results, capacity) {
    return this.#run((core) => {
      const handles = [];
      const { words } = core;
      for (let i = 0; i < tensorCount; i++) handles.push(/** @type {number} */ (words[tensors / 4 + i]));
      const bytes = attributesSize === 0 ? noAttributes : core.bytes.slice(attributes, attributes + attributesSize);
      const callback = this.#entries.get(id);
      if (!callback) throw new Error(`no callback has the number ${id}`);
      const values = callback.call(role, handles, bytes);
      if (values.length > capacity) throw new RangeError(`a callback gave ${values.length} values`);
      const { doubles } = core;
      for (let i = 0; i < values.length; i++) doubles[results / 8 + i] = /** @type {number} */ (values[i]);
      return values.length;
    }, (error) => -this.keep(error));
  }

  /**
   * Keeps what a callback has thrown, or what has stopped a plugin, for takeError.
   * @param {unknown} error
   * @returns {number} its number
   */
  keep(error) {
    // More than this are never on their way: a plugin has caught the others.
    const [oldest] = this.#errors.keys();
    if (oldest !== undefined && this.#errors.size > MAX_DEPTH) this.#errors.delete(oldest);
    this.#errors.set(++this.#lastError, error);
    return this.#lastError;
  }

  /**
   * What the core calls with a line of a plugin's log. As `call`, it throws nothing.
   * @type {import('./core_module.js').CoreCallbacks['log']}
   */
  log(plugin, pluginSize, message, messageSize) {
    const { onLog } = this;
    if (!onLog) return;
    this.#run(({ bytes }) => {
      const text = (/** @type {number} */ at, /** @type {number} */ size) => decoder.decode(bytes.slice(at, at + size));
      onLog(text(plugin, pluginSize), text(message, messageSize));
    }, () => {
      // A log that fails is no reason for the plugin to fail.
    });
  }

  /**
   * Runs what the core has called for, one level deeper; the core's stack and its recording are then as before.
   * @template T
   * @param {(core: Core) => T} body
   * @param {(error: unknown) => T} fail gets what body threw
   * @returns {T}
   */
  #run(body, fail) {
    const core = this.#core;
    const outer = core.stack;
    const outerRecording = core.recording;
    this.#depth++;
    try {
      core.stack = core.module.stackSave();
      core.recording = core.module._mt_is_recording();
      if (this.#depth > MAX_DEPTH) {
        throw new MiniTensorError(`callbacks run within callbacks more than ${MAX_DEPTH} deep`, { code: 'MT_DEPTH' });
      }
      return body(core);
    } catch (error) {
      return fail(error);
    } finally {
      this.#depth--;
      core.stack = outer;
      core.recording = outerRecording;
    }
  }

  /**
   * What was kept under a number. Later ones, that were caught on the way and that nobody will ask for, are dropped
   * with it; an earlier one may be on its way to a caller further out.
   * @param {number} id
   */
  takeError(id) {
    const error = this.#errors.get(id);
    for (const known of this.#errors.keys()) if (known >= id || this.#depth === 0) this.#errors.delete(known);
    return error;
  }
}
