/** @typedef {import('./tensor.js').Tensor} Tensor */

/** Which tensors are released when a function ends. */
export class Scopes {
  /** @type {Set<Tensor>[]} */
  #stack = [];

  /** @param {Tensor} tensor that was just made */
  track(tensor) {
    this.#stack.at(-1)?.add(tensor);
  }

  /**
   * Takes a tensor out of the scopes that are open, so that it stays alive when they end.
   * @param {Tensor} tensor
   */
  keep(tensor) {
    for (const scope of this.#stack) scope.delete(tensor);
  }

  /**
   * Whether the innermost scope would release this tensor.
   * @param {Tensor} tensor
   */
  owns(tensor) {
    return this.#stack.at(-1)?.has(tensor) ?? false;
  }

  /**
   * Runs `body`. Tensors made meanwhile are released at the end, but for those that `result` finds in what it returned;
   * they pass to the scope outside.
   * @template T
   * @param {() => T} body
   * @param {(value: T) => Iterable<Tensor>} results
   * @returns {T}
   */
  run(body, results) {
    /** @type {Set<Tensor>} */
    const scope = new Set();
    this.#stack.push(scope);
    /** @type {Tensor[]} */
    const kept = [];
    try {
      const value = body();
      for (const tensor of results(value)) {
        if (scope.delete(tensor)) kept.push(tensor);
      }
      return value;
    } finally {
      this.#stack.pop();
      for (const tensor of kept) this.track(tensor);
      for (const tensor of scope) tensor.dispose();
    }
  }
}
