/*
 * Calls of one op, with what must hold of each.
 */
import { describeInputs, isFloating, makeInputs, sizeOf, tensorOf } from './inputs.js';
import { DAMAGED } from './plugin_memory.js';
import { Refusals, judge } from './refusals.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').DType} DType */
/** @typedef {import('./inputs.js').Elements} Elements */
/** @typedef {import('./inputs.js').Inputs} Inputs */
/** @typedef {import('./inputs.js').Attributes} Attributes */
/** @typedef {import('./plugin_memory.js').PluginMemory} PluginMemory */

/** @typedef {{ check: string, message: string }} Problem */

/** The op is not called again after it. */
export class Fault extends Error {}

export class OpCalls {
  #mt;
  #name;
  #memory;
  #problems;
  /** @type {Set<string>} */
  #found = new Set();
  /** What the op is called with. @type {Attributes} */
  attributes = {};
  /** What it was called with last. @type {Inputs | undefined} */
  last = undefined;
  /** Why it did not take what it was called with last. @type {unknown} */
  refusal = undefined;
  refusals = new Refusals();

  /**
   * @param {MiniTensor} mt
   * @param {string} name
   * @param {PluginMemory} memory
   * @param {Problem[]} problems to add to
   */
  constructor(mt, name, memory, problems) {
    this.#mt = mt;
    this.#name = name;
    this.#memory = memory;
    this.#problems = problems;
  }

  /** @param {Inputs} inputs */
  describe(inputs) {
    const attributes = Object.entries(this.attributes).map(([name, value]) => `, ${name} = ${value}`);
    return `${describeInputs(inputs)}${attributes.join('')}`;
  }

  /**
   * Whether the op takes the inputs. What it does to memory that is not its own is found.
   * @param {readonly Tensor[]} tensors
   * @param {Inputs} inputs
   * @returns {boolean}
   */
  takes(tensors, inputs) {
    return this.#watched(inputs, 'forward', () => this.#mt.customOps.execute(this.#name, tensors, this.attributes));
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
    this.last = inputs;
    try {
      return call();
    } catch (error) {
      this.#requireRefusal(error, what, inputs);
      return null;
    }
  }

  /**
   * @param {Inputs} inputs
   * @param {string} what
   * @param {() => Tensor | readonly Tensor[]} call whose result is worth nothing
   * @returns {boolean} false: refused, with an error as it should be
   */
  #watched(inputs, what, call) {
    this.last = inputs;
    const { found, error } = this.#memory.watched(call);
    if (found) this.#fault(`${what} ${found}`, inputs, error);
    if (error === undefined) return true;
    this.#requireRefusal(error, what, inputs);
    return false;
  }

  /**
   * @param {unknown} error
   * @param {string} what
   * @param {Inputs} inputs
   */
  #requireRefusal(error, what, inputs) {
    const { reason, isFault } = judge(error);
    this.refusal = error;
    if (isFault || /: output_shape: negative size/.test(reason)) this.#fault(`${what}: ${reason}`, inputs, error);
  }

  /**
   * @param {string} message
   * @param {Inputs} inputs
   * @param {unknown} cause
   * @returns {never}
   */
  #fault(message, inputs, cause) {
    this.problem('faults', message, inputs);
    throw new Fault(message, { cause });
  }

  /** The engine has failed, after what was called last. */
  noteDamage() {
    const place = this.last ? this.describe(this.last) : 'the start';
    this.problem('faults', `${DAMAGED} It was at: ${place}`);
  }

  /**
   * Runs backward, and all that must hold of a run, for what forward takes.
   * @param {Inputs} inputs
   * @param {boolean} isStateful it need not give the same twice
   */
  checkBackward(inputs, isStateful) {
    const tensors = makeInputs(this.#mt, inputs);
    const output = this.execute(tensors, inputs, 0);
    if (!output || !isFloating(output.dtype)) return;
    const ones = tensorOf(this.#mt, new Float64Array(sizeOf(output.shape)).fill(1), output.shape, output.dtype);
    const gradients = () => this.#mt.customOps.gradients(this.#name, tensors, ones, this.attributes);
    if (!this.#watched(inputs, 'backward', gradients)) return this.#noteRefused(inputs);
    const [first, second] = [1, 2].map(() => this.gradientsOf(inputs));
    const isSame = first?.every((gradient, i) => same(gradient, second?.[i] ?? []));
    if (!isSame && !isStateful) {
      this.problem('determinism', 'the same inputs give another gradient the second time', inputs);
    }
  }

  /** @param {Inputs} inputs */
  #noteRefused(inputs) {
    const reason = this.refusal instanceof Error ? this.refusal.message : '';
    this.problem('gradients', `backward refuses what forward takes (${reason})`, inputs);
  }

  /**
   * @param {Inputs} inputs
   * @returns {readonly Elements[]} with respect to the output's sum; empty where there are none
   */
  gradientsOf(inputs) {
    const tensors = makeInputs(this.#mt, inputs);
    const before = tensors.map((tensor) => tensor.toTypedArray());
    const output = this.execute(tensors, inputs, 0);
    // Nothing is a gradient of whole numbers.
    if (!output || !isFloating(output.dtype)) return [];
    const ones = tensorOf(this.#mt, new Float64Array(sizeOf(output.shape)).fill(1), output.shape, output.dtype);
    const gradients = this.guarded(inputs, 'backward', () =>
      this.#mt.customOps.gradients(this.#name, tensors, ones, this.attributes));
    this.requireUnchanged(tensors, before, inputs, 'backward');
    if (gradients) return gradients.map((gradient) => gradient.toTypedArray());
    this.#noteRefused(inputs);
    return [];
  }

  /**
   * @param {readonly Tensor[]} tensors
   * @param {readonly Elements[]} before
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
 * @param {ArrayLike<unknown>} a
 * @param {ArrayLike<unknown>} b
 */
export function same(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
