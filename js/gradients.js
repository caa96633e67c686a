/*
 * Gradients: what tensors and instances do for them.
 */
import { requireFunction, requireOptions, show } from './check.js';
import { DTypeError, MiniTensorError } from './errors.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorClass} TensorClass */

/**
 * @param {Core} core
 * @param {number} handle
 */
export function requiresGrad(core, handle) {
  return core.module._mt_tensor_requires_grad(handle) !== 0;
}

/**
 * @param {Core} core
 * @param {number} handle
 * @param {unknown} required
 */
export function setRequiresGrad(core, handle, required) {
  if (typeof required !== 'boolean') throw new TypeError(`requiresGrad must be a boolean, not ${show(required)}`);
  core.invoke((module) => module._mt_tensor_set_requires_grad(handle, required ? 1 : 0));
}

/**
 * @param {Core} core
 * @param {number} handle
 * @returns {Tensor | null}
 */
export function gradientOf(core, handle) {
  const gradient = core.invoke((module) => module._mt_tensor_grad(handle));
  return gradient === 0 ? null : core.wrap(gradient >>> 0);
}

/**
 * Runs `fn` while nothing is recorded.
 * @template T
 * @param {Core} core
 * @param {() => T} fn
 * @returns {T}
 */
export function withoutRecording(core, fn) {
  requireFunction(fn, 'noGrad: fn');
  const outer = core.recording;
  core.module._mt_set_recording(0);
  core.recording = 0;
  try {
    const value = fn();
    if (value instanceof Promise) {
      throw new TypeError('noGrad: fn gave a Promise; it must be done when it returns');
    }
    return value;
  } finally {
    core.recording = outer;
    if (!core.isClosed) core.module._mt_set_recording(outer);
  }
}

/**
 * @typedef {object} GradcheckOptions
 * @property {number} [epsilon] how far an element is moved to each side; default 1e-6
 * @property {number} [absolute] default 1e-5
 * @property {number} [relative] default 1e-3
 */

/**
 * @param {unknown} value
 * @param {number} fallback
 * @param {string} what
 */
function positive(value, fallback, what) {
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || !(value > 0)) {
    throw new TypeError(`gradcheck: ${what} must be a number above 0, not ${show(value)}`);
  }
  return value;
}

/**
 * The sum of the outputs, each times a number of its own, so that no error cancels out.
 * @param {ArrayLike<number>} values
 */
function weighted(values) {
  return Array.from(values).reduce((sum, value, i) => sum + value * weight(i), 0);
}

/** @param {number} index */
function weight(index) {
  return 1 + ((index * 7) % 11) / 10;
}

/**
 * Compares the gradients of `fn` with differences of its values (central ones, in float64). A MiniTensorError that says
 * which element differs, and by what.
 * @param {TensorClass} Class
 * @param {(...inputs: Tensor[]) => Tensor} fn the same function at each call
 * @param {readonly Tensor[]} inputs
 * @param {GradcheckOptions} [options]
 */
export function gradcheck(Class, fn, inputs, options = {}) {
  requireOptions(options, 'gradcheck', ['epsilon', 'absolute', 'relative']);
  const epsilon = positive(options.epsilon, 1e-6, 'epsilon');
  const absolute = positive(options.absolute, 1e-5, 'absolute');
  const relative = positive(options.relative, 1e-3, 'relative');
  const values = inputs.map((input, i) => {
    const { dtype } = input;
    if (!dtype.startsWith('float')) throw new DTypeError(`gradcheck: input ${i} must be floating-point, not ${dtype}`);
    return Float64Array.from(/** @type {Float64Array} */ (input.toTypedArray()));
  });
  const shapes = inputs.map(({ shape }) => shape);
  /** @param {boolean} requiresGradient */
  const make = (requiresGradient) =>
    values.map((data, i) => new Class(data, { shape: shapes[i], requiresGrad: requiresGradient }));
  const evaluate = () => weighted(/** @type {Float64Array} */ (fn(...make(false)).toTypedArray()));

  const leaves = make(true);
  const output = fn(...leaves);
  if (output.dtype !== 'float64') {
    throw new DTypeError(`gradcheck: of float64 inputs fn must give float64, not ${output.dtype}`);
  }
  const weights = Float64Array.from({ length: output.size }, (_, i) => weight(i));
  output.backward(new Class(weights, { shape: output.shape }));
  leaves.forEach((leaf, i) => {
    const analytic = leaf.grad?.toTypedArray() ?? new Float64Array(leaf.size);
    const data = /** @type {Float64Array} */ (values[i]);
    data.forEach((value, j) => {
      data[j] = value + epsilon;
      const above = evaluate();
      data[j] = value - epsilon;
      const below = evaluate();
      data[j] = value;
      const numeric = (above - below) / (2 * epsilon);
      const actual = /** @type {number} */ (analytic[j]);
      if (!(Math.abs(actual - numeric) <= absolute + relative * Math.abs(numeric))) {
        throw new MiniTensorError(
          `gradcheck: input ${i}, element ${j}: the gradient is ${actual}, by differences ${numeric}`,
          { code: 'MT_GRADCHECK' },
        );
      }
    });
  });
}
