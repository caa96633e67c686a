/*
 * Gradients against central finite differences.
 *
 * With L = sum(w * f(x)) for random weights w, the gradient of each element x is compared with
 * D(h) = (L(x + h) - L(x - h)) / 2h. Its error is h^2 / 6 * L''' from the series, and about eps * A / h from rounding,
 * with A = sum(|w * f(x)|). The step h = cbrt(eps) * max(1, |x|) makes both small. D(2h) - D(h) is three times the
 * first error, so that it need not be guessed: the tolerance is 20 |D(2h) - D(h)| + 100 eps A / h, and 1e-8 of D. Where
 * the op has a kink within 2h, the two differ much, and all passes.
 */
import { isFloating, sizeOf, tensorOf } from './inputs.js';
import { Random } from './random.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').DType} DType */
/** @typedef {import('./inputs.js').Attributes} Attributes */

/** @type {Record<string, number>} The distance from 1 to the next number. */
const EPSILON = { float32: 2 ** -23, float64: 2 ** -52 };
/** How many elements of an input are looked at. */
const ELEMENTS = 24;

/**
 * @typedef {object} Mismatch
 * @property {number} input
 * @property {readonly number[]} index of the element
 * @property {number} gradient what the op's backward says
 * @property {number} difference what finite differences say
 * @property {number} tolerance
 *
 * @typedef {object} GradientComparison
 * @property {DType} output the dtype of the result; when it is not floating, nothing is compared
 * @property {number} compared how many elements
 * @property {number} worst the largest difference between the two
 * @property {Mismatch | null} mismatch the first one
 */

/**
 * Compares the gradients of an op with finite differences, in the dtype of its inputs.
 * @param {MiniTensor} mt
 * @param {string} op
 * @param {readonly Tensor[]} inputs
 * @param {Attributes} [attributes]
 * @param {number} [seed]
 * @returns {GradientComparison}
 */
export function gradcheck(mt, op, inputs, attributes = {}, seed = 1) {
  return mt.tidy(() => {
    const random = new Random(seed);
    const output = mt.customOps.execute(op, inputs, attributes);
    /** @type {GradientComparison} */
    const result = { output: output.dtype, compared: 0, worst: 0, mismatch: null };
    if (!isFloating(output.dtype)) return result;
    const weights = Float64Array.from({ length: sizeOf(output.shape) }, () => Math.fround(random.signed()));
    const gradients = mt.customOps.gradients(
      op, inputs, tensorOf(mt, weights, output.shape, output.dtype), attributes,
    );
    for (const [input, tensor] of inputs.entries()) {
      if (!isFloating(tensor.dtype)) continue;
      const gradient = /** @type {Tensor} */ (gradients[input]).toTypedArray();
      const loss = lossOf(mt, op, inputs, attributes, input, weights);
      for (const place of places(gradient.length, random)) {
        compare(result, { input, tensor, place, gradient: gradient[place] ?? NaN, output: output.dtype, loss });
      }
    }
    return result;
  });
}

/**
 * @typedef {{ value: number, size: number }} Loss `size`: the sum of the sizes of what is added up to `value`
 */

/**
 * @param {MiniTensor} mt
 * @param {string} op
 * @param {readonly Tensor[]} inputs
 * @param {Attributes} attributes
 * @param {number} input
 * @param {Float64Array} weights
 * @returns {(place: number, value: number) => Loss} L where one element of an input has another value
 */
function lossOf(mt, op, inputs, attributes, input, weights) {
  const tensor = /** @type {Tensor} */ (inputs[input]);
  const data = tensor.toTypedArray();
  return (place, value) => mt.tidy(() => {
    const changed = data.slice();
    changed[place] = value;
    const moved = inputs.map((other, i) => (i === input ? tensorOf(mt, changed, tensor.shape, tensor.dtype) : other));
    const loss = { value: 0, size: 0 };
    const output = mt.customOps.execute(op, moved, attributes).toTypedArray();
    // Not an iterator: it is done for each difference, and an output may be large.
    for (let i = 0; i < output.length; i++) {
      const term = (weights[i] ?? 0) * Number(output[i]);
      loss.value += term;
      loss.size += Math.abs(term);
    }
    return loss;
  });
}

/**
 * @param {GradientComparison} result
 * @param {{ input: number, tensor: Tensor, place: number, gradient: number, output: DType,
 *   loss: (place: number, value: number) => Loss }} element
 */
function compare(result, { input, tensor, place, gradient, output, loss }) {
  const x = tensor.toTypedArray()[place] ?? NaN;
  const epsilon = Math.max(EPSILON[tensor.dtype] ?? 1, EPSILON[output] ?? 1);
  const h = Math.cbrt(epsilon) * Math.max(1, Math.abs(x));
  const round = tensor.dtype === 'float32' ? Math.fround : Number;
  const differenceAt = (/** @type {number} */ step) => {
    const [above, below] = [round(x + step), round(x - step)];
    const [high, low] = [loss(place, above), loss(place, below)];
    return { slope: (high.value - low.value) / (above - below), size: Math.max(high.size, low.size) };
  };
  const { slope, size } = differenceAt(h);
  const wider = differenceAt(2 * h).slope;
  if (!Number.isFinite(slope) || !Number.isFinite(wider)) return;
  const tolerance = 20 * Math.abs(wider - slope) + (100 * epsilon * size) / h + 1e-8 * Math.abs(slope);
  const error = Math.abs(gradient - slope);
  result.compared += 1;
  if (error > result.worst) result.worst = error;
  if (error <= tolerance || result.mismatch) return;
  result.mismatch = { input, index: indexOf(tensor.shape, place), gradient, difference: slope, tolerance };
}

/**
 * @param {number} size
 * @param {Random} random
 * @returns {Iterable<number>} all places, or some
 */
function places(size, random) {
  if (size <= ELEMENTS) return Array.from({ length: size }, (_, place) => place);
  return new Set([0, size - 1, ...Array.from({ length: ELEMENTS - 2 }, () => random.below(size))]);
}

/**
 * @param {readonly number[]} shape
 * @param {number} place
 */
function indexOf(shape, place) {
  const index = [];
  let rest = place;
  for (const size of shape.toReversed()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

/** @param {Mismatch} mismatch */
export function describeMismatch({ input, index, gradient, difference, tolerance }) {
  const expected = `${show(difference)} ± ${tolerance.toExponential(1)}`;
  const place = `for input ${input} at [${index.join(', ')}]`;
  return `backward says ${show(gradient)} ${place}, finite differences ${expected}`;
}

/** @param {number} value */
function show(value) {
  return String(Number(value.toPrecision(9)));
}
