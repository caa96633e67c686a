/*
 * One op, with many inputs.
 */
import { describeMismatch, gradcheck } from './gradcheck.js';
import { attributeChoices, attributeVariations, makeInputs, shapeChoices, sizeOf, transposedTwice } from './inputs.js';
import { Fault, OpCalls, same } from './op_calls.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').DType} DType */
/** @typedef {import('./inputs.js').Inputs} Inputs */
/** @typedef {import('./allocations.js').Allocations} Allocations */
/** @typedef {import('./inputs.js').Attributes} Attributes */

/** @typedef {import('./op_calls.js').Problem} Problem */

/**
 * @typedef {object} OpReport
 * @property {string} name
 * @property {number} inputs how many it takes
 * @property {number} accepted how many of the tried inputs it takes
 * @property {number} refused
 * @property {DType[]} dtypes those that it takes
 * @property {{ compared: number, worst: number } | null} gradient how many elements were compared with finite
 *   differences, and the largest difference; null: it has none
 * @property {boolean} stateful whether what compares two results was left out
 * @property {Problem[]} problems
 */

/**
 * @typedef {object} Choices what to try an op with, in place of what is tried with each
 * @property {readonly (readonly number[])[]} [shapes]
 * @property {Attributes} [attributes]
 * @property {boolean} [stateful] what compares two results is left out
 */

/** Of the accepted shapes, how many are tried with special values, with gradients and with mixed dtypes. */
const SPECIAL_CASES = 8;
const GRADIENT_CASES = 12;
const MIXED_CASES = 3;
/** And with other values of attributes. */
const ATTRIBUTE_CASES = 2;
/** Calls after which something that grew each time is a leak. */
const LEAK_CALLS = 8;
/** Sums of float32 and float64 may differ by so much of their size: some ten thousand roundings of float32. */
const FLOAT32_TOLERANCE = 1e-3;

/** The others are tried when it refuses the first. @type {readonly (readonly DType[])[]} */
const DTYPES = [['float32', 'float64'], ['int32', 'int64', 'uint8', 'bool']];

export class OpCheck {
  #mt;
  #name;
  #allocations;
  #say;
  #calls;
  #hasGradient;

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
      stateful: false,
      problems: [],
    };
    this.#calls = new OpCalls(mt, name, this.report.problems);
  }

  /**
   * @param {Choices} choices
   * @returns {OpReport}
   */
  run({ shapes, attributes, stateful = false }) {
    this.report.stateful = stateful;
    const specs = this.#mt.customOps.describe(this.#name).attributes;
    const given = attributes ? [attributes] : attributeChoices(specs);
    const choices = shapes ? [shapes] : shapeChoices(this.report.inputs);
    const before = this.#mt.memory();
    try {
      for (const choice of given) {
        this.#calls.attributes = choice;
        const taken = this.#tryShapes(choices);
        if (taken.length === 0) continue;
        if (!attributes) this.#varyAttributes(attributeVariations(specs, choice), taken);
        break;
      }
      if (this.report.accepted === 0) {
        const tried = `it takes none of the ${this.report.refused} inputs that were tried (${this.#calls.refusal})`;
        this.#calls.problem('inputs', `${tried}; give it others with --shapes or --attributes`);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    const after = this.#mt.memory();
    const [tensors, bytes] = [after.tensors - before.tensors, after.bytes - before.bytes];
    if (tensors !== 0) this.#calls.problem('leaks', `${tensors} tensors (${bytes} bytes) are left`);
    return this.report;
  }

  /**
   * @param {readonly (readonly (readonly number[])[])[]} tried
   * @returns {Inputs[]} those that were taken, small ones first
   */
  #tryShapes(tried) {
    /** @type {Inputs[]} */
    const accepted = [];
    /** @type {Inputs | undefined} */
    let refused;
    for (const [number, group] of DTYPES.entries()) {
      if (number > 0 && (accepted.length > 0 || !this.#calls.refusedDtype)) break;
      for (const [index, shapes] of tried.entries()) {
        for (const dtype of group) {
          /** @type {Inputs} */
          const inputs = { shapes, dtypes: shapes.map(() => dtype), values: 'signed', seed: index };
          if (this.#tryInputs(inputs)) accepted.push(inputs);
          else refused = inputs;
        }
      }
    }
    this.report.dtypes = DTYPES.flat().filter((dtype) => accepted.some(({ dtypes }) => dtypes[0] === dtype));
    // Small ones first, of which there are some with elements and several axes.
    accepted.sort((a, b) => elements(a) - elements(b) || b.shapes.flat().length - a.shapes.flat().length);
    const full = accepted.filter((inputs) => elements(inputs) > 0);
    const empty = accepted.filter((inputs) => elements(inputs) === 0);
    for (const inputs of spread(accepted, SPECIAL_CASES)) this.#tryInputs({ ...inputs, values: 'special' });
    if (this.report.inputs > 1) for (const inputs of full.slice(0, MIXED_CASES)) this.#tryMixed(inputs);
    if (!this.report.stateful) this.#compareDtypes(accepted);
    if (this.#hasGradient) this.#checkGradients(full, empty);
    for (const inputs of [full.at(-1), refused]) if (inputs) this.#checkLeaks(inputs);
    return accepted;
  }

  /**
   * @param {readonly Attributes[]} variations of what it was called with, which it may refuse
   * @param {readonly Inputs[]} taken
   */
  #varyAttributes(variations, taken) {
    const exact = taken.filter((inputs) => elements(inputs) > 0 && inputs.dtypes[0] === 'float64');
    for (const variation of variations) {
      this.#calls.attributes = variation;
      for (const inputs of spread(taken, ATTRIBUTE_CASES)) this.#tryInputs(inputs);
      for (const inputs of exact.slice(0, ATTRIBUTE_CASES)) {
        if (this.#hasGradient && !this.report.stateful && this.#tryInputs(inputs)) this.#compareGradients(inputs);
      }
    }
  }

  /**
   * Runs the op, and all that must hold of a run.
   * @param {Inputs} inputs
   * @returns {boolean} whether it takes them
   */
  #tryInputs(inputs) {
    this.#say(`op "${this.#name}", ${this.#calls.describe(inputs)}`);
    return this.#mt.tidy(() => {
      const tensors = makeInputs(this.#mt, inputs);
      const before = tensors.map((tensor) => tensor.toTypedArray());
      const first = this.#calls.execute(tensors, inputs, 1.5);
      this.#calls.requireUnchanged(tensors, before, inputs, 'forward');
      if (!first) {
        this.report.refused += 1;
        return false;
      }
      this.report.accepted += 1;
      const second = this.#calls.execute(tensors, inputs, -1e9, first);
      if (!this.report.stateful && (!second || !same(first.toTypedArray(), second.toTypedArray()))) {
        this.#calls.problem('determinism', 'the same inputs give another result the second time', inputs);
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
    const result = this.#calls.execute(turned, inputs, 7);
    if (!this.report.stateful && (!result || !same(expected.toTypedArray(), result.toTypedArray()))) {
      this.#calls.problem('strides', 'inputs that are not contiguous give another result', inputs);
    }
    this.#calls.requireUnchanged(turned, before, inputs, 'forward');
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
          this.#calls.execute(makeInputs(this.#mt, inputs), inputs, 0)?.toTypedArray() ?? new Float64Array());
        if (low && high) this.#requireClose(low, high, 'forward', single);
        if (!this.#hasGradient) return;
        const [lowGradients, highGradients] = [single, double].map((inputs) => this.#calls.gradientsOf(inputs));
        for (const [i, gradient] of (lowGradients ?? []).entries()) {
          this.#requireClose(gradient, highGradients?.[i] ?? [], `backward for input ${i}`, single);
        }
      });
    }
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
    this.#calls.problem('dtypes', `${what} in float32 and float64 gives ${values}`, inputs);
  }

  /**
   * @param {readonly Inputs[]} full those with elements
   * @param {readonly Inputs[]} empty
   */
  #checkGradients(full, empty) {
    const exact = full.filter(({ dtypes }) => dtypes[0] === 'float64');
    const inexact = full.filter(({ dtypes }) => dtypes[0] === 'float32');
    const compared = this.report.stateful ? [] : spread(exact.length > 0 ? exact : inexact, GRADIENT_CASES);
    for (const inputs of compared) {
      this.#say(`the gradient of op "${this.#name}", ${this.#calls.describe(inputs)}`);
      // Where the op gives no numbers for negative ones, as a logarithm, positive ones remain.
      if (this.#compareGradients(inputs) === 0) this.#compareGradients({ ...inputs, values: 'positive' });
    }
    for (const inputs of [...full.slice(0, MIXED_CASES), ...empty]) {
      this.#mt.tidy(() => void this.#calls.gradientsOf(inputs));
    }
    if (this.report.gradient?.compared === 0 && compared.length > 0) {
      this.#calls.problem('gradients', 'nothing could be compared, since the results are no finite numbers');
    }
  }

  /**
   * @param {Inputs} inputs
   * @returns {number} how many elements were compared
   */
  #compareGradients(inputs) {
    return this.#mt.tidy(() => {
      const tensors = makeInputs(this.#mt, inputs);
      const result = this.#calls.guarded(inputs, 'backward', () =>
        gradcheck(this.#mt, this.#name, tensors, this.#calls.attributes, inputs.seed));
      const report = this.report.gradient;
      if (!result || !report) return 0;
      report.compared += result.compared;
      report.worst = Math.max(report.worst, result.worst);
      if (result.mismatch) this.#calls.problem('gradients', describeMismatch(result.mismatch), inputs);
      return result.compared;
    });
  }

  /**
   * What the plugin takes of the allocator in each call, and does not give back.
   * @param {Inputs} inputs that it takes, or that it refuses
   */
  #checkLeaks(inputs) {
    /** @type {[string, (tensors: readonly Tensor[]) => unknown][]} */
    const calls = [['forward', (tensors) => this.#calls.execute(tensors, inputs, 0)]];
    if (this.#hasGradient) calls.push(['backward', () => this.#calls.gradientsOf(inputs)]);
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
        this.#calls.problem('leaks', `${what} keeps ${growth.at(-1)} bytes in each call`, inputs);
      }
    }
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
