/*
 * What a plugin has taken of the allocator and not given back. A plugin gets malloc and its kind as imports, so they
 * are counted where WebAssembly links them, without the engine's knowing.
 */

/** @typedef {(...args: number[]) => number} Allocate */

/** The one plugin that is linked while this counts. */
export class Allocations {
  /** Sizes by address. @type {Map<number, number>} */
  #blocks = new Map();
  /** @type {WebAssembly.Memory | undefined} */
  #memory;
  /** @type {WebAssembly.Table | undefined} */
  #table;
  #linked = 0;

  /** Bytes that the plugin holds. */
  get bytes() {
    return [...this.#blocks.values()].reduce((sum, size) => sum + size, 0);
  }

  /** How often a plugin was linked. */
  get linked() {
    return this.#linked;
  }

  /** The sizes of what all share. */
  get shared() {
    return { memory: this.#memory?.buffer.byteLength ?? 0, table: this.#table?.length ?? 0 };
  }

  /** What the last plugin has left is no longer counted. */
  forget() {
    this.#blocks.clear();
  }

  /** From now on, what is linked with an allocator and a base of its memory is counted. */
  install() {
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
      construct: (target, [module, imports]) => Reflect.construct(target, [module, this.#counting(imports)]),
    });
    WebAssembly.instantiate = new Proxy(WebAssembly.instantiate, {
      apply: (target, self, [source, imports]) => Reflect.apply(target, self, [source, this.#counting(imports)]),
    });
  }

  /**
   * @param {WebAssembly.Imports | undefined} imports
   * @returns {WebAssembly.Imports | undefined}
   */
  #counting(imports) {
    const { env } = imports ?? {};
    if (!env || !('__memory_base' in env)) return imports;
    this.#linked += 1;
    this.#memory = /** @type {WebAssembly.Memory} */ (env.memory);
    this.#table = /** @type {WebAssembly.Table} */ (env.__indirect_function_table);
    const get = (/** @type {WebAssembly.ModuleImports} */ target, /** @type {string | symbol} */ name) =>
      this.#wrap(String(name), Reflect.get(target, name));
    return { ...imports, env: new Proxy(env, { get }) };
  }

  /**
   * @param {string} name
   * @param {WebAssembly.ImportValue} value
   * @returns {WebAssembly.ImportValue}
   */
  #wrap(name, value) {
    if (typeof value !== 'function') return value;
    const call = /** @type {Allocate} */ (value);
    switch (name) {
      case 'malloc':
        return (/** @type {number} */ size) => this.#note(call(size), size);
      case 'calloc':
      case '__libc_calloc':
        return (/** @type {number} */ count, /** @type {number} */ size) => this.#note(call(count, size), count * size);
      case 'aligned_alloc':
        return (/** @type {number} */ align, /** @type {number} */ size) => this.#note(call(align, size), size);
      case 'realloc':
        return (/** @type {number} */ old, /** @type {number} */ size) => {
          const address = call(old, size);
          if (address || size === 0) this.#blocks.delete(old);
          return this.#note(address, size);
        };
      case 'posix_memalign':
        return (/** @type {number} */ out, /** @type {number} */ align, /** @type {number} */ size) => {
          const status = call(out, align, size);
          const view = new DataView(/** @type {WebAssembly.Memory} */ (this.#memory).buffer);
          if (status === 0) this.#note(view.getUint32(out, true), size);
          return status;
        };
      case 'free':
        return (/** @type {number} */ address) => {
          this.#blocks.delete(address);
          call(address);
        };
      default:
        return value;
    }
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  #note(address, size) {
    if (address) this.#blocks.set(address, size);
    return address;
  }
}
