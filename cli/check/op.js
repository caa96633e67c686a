/*
 * One op, with many inputs.
 */
import { MiniTensorError, PluginError } from 'minitensor';

import { describeMismatch, gradcheck } from './gradcheck.js';
import {
  attributeChoices, describeInputs, makeInputs, shapeChoices, sizeOf, tensorOf, transposedTwice,
} from './inputs.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').DType} DType */
/** @typedef {import('./inputs.js').Inputs} Inputs */
/** @typedef {import('./allocations.js').Allocations} Allocations */
/** @typedef {Record<string, number | string | boolean | readonly number[]>} Attributes */

/** @typedef {{ check: string, message: string }} Problem */

/**
 * @typedef {object} OpReport
 * @property {string} name
 * @property {number} inputs how many it takes
 * @property {number} accepted how many of the tried inputs it takes
 * @property {number} refused
 * @property {DType[]} dtypes those that it takes
 * @property {{ compared: number, worst: number } | null} gradient how many elements were compared with finite
 *   differences, and the largest difference; null: it has none
 * @property {Problem[]} problems
 */

/**
 * @typedef {object} Choices what to try an op with, in place of what is tried with each
 * @property {readonly (readonly number[])[]} [shapes]
 * @property {Attributes} [attributes]
 */

/** Of the accepted shapes, how many are tried with special values, with gradients and with mixed dtypes. */
const SPECIAL_CASES = 8;
const GRADIENT_CASES = 12;
const MIXED_CASES = 3;
/** Calls after which something that grew each time is a leak. */
const LEAK_CALLS = 8;
/** Sums of float32 and float64 may differ by so much of their size: some ten thousand roundings of float32. */
const FLOAT32_TOLERANCE = 1e-3;

/** @type {readonly DType[]} */
const DTYPES = ['float32', 'float64'];

/** The op is not called again after it. */
class Fault extends Error {}

export class OpCheck {
  #mt;
  #name;
  #allocations;
  #say;
  /** @type {Attributes} */
  #attributes = {};
  #hasGradient;
  /** What the last error said. */
  #refusal = '';
  /** @type {Set<string>} */
  #found = new Set();

  /**
   * @param {MiniTensor} mt
   * @param {string} name
   * @param {Allocations} allocations
   * @param {(what: string) => void} say
   */
  constructor(mt, name, allocations, say) {
    this.#mt = mt;
    this.#name = name;
    this.#allocations = allocations;
    this.#say = say;
    const { inputs, hasGradient } = mt.customOps.describe(name);
    this.#hasGradient = hasGradient;
    /** @type {OpReport} */
    this.report = {
      name,
      inputs: inputs.length,
      accepted: 0,
      refused: 0,
      dtypes: [],
      gradient: hasGradient ? { compared: 0, worst: 0 } : null,
      problems: [],
    };
  }

  /**
   * @param {Choices} choices
   * @returns {OpReport}
   */
  run({ shapes, attributes }) {
    const specs = this.#mt.customOps.describe(this.#name).attributes;
    const given = attributes ? [attributes] : attributeChoices(specs);
    const choices = shapes ? [shapes] : shapeChoices(this.report.inputs);
    const before = this.#mt.memory();
    try {
      for (const choice of given) {
        this.#attributes = choice;
        if (this.#tryShapes(choices)) break;
      }
      if (this.report.accepted === 0) {
        const tried = `it takes none of the ${this.report.refused} inputs that were tried (${this.#refusal})`;
        this.#problem('inputs', `${tried}; give it others with --shapes or --attributes`);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    const after = this.#mt.memory();
    const [tensors, bytes] = [after.tensors - before.tensors, after.bytes - before.bytes];
    if (tensors !== 0) this.#problem('leaks', `${tensors} tensors (${bytes} bytes) are left`);
    return this.report;
  }

  /**
   * @param {readonly (readonly (readonly number[])[])[]} tried
   * @returns {boolean} whether some were taken
   */
  #tryShapes(tried) {
    /** @type {Inputs[]} */
    const accepted = [];
    /** @type {Inputs | undefined} */
    let refused;
    for (const [index, shapes] of tried.entries()) {
      for (const dtype of DTYPES) {
        /** @type {Inputs} */
        const inputs = { shapes, dtypes: shapes.map(() => dtype), values: 'signed', seed: index };
        if (this.#tryInputs(inputs)) accepted.push(inputs);
        else refused = inputs;
      }
    }
    this.report.dtypes = DTYPES.filter((dtype) => accepted.some(({ dtypes }) => dtypes[0] === dtype));
    // Small ones first, of which there are some with elements and several axes.
    accepted.sort((a, b) => elements(a) - elements(b) || b.shapes.flat().length - a.shapes.flat().length);
    const full = accepted.filter((inputs) => elements(inputs) > 0);
    const empty = accepted.filter((inputs) => elements(inputs) === 0);
    for (const inputs of spread(accepted, SPECIAL_CASES)) this.#tryInputs({ ...inputs, values: 'special' });
    if (this.report.inputs > 1) for (const inputs of full.slice(0, MIXED_CASES)) this.#tryMixed(inputs);
    this.#compareDtypes(accepted);
    if (this.#hasGradient) this.#checkGradients(full, empty);
    for (const inputs of [full.at(-1), refused]) if (inputs) this.#checkLeaks(inputs);
    return accepted.length > 0;
  }

  /**
   * Runs the op, and all that must hold of a run.
   * @param {Inputs} inputs
   * @returns {boolean} whether it takes them
   */
  #tryInputs(inputs) {
    this.#say(`op "${this.#name}", ${describeInputs(inputs)}`);
    return this.#mt.tidy(() => {
      const tensors = makeInputs(this.#mt, inputs);
      const before = tensors.map((tensor) => tensor.toTypedArray());
      const first = this.#execute(tensors, inputs, 1.5);
      this.#requireUnchanged(tensors, before, inputs, 'forward');
      if (!first) {
        this.report.refused += 1;
        return false;
      }
      this.report.accepted += 1;
      const second = this.#execute(tensors, inputs, -1e9, first);
      if (!second || !same(first.toTypedArray(), second.toTypedArray())) {
        this.#problem('determinism', `the same inputs give another result the second time: ${describeInputs(inputs)}`);
      }
      if (inputs.shapes.some((shape) => shape.length > 1)) this.#tryTransposed(tensors, first, inputs);
      return true;
    });
  }

  /**
   * @param {readonly Tensor[]} tensors
   * @param {Tensor} expected
   * @param {Inputs} inputs
   */
  #tryTransposed(tensors, expected, inputs) {
    const turned = tensors.map((tensor) => transposedTwice(this.#mt, tensor));
    const before = turned.map((tensor) => tensor.toTypedArray());
    const result = this.#execute(turned, inputs, 7);
    if (!result || !same(expected.toTypedArray(), result.toTypedArray())) {
      this.#problem('strides', `inputs that are not contiguous give another result: ${describeInputs(inputs)}`);
    }
    this.#requireUnchanged(turned, before, inputs, 'forward');
  }

  /**
   * @param {readonly Tensor[]} tensors
   * @param {Inputs} inputs
   * @param {number} garbage what is likely to be in the memory that the output is made in
   * @param {Tensor} [like] the output's shape, where it is known
   * @returns {Tensor | null} null: it does not take them
   */
  #execute(tensors, inputs, garbage, like) {
    const { shape, dtype } = like ?? tensors[0] ?? { shape: [1], dtype: /** @type {DType} */ ('float32') };
    tensorOf(this.#mt, new Float64Array(sizeOf(shape)).fill(garbage), shape, dtype).dispose();
    return this.#guarded(inputs, 'forward', () => this.#mt.customOps.execute(this.#name, tensors, this.#attributes));
  }

  /**
   * @template T
   * @param {Inputs} inputs
   * @param {string} what
   * @param {() => T} call
   * @returns {T | null} null: refused, with an error as it should be
   */
  #guarded(inputs, what, call) {
    try {
      return call();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#refusal = reason;
      if (error instanceof MiniTensorError && !(error instanceof PluginError)) return null;
      this.#problem('faults', `${what} of ${describeInputs(inputs)}: ${reason}`);
      throw new Fault(reason, { cause: error });
    }
  }

  /**
   * @param {readonly Tensor[]} tensors
   * @param {readonly (Float32Array | Float64Array)[]} before
   * @param {Inputs} inputs
   * @param {string} what
   */
  #requireUnchanged(tensors, before, inputs, what) {
    for (const [i, tensor] of tensors.entries()) {
      if (same(tensor.toTypedArray(), before[i] ?? [])) continue;
      this.#problem('inputs unchanged', `${what} writes to input ${i}: ${describeInputs(inputs)}`);
    }
  }

  /** @param {Inputs} inputs */
  #tryMixed(inputs) {
    for (const odd of inputs.dtypes.keys()) {
      this.#tryInputs({ ...inputs, dtypes: inputs.dtypes.map((_, i) => (i === odd ? 'float64' : 'float32')) });
    }
  }

  /**
   * What it gives for float32 against what it gives for the same numbers in float64.
   * @param {readonly Inputs[]} accepted
   */
  #compareDtypes(accepted) {
    const singles = accepted.filter(({ dtypes }) => dtypes[0] === 'float32');
    const doubles = accepted.filter(({ dtypes }) => dtypes[0] === 'float64');
    for (const single of singles) {
      const double = doubles.find(({ shapes }) => shapes === single.shapes);
      if (!double) continue;
      this.#mt.tidy(() => {
        const [low, high] = [single, double].map((inputs) =>
          this.#execute(makeInputs(this.#mt, inputs), inputs, 0)?.toTypedArray() ?? new Float64Array());
        if (low && high) this.#requireClose(low, high, 'forward', single);
        if (!this.#hasGradient) return;
        const [lowGradients, highGradients] = [single, double].map((inputs) => this.#gradientsOf(inputs));
        for (const [i, gradient] of (lowGradients ?? []).entries()) {
          this.#requireClose(gradient, highGradients?.[i] ?? [], `backward for input ${i}`, single);
        }
      });
    }
  }

  /**
   * @param {Inputs} inputs
   * @returns {readonly ArrayLike<number>[]} with respect to the output's sum
   */
  #gradientsOf(inputs) {
    const tensors = makeInputs(this.#mt, inputs);
    const before = tensors.map((tensor) => tensor.toTypedArray());
    const output = this.#execute(tensors, inputs, 0);
    if (!output) return [];
    const ones = tensorOf(this.#mt, new Float64Array(sizeOf(output.shape)).fill(1), output.shape, output.dtype);
    const gradients = this.#guarded(inputs, 'backward', () =>
      this.#mt.customOps.gradients(this.#name, tensors, ones, this.#attributes));
    this.#requireUnchanged(tensors, before, inputs, 'backward');
    if (gradients) return gradients.map((gradient) => gradient.toTypedArray());
    this.#problem('gradients', `backward refuses what forward takes, ${describeInputs(inputs)}: ${this.#refusal}`);
    return [];
  }

  /**
   * @param {ArrayLike<number>} low
   * @param {ArrayLike<number>} high
   * @param {string} what
   * @param {Inputs} inputs
   */
  #requireClose(low, high, what, inputs) {
    const finite = Array.from(high).filter(Number.isFinite).map(Math.abs);
    const tolerance = FLOAT32_TOLERANCE * Math.max(1, ...finite);
    const wrong = Array.from(high).findIndex((value, i) => {
      const other = low[i] ?? NaN;
      return Number.isFinite(value) && Number.isFinite(other) && Math.abs(value - other) > tolerance;
    });
    if (wrong < 0 && low.length === high.length) return;
    const values = `${low[wrong]} and ${high[wrong]} at place ${wrong}`;
    this.#problem('dtypes', `${what} in float32 and float64 gives ${values}: ${describeInputs(inputs)}`);
  }

  /**
   * @param {readonly Inputs[]} full those with elements
   * @param {readonly Inputs[]} empty
   */
  #checkGradients(full, empty) {
    const exact = full.filter(({ dtypes }) => dtypes[0] === 'float64');
    const inexact = full.filter(({ dtypes }) => dtypes[0] === 'float32');
    for (const inputs of spread(exact.length > 0 ? exact : inexact, GRADIENT_CASES)) {
      this.#say(`the gradient of op "${this.#name}", ${describeInputs(inputs)}`);
      // Where the op gives no numbers for negative ones, as a logarithm, positive ones remain.
      if (this.#compareGradients(inputs) === 0) this.#compareGradients({ ...inputs, values: 'positive' });
    }
    for (const inputs of [...full.slice(0, MIXED_CASES), ...empty]) this.#mt.tidy(() => this.#gradientsOf(inputs));
    if (this.report.gradient?.compared === 0 && full.length > 0) {
      this.#problem('gradients', 'nothing could be compared, since the results are no finite numbers');
    }
  }

  /**
   * @param {Inputs} inputs
   * @returns {number} how many elements were compared
   */
  #compareGradients(inputs) {
    return this.#mt.tidy(() => {
      const tensors = makeInputs(this.#mt, inputs);
      const result = this.#guarded(inputs, 'backward', () =>
        gradcheck(this.#mt, this.#name, tensors, this.#attributes, inputs.seed));
      const report = this.report.gradient;
      if (!result || !report) return 0;
      report.compared += result.compared;
      report.worst = Math.max(report.worst, result.worst);
      if (result.mismatch) this.#problem('gradients', describeMismatch(result.mismatch, inputs));
      return result.compared;
    });
  }

  /**
   * What the plugin takes of the allocator in each call, and does not give back.
   * @param {Inputs} inputs that it takes, or that it refuses
   */
  #checkLeaks(inputs) {
    /** @type {[string, (tensors: readonly Tensor[]) => unknown][]} */
    const calls = [['forward', (tensors) => this.#execute(tensors, inputs, 0)]];
    if (this.#hasGradient) calls.push(['backward', () => this.#gradientsOf(inputs)]);
    for (const [what, call] of calls) {
      /** @type {number[]} */
      const held = [];
      for (let count = 0; count <= LEAK_CALLS; count++) {
        this.#mt.tidy(() => void call(makeInputs(this.#mt, inputs)));
        held.push(this.#allocations.bytes);
      }
      // A cache may grow now and then; a leak grows each time.
      const growth = held.slice(1).map((bytes, i) => bytes - (held[i] ?? 0));
      if (growth.every((bytes) => bytes > 0)) {
        this.#problem('leaks', `${what} keeps ${growth.at(-1)} bytes in each call: ${describeInputs(inputs)}`);
      }
    }
  }

  /**
   * The first of each kind is enough.
   * @param {string} check
   * @param {string} message
   */
  #problem(check, message) {
    if (this.#found.has(check)) return;
    this.#found.add(check);
    this.report.problems.push({ check, message });
  }
}

/**
 * @param {Inputs} inputs
 * @returns {number} of all inputs; 0 when one has none
 */
function elements({ shapes }) {
  const sizes = shapes.map(sizeOf);
  return sizes.includes(0) ? 0 : sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {number} count
 * @returns {T[]} so many of them, from all over the list
 */
function spread(items, count) {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => /** @type {T} */ (items[Math.floor((i * items.length) / count)]));
}

/**
 * To the last bit, but for the kind of NaN.
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function same(a, b) {
  return a.length === b.length && Array.from(a).every((value, i) => Object.is(value, b[i]));
}
