import { requireObject, show } from './check.js';
import { DTypeError, KeyError, ShapeError, ValueError } from './errors.js';
import { requireAnyTensor, requireInstance } from './instance_arguments.js';

/** @typedef {import('./instance.js').MiniTensor} MiniTensor */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/** @typedef {Float32Array | Float64Array} Numbers of a parameter's dtype */

/**
 * What an optimizer remembers of a parameter from one step to the next.
 * @typedef {object} ParameterState
 * @property {number} step how many there were
 * @property {Readonly<Record<string, Numbers>>} arrays as many elements as the parameter has
 */

/**
 * @typedef {object} Update
 * @property {Numbers} values of the parameter, which become the new ones
 * @property {Numbers} gradient
 * @property {Readonly<Record<string, Numbers>>} state by name, which becomes the new one; zeros at the first step
 * @property {number} step from 1 up
 * @property {number} lr
 */

/**
 * What the optimizers have in common: parameters, and what is remembered of each. Parameters are overwritten, so that
 * every handle of them, and every layer that has them, sees the new values.
 *
 * Updates are computed here and not by ops: each is one loop, where ops would be a dozen.
 */
export class Optimizer {
  #mt;
  #name;
  #lr;
  #update;
  #stateNames;
  #parameters;
  /** @type {(ParameterState | undefined)[]} */
  #states = [];

  /**
   * @param {MiniTensor} mt
   * @param {Iterable<Tensor>} parameters
   * @param {object} formula
   * @param {string} formula.name
   * @param {number} formula.lr
   * @param {(update: Update) => void} formula.update
   * @param {readonly string[]} formula.stateNames
   */
  constructor(mt, parameters, { name, lr, update, stateNames }) {
    requireInstance(mt, name);
    this.#mt = mt;
    this.#name = name;
    this.#lr = lr;
    this.#update = update;
    this.#stateNames = stateNames;
    this.#parameters = checkParameters(mt, parameters, name);
  }

  /** The learning rate. It may be changed between steps. */
  get lr() {
    return this.#lr;
  }

  set lr(lr) {
    this.#lr = numberFrom(0, lr, this.#lr, `${this.#name}: lr`);
  }

  /**
   * Updates every parameter that has a gradient. Parameters that a recorded graph still needs should not change:
   * backward through it is an error from then on.
   */
  step() {
    this.#mt.tidy(() => {
      // All of them before the first update: a parameter that is gone is an error here.
      const gradients = this.#parameters.map((parameter) => parameter.grad);
      gradients.forEach((gradient, index) => {
        if (gradient) this.#stepOf(index, gradient.toTypedArray());
      });
    });
  }

  /**
   * @param {number} index of the parameter
   * @param {Numbers} gradient
   */
  #stepOf(index, gradient) {
    const parameter = /** @type {Tensor} */ (this.#parameters[index]);
    const { shape } = parameter;
    const values = parameter.toTypedArray();
    const before = this.#states[index];
    const step = (before?.step ?? 0) + 1;
    // A copy, so that nothing has changed if there is no memory for the new values.
    const arrays = Object.fromEntries(
      this.#stateNames.map((name) => [name, before?.arrays[name]?.slice() ?? values.slice().fill(0)]),
    );
    this.#update({ values, gradient, state: arrays, step, lr: this.#lr });
    parameter.assign(new this.#mt.Tensor(values, { shape }));
    this.#states[index] = { step, arrays };
  }

  /** Takes the gradient of every parameter away, so that the next backward does not add to it. */
  zeroGrad() {
    for (const parameter of this.#parameters) parameter.grad = null;
  }

  /**
   * What is remembered, as tensors by the parameter's number and a name: `0.step`, … Not the options, nor the
   * parameters.
   * @returns {Record<string, Tensor>} what encodeSafetensors takes, and loadStateDict
   */
  stateDict() {
    const { Tensor } = this.#mt;
    /** @type {Record<string, Tensor>} */
    const state = {};
    this.#states.forEach((known, index) => {
      if (!known) return;
      const { shape } = /** @type {Tensor} */ (this.#parameters[index]);
      state[`${index}.step`] = new Tensor(BigInt(known.step));
      for (const [name, array] of Object.entries(known.arrays)) {
        state[`${index}.${name}`] = new Tensor(array, { shape });
      }
    });
    return state;
  }

  /**
   * Goes on from what stateDict gave, of an optimizer of parameters of the same shapes. Nothing changes unless all of
   * it fits: a name that is missing or not known is a KeyError, another shape a ShapeError, another dtype a DTypeError.
   * @param {Readonly<Record<string, Tensor>>} state is copied
   */
  loadStateDict(state) {
    const what = `${this.#name}: loadStateDict`;
    requireObject(state, `${what}: state`);
    const rest = new Map(Object.entries(state));
    const states = this.#parameters.map((parameter, index) => {
      const isGiven = ['step', ...this.#stateNames].some((name) => rest.has(`${index}.${name}`));
      return isGiven ? this.#readState(rest, parameter, index, what) : undefined;
    });
    const unknown = [...rest.keys()].slice(0, 8).map(show);
    if (unknown.length > 0) throw new KeyError(`${what}: no such state: ${unknown.join(', ')}`);
    this.#states = states;
  }

  /**
   * @param {Map<string, Tensor>} rest what is read is taken out
   * @param {Tensor} parameter
   * @param {number} index
   * @param {string} what
   * @returns {ParameterState}
   */
  #readState(rest, parameter, index, what) {
    const take = (/** @type {string} */ field) => {
      const name = `${index}.${field}`;
      const tensor = rest.get(name);
      if (tensor === undefined) throw new KeyError(`${what}: missing: ${show(name)}`);
      rest.delete(name);
      requireAnyTensor(tensor, `${what}: ${show(name)}`);
      return tensor;
    };
    const step = Number(take('step').item());
    if (!Number.isSafeInteger(step) || step < 1) {
      throw new ValueError(`${what}: "${index}.step" must be an integer from 1 up, not ${step}`);
    }
    const arrays = this.#stateNames.map((field) => {
      const tensor = take(field);
      requireAlike(tensor, parameter, `${what}: "${index}.${field}"`);
      return [field, tensor.toTypedArray()];
    });
    return { step, arrays: Object.fromEntries(arrays) };
  }
}

/**
 * @param {MiniTensor} mt
 * @param {unknown} parameters
 * @param {string} what
 */
function checkParameters(mt, parameters, what) {
  if (typeof parameters !== 'object' || parameters === null || !(Symbol.iterator in parameters)) {
    throw new TypeError(`${what}: parameters must be an array of tensors, not ${show(parameters)}`);
  }
  /** @type {Set<Tensor>} */
  const checked = new Set();
  for (const parameter of /** @type {Iterable<unknown>} */ (parameters)) {
    const name = `${what}: parameters[${checked.size}]`;
    requireAnyTensor(parameter, name);
    if (!parameter.requiresGrad) throw new ValueError(`${name} must have requiresGrad set, to be given a gradient`);
    // Refused of what was computed from others: only leaves keep gradients.
    parameter.requiresGrad = true;
    if (checked.has(parameter)) throw new ValueError(`${name} is there twice`);
    checked.add(parameter);
  }
  if (checked.size === 0) throw new ValueError(`${what}: there are no parameters`);
  return Array.from(checked, (parameter) => mt.keep(parameter));
}

/**
 * @param {Tensor} tensor
 * @param {Tensor} parameter
 * @param {string} what
 */
function requireAlike(tensor, parameter, what) {
  if (String(tensor.shape) !== String(parameter.shape)) {
    throw new ShapeError(`${what} has shape [${tensor.shape}], not [${parameter.shape}]`);
  }
  if (tensor.dtype !== parameter.dtype) throw new DTypeError(`${what} is ${tensor.dtype}, not ${parameter.dtype}`);
}

/**
 * An option of an optimizer.
 * @param {number} least
 * @param {unknown} value
 * @param {number} fallback if it is undefined
 * @param {string} what
 */
export function numberFrom(least, value, fallback, what) {
  if (value === undefined) return fallback;
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number, not ${show(value)}`);
  if (!(value >= least && value < Infinity)) throw new ValueError(`${what} must be from ${least} up, not ${value}`);
  return value;
}
