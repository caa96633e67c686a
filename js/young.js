/** @typedef {import('./live_handles.js').HandleKind} HandleKind */

const CAPACITY = 64;

/**
 * Objects that were just made. To have the collector watch one costs more than a small op, and most are disposed soon:
 * so that is put off until as many more have been made, or other code runs.
 */
export class Young {
  #finalizers;
  /** @type {object[]} */
  #owners = [];
  /** @type {HandleKind[]} */
  #kinds = [];
  /** @type {number[]} */
  #handles = [];
  #isScheduled = false;

  /** @param {Record<HandleKind, FinalizationRegistry<number>>} finalizers */
  constructor(finalizers) {
    this.#finalizers = finalizers;
  }

  /**
   * @param {object} owner
   * @param {HandleKind} kind
   * @param {number} handle
   */
  add(owner, kind, handle) {
    if (this.#owners.length === CAPACITY) this.#settle();
    this.#owners.push(owner);
    this.#kinds.push(kind);
    this.#handles.push(handle);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#settle();
    });
  }

  /**
   * @param {object} owner
   * @returns {boolean} whether it was still here
   */
  remove(owner) {
    const index = this.#owners.lastIndexOf(owner);
    if (index < 0) return false;
    const last = this.#owners.length - 1;
    // The order does not matter, so that the last one takes the place.
    this.#owners[index] = /** @type {object} */ (this.#owners[last]);
    this.#kinds[index] = /** @type {HandleKind} */ (this.#kinds[last]);
    this.#handles[index] = /** @type {number} */ (this.#handles[last]);
    this.#owners.pop();
    this.#kinds.pop();
    this.#handles.pop();
    return true;
  }

  clear() {
    this.#owners.length = 0;
    this.#kinds.length = 0;
    this.#handles.length = 0;
  }

  #settle() {
    this.#owners.forEach((owner, i) => {
      const kind = /** @type {HandleKind} */ (this.#kinds[i]);
      this.#finalizers[kind].register(owner, /** @type {number} */ (this.#handles[i]), owner);
    });
    this.clear();
  }
}
