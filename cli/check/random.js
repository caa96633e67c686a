/** A source of numbers that are the same on each run (mulberry32). */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} at least 0, less than 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} end */
  below(end) {
    return Math.floor(this.next() * end);
  }

  /** Of a size from 0.1 to 2, and of any sign. */
  signed() {
    const size = this.positive();
    return this.next() < 0.5 ? -size : size;
  }

  /** From 0.1 to 2. */
  positive() {
    return 0.1 + 1.9 * this.next();
  }
}
