/*
 * What a plugin has taken of the allocator and not given back, and what it does to memory that it has not. A plugin
 * gets malloc and its kind as imports, so they are replaced where WebAssembly links them.
 */

/** @typedef {(...args: number[]) => number} Allocate */

/** Bytes after each block, which the plugin must leave as they are. */
const MARGIN = 16;
const MARGIN_BYTE = 0xb7;
/** What is freed is filled with, while it is watched. */
const FREED_BYTE = 0xdd;
/** So many bytes from its start, at most. */
const WATCHED_BYTES = 1024;
/** Blocks that are freed are watched until they have so many bytes. */
const MOST_FREED = 2 ** 20;
/** Margins of so many blocks are looked at after a call; those of others when they are freed. */
const MOST_MARGINS = 1000;

/** The one plugin that is linked while this counts. */
export class Allocations {
  /** Sizes by address. @type {Map<number, number>} */
  #blocks = new Map();
  /**
   * Sizes by address of those that the plugin has freed, and the allocator has not been given.
   * @type {Map<number, number>}
   */
  #freed = new Map();
  #freedBytes = 0;
  /** @type {(address: number) => void} */
  #release = () => {};
  #isWatching = false;
  #misuse = '';
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

  /** From now on, what the plugin frees is kept from the allocator, to see whether the plugin still writes to it. */
  watch() {
    this.#isWatching = true;
  }

  /**
   * Ends watch().
   * @returns {string} what the plugin has done to memory that it has not; empty: nothing
   */
  settle() {
    this.#isWatching = false;
    this.#releaseFreed();
    if (this.#blocks.size <= MOST_MARGINS) {
      for (const [address, size] of this.#blocks) this.#requireMargin(address, size);
    }
    const misuse = this.#misuse;
    this.#misuse = '';
    return misuse;
  }

  /**
   * @param {WebAssembly.Imports} imports of a plugin
   * @returns {WebAssembly.Imports} the same, but that what it allocates is counted
   */
  counting(imports) {
    const env = /** @type {WebAssembly.ModuleImports} */ (imports.env);
    this.#linked += 1;
    this.#memory = /** @type {WebAssembly.Memory} */ (env.memory);
    this.#table = /** @type {WebAssembly.Table} */ (env.__indirect_function_table);
    this.#release = /** @type {(address: number) => void} */ (env.free);
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
        return (/** @type {number} */ size) => this.#note(call(withMargin(size)), size);
      case 'calloc':
        return (/** @type {number} */ count, /** @type {number} */ size) => {
          const bytes = (count >>> 0) * (size >>> 0);
          return this.#note(call(1, withMargin(bytes)), bytes);
        };
      case 'aligned_alloc':
        return (/** @type {number} */ align, /** @type {number} */ size) =>
          this.#note(call(align, withMargin(size)), size);
      case 'realloc':
        return (/** @type {number} */ old, /** @type {number} */ size) => {
          if (this.#freed.has(old)) return this.#noteMisuse('reallocates memory that it has freed');
          this.#requireMargin(old, this.#blocks.get(old));
          const address = call(old, (size >>> 0) === 0 ? 0 : withMargin(size));
          if (address || size === 0) this.#blocks.delete(old);
          return this.#note(address, size);
        };
      case 'posix_memalign':
        return (/** @type {number} */ out, /** @type {number} */ align, /** @type {number} */ size) => {
          const status = call(out, align, withMargin(size));
          const view = new DataView(/** @type {WebAssembly.Memory} */ (this.#memory).buffer);
          if (status === 0) this.#note(view.getUint32(out >>> 0, true), size);
          return status;
        };
      case 'free':
        return (/** @type {number} */ address) => this.#free(address);
      default:
        return value;
    }
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  #note(address, size) {
    if (!address) return address;
    this.#blocks.set(address, size >>> 0);
    this.#bytesAt(address + (size >>> 0), MARGIN).fill(MARGIN_BYTE);
    return address;
  }

  /** @param {number} address */
  #free(address) {
    if (this.#freed.has(address)) return void this.#noteMisuse('frees memory twice');
    const size = this.#blocks.get(address);
    this.#requireMargin(address, size);
    this.#blocks.delete(address);
    if (!this.#isWatching || size === undefined) return this.#release(address);
    this.#bytesAt(address, Math.min(size, WATCHED_BYTES)).fill(FREED_BYTE);
    this.#freed.set(address, size);
    this.#freedBytes += size;
    if (this.#freedBytes > MOST_FREED) this.#releaseFreed();
  }

  /** What was freed goes to the allocator. */
  #releaseFreed() {
    for (const [address, size] of this.#freed) {
      if (!this.#bytesAt(address, Math.min(size, WATCHED_BYTES)).every((byte) => byte === FREED_BYTE)) {
        this.#noteMisuse('writes to memory that it has freed');
      }
      this.#release(address);
    }
    this.#freed.clear();
    this.#freedBytes = 0;
  }

  /**
   * @param {number} address
   * @param {number | undefined} size undefined: it is none of the blocks
   */
  #requireMargin(address, size) {
    if (size === undefined) return;
    if (this.#bytesAt(address + size, MARGIN).every((byte) => byte === MARGIN_BYTE)) return;
    this.#noteMisuse('writes beyond the end of memory that it has allocated');
  }

  /** @param {string} what the plugin does */
  #noteMisuse(what) {
    this.#misuse ||= what;
    return 0;
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  #bytesAt(address, size) {
    return new Uint8Array(/** @type {WebAssembly.Memory} */ (this.#memory).buffer, address >>> 0, size);
  }
}

/**
 * @param {number} size that a plugin asks for
 * @returns {number} what the allocator is asked for: as much too much, where it was too much
 */
function withMargin(size) {
  return Math.min((size >>> 0) + MARGIN, 0xffffffff);
}
