/*
 * The functions and methods of the engine's ops, made of what the core's own table says of each: js/generated/ops.js.
 * Attributes stand behind the inputs, of an op that has none as well: they are refused then, and not overlooked.
 */
import { creationOps, listOps, opsByInputs, outputNames } from './generated/ops.js';
import { withOptions } from './op_options.js';

/** @typedef {import('./generated/ops.js').Ops} Ops */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {(name: string, inputs: readonly unknown[], attributes?: object) => Tensor} Execute */
/**
 * Of an op with several outputs: by their names, where their number is fixed.
 * @typedef {(name: string, inputs: readonly unknown[], attributes?: object) => Tensor[] | Record<string, Tensor>}
 *   ExecuteMany
 */

/** How a tensor runs an op. */
export const executeOp = Symbol('executeOp');

/** How a tensor runs an op with several outputs. */
export const executeManyOp = Symbol('executeManyOp');

/** @param {string} names */
function split(names) {
  return names.split(' ');
}

const manyOutputs = new Set(Object.keys(outputNames));

/** The names of the ops that have a number of inputs, each with that number. */
const counted = Object.entries(opsByInputs).flatMap(([count, names]) =>
  split(names).map((name) => /** @type {const} */ ([name, Number(count)])));

/**
 * @param {object} target
 * @param {string} name
 * @param {Function} value
 * @param {boolean} enumerable
 */
function define(target, name, value, enumerable) {
  Object.defineProperty(value, 'name', { value: name });
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}

/**
 * A function for each op of the engine.
 *
 * @param {Execute} execute
 * @param {ExecuteMany} executeMany
 * @returns {Ops}
 */
export function createOps(execute, executeMany) {
  const ops = {};
  for (const [name, count] of counted) {
    define(ops, name, functionOf(name, count, manyOutputs.has(name) ? executeMany : execute), true);
  }
  for (const name of split(listOps)) {
    const run = (/** @type {readonly unknown[]} */ list, /** @type {object} */ attributes) =>
      execute(name, list, attributes);
    define(ops, name, run, true);
  }
  for (const [name, given] of Object.entries(creationOps)) {
    const names = split(given);
    const run = (/** @type {unknown[]} */ ...values) =>
      execute(name, [], withOptions(names, first(values, names.length), values[names.length]));
    define(ops, name, run, true);
  }
  return /** @type {Ops} */ (ops);
}

/**
 * The first ones, also where there are not so many.
 *
 * @param {readonly unknown[]} values
 * @param {number} count
 */
function first(values, count) {
  return Array.from({ length: count }, (_, i) => values[i]);
}

/**
 * @param {string} name
 * @param {number} count of inputs
 * @param {Execute | ExecuteMany} run
 */
function functionOf(name, count, run) {
  switch (count) {
    case 1:
      return (/** @type {unknown} */ x, /** @type {object} */ attributes) => run(name, [x], attributes);
    case 2:
      return (/** @type {unknown} */ a, /** @type {unknown} */ b, /** @type {object} */ attributes) =>
        run(name, [a, b], attributes);
    default:
      return (/** @type {unknown[]} */ ...values) =>
        run(name, first(values, count), /** @type {object} */ (values[count]));
  }
}

/** The ops of the engine as methods: the first input is the tensor itself. */
export const TensorOps = /** @type {new () => import('./generated/ops.js').TensorOps} */ (class {});

for (const [name, count] of counted) {
  const key = manyOutputs.has(name) ? executeManyOp : executeOp;
  define(TensorOps.prototype, name, methodOf(name, count, key), false);
}

/**
 * As functionOf, and not by it: one call more is 5 % of a small op's time.
 *
 * @template {symbol} K
 * @param {string} name
 * @param {number} count of inputs
 * @param {K} key of the method that runs it
 */
function methodOf(name, count, key) {
  /** @typedef {Record<K, Execute>} Runner */
  switch (count) {
    case 1:
      return /** @this {Runner} @param {object} attributes */ function (attributes) {
        return this[key](name, [this], attributes);
      };
    case 2:
      return /** @this {Runner} @param {unknown} b @param {object} attributes */ function (b, attributes) {
        return this[key](name, [this, b], attributes);
      };
    default:
      return /** @this {Runner} @param {unknown[]} values */ function (...values) {
        return this[key](name, [this, ...first(values, count - 1)], /** @type {object} */ (values[count - 1]));
      };
  }
}
