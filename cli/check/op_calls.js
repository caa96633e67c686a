/*
 * Calls of one op, with what must hold of each.
 */
import { DTypeError, MiniTensorError, PluginError } from 'minitensor';

import { describeInputs, makeInputs, sizeOf, tensorOf } from './inputs.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').DType} DType */
/** @typedef {import('./inputs.js').Inputs} Inputs */
/** @typedef {import('./inputs.js').Attributes} Attributes */

/** @typedef {{ check: string, message: string }} Problem */

/** The op is not called again after it. */
export class Fault extends Error {}

export class OpCalls {
  #mt;
  #name;
  #problems;
  /** @type {Set<string>} */
  #found = new Set();
  /** What the op is called with. @type {Attributes} */
  attributes = {};
  /** What the last error said. */
  refusal = '';
  /** Whether that was about a dtype. */
  refusedDtype = false;

  /**
   * @param {MiniTensor} mt
   * @param {string} name
   * @param {Problem[]} problems to add to
   */
  constructor(mt, name, problems) {
    this.#mt = mt;
    this.#name = name;
    this.#problems = problems;
  }

  /** @param {Inputs} inputs */
  describe(inputs) {
    const attributes = Object.entries(this.attributes).map(([name, value]) => `, ${name} = ${value}`);
    return `${describeInputs(inputs)}${attributes.join('')}`;
  }

  /**
   * @param {readonly Tensor[]} tensors
   * @param {Inputs} inputs
   * @param {number} garbage what is likely to be in the memory that the output is made in
   * @param {Tensor} [like] the output's shape, where it is known
   * @returns {Tensor | null} null: it does not take them
   */
  execute(tensors, inputs, garbage, like) {
    const { shape, dtype } = like ?? tensors[0] ?? { shape: [1], dtype: /** @type {DType} */ ('float32') };
    tensorOf(this.#mt, new Float64Array(sizeOf(shape)).fill(garbage), shape, dtype).dispose();
    return this.guarded(inputs, 'forward', () => this.#mt.customOps.execute(this.#name, tensors, this.attributes));
  }

  /**
   * @template T
   * @param {Inputs} inputs
   * @param {string} what
   * @param {() => T} call
   * @returns {T | null} null: refused, with an error as it should be
   */
  guarded(inputs, what, call) {
    try {
      return call();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.refusal = reason;
      this.refusedDtype = error instanceof DTypeError;
      if (error instanceof MiniTensorError && !(error instanceof PluginError)) return null;
      this.problem('faults', `${what}: ${reason}`, inputs);
      throw new Fault(reason, { cause: error });
    }
  }

  /**
   * @param {Inputs} inputs
   * @returns {readonly ArrayLike<number>[]} with respect to the output's sum
   */
  gradientsOf(inputs) {
    const tensors = makeInputs(this.#mt, inputs);
    const before = tensors.map((tensor) => tensor.toTypedArray());
    const output = this.execute(tensors, inputs, 0);
    if (!output) return [];
    const ones = tensorOf(this.#mt, new Float64Array(sizeOf(output.shape)).fill(1), output.shape, output.dtype);
    const gradients = this.guarded(inputs, 'backward', () =>
      this.#mt.customOps.gradients(this.#name, tensors, ones, this.attributes));
    this.requireUnchanged(tensors, before, inputs, 'backward');
    if (gradients) return gradients.map((gradient) => gradient.toTypedArray());
    this.problem('gradients', `backward refuses what forward takes (${this.refusal})`, inputs);
    return [];
  }

  /**
   * @param {readonly Tensor[]} tensors
   * @param {readonly (Float32Array | Float64Array)[]} before
   * @param {Inputs} inputs
   * @param {string} what
   */
  requireUnchanged(tensors, before, inputs, what) {
    for (const [i, tensor] of tensors.entries()) {
      if (same(tensor.toTypedArray(), before[i] ?? [])) continue;
      this.problem('inputs unchanged', `${what} writes to input ${i}`, inputs);
    }
  }

  /**
   * The first of each kind is enough.
   * @param {string} check
   * @param {string} message
   * @param {Inputs} [inputs] with which it shows
   */
  problem(check, message, inputs) {
    if (this.#found.has(check)) return;
    this.#found.add(check);
    this.#problems.push({ check, message: inputs ? `${message}: ${this.describe(inputs)}` : message });
  }
}

/**
 * To the last bit, but for the kind of NaN.
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
export function same(a, b) {
  return a.length === b.length && Array.from(a).every((value, i) => Object.is(value, b[i]));
}
