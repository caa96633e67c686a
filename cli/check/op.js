/*
 * One op, with many inputs.
 */
import { DTYPES, declaredDtypes, mixesOf } from './dtypes.js';
import { describeMismatch, gradcheck } from './gradcheck.js';
import {
  attributeChoices, attributeVariations, isFloating, makeInputs, shapeChoices, sizeOf, transposedTwice,
} from './inputs.js';
import { leakOf } from './leaks.js';
import { Fault, OpCalls, same } from './op_calls.js';
import { Damage, isDamage } from './plugin_memory.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').DType} DType */
/** @typedef {import('./inputs.js').Inputs} Inputs */
/** @typedef {import('./plugin_memory.js').PluginMemory} PluginMemory */
/** @typedef {import('./inputs.js').Attributes} Attributes */

/** @typedef {import('./op_calls.js').Problem} Problem */

/**
 * @typedef {object} OpReport
 * @property {string} name
 * @property {number} inputs how many it takes
 * @property {number} accepted how many of the tried inputs it takes
 * @property {number} refused
 * @property {DType[]} dtypes those that it takes
 * @property {{ compared: number, worst: number, output?: DType } | null} gradient how many elements were compared with
 *   finite differences, and the largest difference; null: it has none. `output`: the dtype of its results, when nothing
 *   was compared for that
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
/** Sums of float32 and float64 may differ by so much of their size: some ten thousand roundings of float32. */
const FLOAT32_TOLERANCE = 1e-3;

const SIGNED = /** @type {const} */ ('signed');

export class OpCheck {
  #mt;
  #name;
  #memory;
  #say;
  #calls;
  #hasGradient;
  /** What it did not take, last. @type {Inputs | undefined} */
  #refused;

  /**
   * @param {MiniTensor} mt
   * @param {string} name
   * @param {PluginMemory} memory
   * @param {(what: string) => void} say
   */
  constructor(mt, name, memory, say) {
    this.#mt = mt;
    this.#name = name;
    this.#memory = memory;
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
    this.#calls = new OpCalls(mt, name, memory, this.report.problems);
  }

  /**
   * A Damage when the engine cannot go on.
   * @param {Choices} choices
   * @returns {OpReport}
   */
  run(choices) {
    this.report.stateful = choices.stateful ?? false;
    try {
      this.#run(choices);
    } catch (error) {
      if (!(error instanceof Damage) && !isDamage(error)) throw error;
      this.#calls.noteDamage();
      throw new Damage('', { cause: error });
    }
    return this.report;
  }

  /** @param {Choices} choices */
  #run({ shapes, attributes }) {
    const specs = this.#mt.customOps.describe(this.#name).attributes;
    const given = attributes ? [attributes] : attributeChoices(specs);
    const before = this.#mt.memory();
    try {
      for (const choice of given) {
        this.#calls.attributes = choice;
        const taken = this.#tryShapes(shapes && [shapes]);
        if (taken.length === 0) continue;
        if (!attributes) this.#varyAttributes(attributeVariations(specs, choice), taken);
        break;
      }
      if (this.report.accepted === 0) {
        const tried = `it takes none of the ${this.report.refused} inputs that were tried (${this.#calls.refusals})`;
        this.#calls.problem('inputs', `${tried}; give it others with --shapes or --attributes`);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    const after = this.#mt.memory();
    const [tensors, bytes] = [after.tensors - before.tensors, after.bytes - before.bytes];
    if (tensors !== 0) this.#calls.problem('leaks', `${tensors} tensors (${bytes} bytes) are left`);
  }

  /**
   * @param {readonly (readonly (readonly number[])[])[]} [given] in place of those that are tried with each op
   * @returns {Inputs[]} those that were taken, small ones first
   */
  #tryShapes(given) {
    const accepted = this.#acceptedOf(given);
    this.report.dtypes = DTYPES.filter((dtype) => accepted.some(({ dtypes }) => dtypes.includes(dtype)));
    // Small ones first, of which there are some with elements and several axes.
    accepted.sort((a, b) => elements(a) - elements(b) || b.shapes.flat().length - a.shapes.flat().length);
    const full = accepted.filter((inputs) => elements(inputs) > 0);
    for (const inputs of spread(accepted, SPECIAL_CASES)) this.#tryInputs({ ...inputs, values: 'special' });
    const floating = full.filter(({ dtypes }) => dtypes.every(isFloating));
    if (this.report.inputs > 1) for (const inputs of floating.slice(0, MIXED_CASES)) this.#tryMixed(inputs);
    if (!this.report.stateful) this.#compareDtypes(accepted);
    if (this.#hasGradient) this.#checkGradients(full);
    for (const inputs of [full.at(-1), this.#refused]) if (inputs) this.#checkLeaks(inputs);
    return accepted;
  }

  /**
   * @param {readonly (readonly (readonly number[])[])[]} [given]
   * @returns {Inputs[]} with each dtype that the op declares, and with several
   */
  #acceptedOf(given) {
    const shapes = given ?? shapeChoices(this.report.inputs);
    const declared = this.#declaredOf(shapes[0] ?? []);
    /** @type {Inputs[]} */
    const uniform = shapes.flatMap((choice, seed) =>
      declared.map((dtype) => ({ shapes: choice, dtypes: choice.map(() => dtype), values: SIGNED, seed })));
    const accepted = uniform.filter((inputs) => this.#tryInputs(inputs));
    if (!accepted.some(({ dtypes }) => !dtypes.every(isFloating))) {
      const indices = uniform.filter(({ dtypes }) => !dtypes.every(isFloating));
      for (const inputs of indices) {
        /** @type {Inputs} */
        const small = { ...inputs, values: 'indices' };
        if (this.#tryInputs(small)) accepted.push(small);
      }
    }
    const few = given ?? shapeChoices(this.report.inputs, true);
    for (const dtypes of mixesOf(declared, this.report.inputs)) {
      for (const [seed, choice] of few.entries()) {
        const inputs = { shapes: choice, dtypes, values: SIGNED, seed };
        if (this.#tryInputs(inputs)) accepted.push(inputs);
        else if (isRefusalOfMixes(this.#calls.refusal)) return accepted;
      }
    }
    return accepted;
  }

  /** @param {readonly (readonly number[])[]} shapes */
  #declaredOf(shapes) {
    return declaredDtypes((dtype) => {
      const inputs = { shapes, dtypes: shapes.map(() => dtype), values: SIGNED, seed: 0 };
      this.#say(`op "${this.#name}", ${this.#calls.describe(inputs)}`);
      const isTaken = this.#mt.tidy(() => this.#calls.takes(makeInputs(this.#mt, inputs), inputs));
      return isTaken ? undefined : this.#calls.refusal;
    });
  }

  /**
   * @param {readonly Attributes[]} variations of what it was called with, which it may refuse
   * @param {readonly Inputs[]} taken
   */
  #varyAttributes(variations, taken) {
    const exact = mostExact(taken.filter((inputs) => elements(inputs) > 0));
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
      const first = this.#calls.takes(tensors, inputs) ? this.#calls.execute(tensors, inputs, 1.5) : null;
      this.#calls.requireUnchanged(tensors, before, inputs, 'forward');
      if (!first) {
        this.#calls.refusals.add(this.#calls.refusal);
        this.#refused = inputs;
        this.report.refused += 1;
        return false;
      }
      this.report.accepted += 1;
      const second = this.#calls.execute(tensors, inputs, -1e9, first);
      if (!this.report.stateful && (!second || !same(first.toTypedArray(), second.toTypedArray()))) {
        this.#calls.problem('determinism', 'the same inputs give another result the second time', inputs);
      }
      if (inputs.shapes.some((shape) => shape.length > 1)) this.#tryTransposed(tensors, first, inputs);
      if (this.#hasGradient && inputs.values !== 'special' && inputs.dtypes.some(isFloating)) {
        this.#calls.checkBackward(inputs, this.report.stateful);
      }
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
    const places = new Map(accepted.map((inputs) => [placeOf(inputs.shapes, inputs.dtypes), inputs]));
    for (const single of accepted.filter(({ dtypes }) => dtypes.includes('float32'))) {
      const dtypes = single.dtypes.map((dtype) => (dtype === 'float32' ? 'float64' : dtype));
      const double = places.get(placeOf(single.shapes, dtypes));
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
   * @param {ArrayLike<number | bigint>} low
   * @param {ArrayLike<number | bigint>} high
   * @param {string} what
   * @param {Inputs} inputs
   */
  #requireClose(low, high, what, inputs) {
    const values = Array.from(high, Number);
    // Not Math.max(...values): of large inputs, these are more than a call takes.
    const largest = values.filter(Number.isFinite).reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    const tolerance = FLOAT32_TOLERANCE * largest;
    const wrong = values.findIndex((value, i) => {
      const other = Number(low[i] ?? NaN);
      return Number.isFinite(value) && Number.isFinite(other) && Math.abs(value - other) > tolerance;
    });
    if (wrong < 0 && low.length === high.length) return;
    const difference = `${low[wrong]} and ${high[wrong]} at place ${wrong}`;
    this.#calls.problem('dtypes', `${what} in float32 and float64 gives ${difference}`, inputs);
  }

  /** @param {readonly Inputs[]} full those with elements */
  #checkGradients(full) {
    const compared = this.report.stateful ? [] : spread(mostExact(full), GRADIENT_CASES);
    for (const inputs of compared) {
      this.#say(`the gradient of op "${this.#name}", ${this.#calls.describe(inputs)}`);
      // Where the op gives no numbers for negative ones, as a logarithm, positive ones remain.
      if (this.#compareGradients(inputs) === 0) this.#compareGradients({ ...inputs, values: 'positive' });
    }
    const { gradient } = this.report;
    if (gradient?.compared === 0 && !gradient.output && compared.length > 0) {
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
      if (!isFloating(result.output)) report.output = result.output;
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
    if (this.#hasGradient && inputs.dtypes.some(isFloating)) {
      calls.push(['backward', () => this.#calls.gradientsOf(inputs)]);
    }
    for (const [what, call] of calls) {
      const bytes = leakOf(this.#memory.allocations, () =>
        this.#mt.tidy(() => void call(makeInputs(this.#mt, inputs))));
      if (bytes > 0) this.#calls.problem('leaks', `${what} keeps ${bytes} bytes in each call`, inputs);
    }
  }
}

/**
 * @param {readonly Inputs[]} tried
 * @returns {Inputs[]} those in float64, or when there are none in float32
 */
function mostExact(tried) {
  const of = (/** @type {DType} */ exact) => tried.filter(({ dtypes }) => {
    const floating = dtypes.filter(isFloating);
    return floating.length > 0 && floating.every((dtype) => dtype === exact);
  });
  const doubles = of('float64');
  return doubles.length > 0 ? doubles : of('float32');
}

/** @param {unknown} refusal */
function isRefusalOfMixes(refusal) {
  return refusal instanceof Error && /: inputs differ in dtype: /.test(refusal.message);
}

/**
 * @param {readonly (readonly number[])[]} shapes
 * @param {readonly DType[]} dtypes
 */
function placeOf(shapes, dtypes) {
  return shapes.map((shape, i) => `${dtypes[i]} ${shape}`).join(', ');
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
