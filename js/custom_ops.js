import { attributeValue, decodeAttributes, encodeAttributes } from './attributes.js';
import { Role } from './callbacks.js';
import { checkedCopy, requireArray, requireFunction, requireObject, requireString, show } from './check.js';
import { dtypes, requireDtype } from './dtype.js';
import { executeAnyOn, withHandles } from './execute.js';
import { requireTensor, takeHandle } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./attributes.js').AttributesInput} AttributesInput */
/** @typedef {import('./core_module.js').AttributeSpec} AttributeSpec */
/** @typedef {import('./core_module.js').AttributeType} AttributeType */
/** @typedef {import('./core_module.js').AttributeValue} AttributeValue */
/** @typedef {import('./core_module.js').CoreOpDefinition} CoreOpDefinition */
/** @typedef {import('./core_module.js').OpDescription} OpDescription */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */

/**
 * What an attribute of an op can be: a default value, or a type that the caller must give a value of.
 * @typedef {AttributeValue | { type: AttributeType, default?: AttributeValue }} AttributeDeclaration
 */

/** @typedef {Record<string, AttributeDeclaration>} AttributeDeclarations */

/** @typedef {{ number: number, string: string, boolean: boolean, integers: readonly number[] }} AttributeTypes */

/**
 * The type of the value of an attribute that is declared as D.
 * @template D
 * @typedef {D extends { type: infer T extends keyof AttributeTypes } ? AttributeTypes[T]
 *   : D extends number ? number : D extends string ? string : D extends boolean ? boolean : readonly number[]} ValueOf
 */

/**
 * The values of the attributes that are declared as A.
 * @template {AttributeDeclarations} [A=AttributeDeclarations]
 * @typedef {{ readonly [K in keyof A]: ValueOf<A[K]> }} Attributes
 */

/** @typedef {import('./generated/ops.js').Ops} EngineOps */

/**
 * What the op of this name gives: a Tensor, unless the name is known and that of an op of the engine with several
 * outputs.
 * @template {string} N
 * @typedef {N extends keyof EngineOps ? ReturnType<EngineOps[N]> : Tensor} ResultOf
 */

/**
 * The inputs of an op or a layer. Typed as if there were always enough, so that `([a, b]) => …` needs no checks; of an
 * op there are as many as its numInputs says.
 * @typedef {readonly [Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, ...Tensor[]]} Inputs
 */

/**
 * @template {AttributeDeclarations} [A=AttributeDeclarations]
 * @typedef {object} BackwardArguments
 * @property {Inputs} inputs
 * @property {Attributes<A>} attributes
 * @property {Tensor} output what forward gave
 * @property {Tensor} gradOutput the gradient with respect to the output
 */

/**
 * An operation made of functions. The tensors that they are given belong to the call. What they make besides the result
 * is released when they return.
 * @template {AttributeDeclarations} [A=AttributeDeclarations]
 * @typedef {object} OpDefinition
 * @property {string} name
 * @property {number} numInputs
 * @property {string} [summary] one line: what it computes
 * @property {A} [attributes] by name
 * @property {(inputs: Inputs, attributes: Attributes<A>) => Tensor} forward
 * @property {(call: BackwardArguments<A>) => readonly Tensor[]} [backward] one gradient for each input
 * @property {(inputs: Inputs, attributes: Attributes<A>) => void} [validate] throws what it does not accept
 * @property {(inputs: Inputs, attributes: Attributes<A>) => readonly number[]} [outputShape]
 * @property {(inputs: Inputs, attributes: Attributes<A>) => DType} [outputDtype]
 */

/**
 * @param {unknown} declaration
 * @param {string} name
 * @param {string} what
 * @returns {AttributeSpec}
 */
function attributeSpec(declaration, name, what) {
  if (typeof declaration !== 'object' || declaration === null || Array.isArray(declaration)) {
    const { type, value } = attributeValue(declaration, what);
    return { name, type, default: value };
  }
  const { type, default: given } = /** @type {{ type?: unknown, default?: unknown }} */ (declaration);
  requireString(type, `${what}: type`);
  if (given === undefined) return { name, type: /** @type {AttributeType} */ (type) };
  const { type: actual, value } = attributeValue(given, `${what}: default`);
  if (actual !== type) throw new TypeError(`${what}: default must be of type ${show(type)}, not ${show(actual)}`);
  return { name, type: actual, default: value };
}

/**
 * @param {readonly Tensor[]} tensors
 * @returns {Inputs}
 */
function asInputs(tensors) {
  return /** @type {Inputs} */ (/** @type {unknown} */ (tensors));
}

/**
 * Calls `use` with tensors that belong to the core, and to JavaScript for as long as that takes.
 * @template T
 * @param {Core} core
 * @param {readonly number[]} handles
 * @param {(inputs: Inputs) => T} use
 * @returns {T}
 */
export function withLent(core, handles, use) {
  const lent = handles.map((handle) => core.wrap(handle, true));
  try {
    return use(asInputs(lent));
  } finally {
    for (const tensor of lent) tensor.dispose();
  }
}

/** An op's functions, as the core calls them. */
class OpCallback {
  #core;
  #definition;
  #specs;
  /** @type {'op'} */
  kind = 'op';

  /**
   * @param {Core} core
   * @param {OpDefinition} definition
   * @param {readonly AttributeSpec[]} specs
   */
  constructor(core, definition, specs) {
    this.#core = core;
    this.#definition = definition;
    this.#specs = specs;
  }

  /** @type {import('./callbacks.js').Callback['call']} */
  call(role, handles, bytes) {
    return withLent(this.#core, handles, (inputs) => this.#call(role, inputs, decodeAttributes(bytes, this.#specs)));
  }

  /**
   * @param {number} role
   * @param {Inputs} tensors
   * @param {Attributes} attributes
   * @returns {readonly number[]}
   */
  #call(role, tensors, attributes) {
    const { name, numInputs, forward, backward, validate, outputShape, outputDtype } = this.#definition;
    const core = this.#core;
    switch (role) {
      case Role.opForward:
        return runForTensors(core, `op "${name}": forward`, () => [forward(tensors, attributes)]);
      case Role.opBackward: {
        const [output, gradOutput] = /** @type {[Tensor, Tensor]} */ (tensors.slice(numInputs));
        const inputs = asInputs(tensors.slice(0, numInputs));
        return runForTensors(core, `op "${name}": backward`, () =>
          /** @type {NonNullable<typeof backward>} */ (backward)({ inputs, attributes, output, gradOutput }),
        );
      }
      case Role.opValidate:
        requireNoPromise(
          core.scopes.run(() => validate?.(tensors, attributes), nothing),
          `op "${name}": validate`,
        );
        return [];
      case Role.opOutputShape: {
        const given = core.scopes.run(() => outputShape?.(tensors, attributes), nothing);
        requireArray(given, `op "${name}": what outputShape gave`);
        const shape = checkedCopy(given, (size) => {
          if (!Number.isSafeInteger(size)) {
            throw new TypeError(`op "${name}": outputShape must give integers, not ${show(size)}`);
          }
        });
        return /** @type {number[]} */ (shape);
      }
      default: {
        const dtype = core.scopes.run(() => outputDtype?.(tensors, attributes), nothing);
        return [dtypes[requireDtype(dtype, `op "${name}": what outputDtype gave`)].number];
      }
    }
  }
}

/**
 * Runs a function that gives tensors to the core. What it makes besides them is released. A tensor that it made passes
 * to the core; one that existed before stays its owner's.
 * @param {Core} core
 * @param {string} what for messages
 * @param {() => readonly Tensor[]} body
 * @returns {readonly number[]} for each tensor its handle, and 1 when the core is to release it
 */
export function runForTensors(core, what, body) {
  /** @type {boolean[]} */
  let isOwn = [];
  const tensors = core.scopes.run(
    () => {
      const given = body();
      requireArray(given, `${what} must give an array of tensors: what it gave`);
      const results = /** @type {Tensor[]} */ (checkedCopy(given, (result) => {
        requireNoPromise(result, what);
        requireTensor(core, result, `${what}: what it gave`);
      }));
      isOwn = results.map((result) => core.scopes.owns(result));
      return results;
    },
    (results) => results,
  );
  /** @type {number[]} */
  const values = [];
  for (const tensor of tensors) values.push(requireTensor(core, tensor, what), 0);
  tensors.forEach((tensor, i) => {
    // The same tensor may be given twice, but is released once.
    if (!isOwn[i] || tensors.indexOf(tensor) !== i) return;
    takeHandle(tensor);
    values[2 * i + 1] = 1;
  });
  return values;
}

/**
 * @param {unknown} value
 * @param {string} what
 */
export function requireNoPromise(value, what) {
  if (value instanceof Promise) {
    throw new TypeError(`${what} gave a Promise; it must be done when it returns`);
  }
}

/** Of what validate and the like make, nothing outlives them. */
function nothing() {
  return [];
}

/** In the order in which the core asks whether they are there. */
const OPTIONAL_ROLES = /** @type {const} */ (['backward', 'validate', 'outputShape', 'outputDtype']);

/**
 * Checks a definition and makes of it what the core takes.
 * @param {Core} core
 * @param {unknown} definition
 * @param {string} caller for messages
 * @returns {{ op: CoreOpDefinition, callback: import('./callbacks.js').Callback }}
 */
export function prepareOp(core, definition, caller) {
  requireObject(definition, `${caller}: the definition`);
  const { name, numInputs, summary = '', attributes = {}, forward } = definition;
  requireString(name, `${caller}: name`);
  const what = `${caller}: op ${show(name)}`;
  if (typeof numInputs !== 'number' || !Number.isInteger(numInputs) || numInputs < 0 || numInputs > 64) {
    throw new TypeError(`${what}: numInputs must be an integer from 0 to 64, not ${show(numInputs)}`);
  }
  requireString(summary, `${what}: summary`);
  requireFunction(forward, `${what}: forward`);
  requireObject(attributes, `${what}: attributes`);
  const specs = Object.entries(attributes).map(([key, declaration]) => {
    requireString(key, `${what}: an attribute's name`);
    return attributeSpec(declaration, key, `${what}: attribute ${show(key)}`);
  });
  /** @type {Record<string, unknown>} */
  const functions = { forward };
  for (const role of OPTIONAL_ROLES) {
    const value = definition[role];
    if (value !== undefined) requireFunction(value, `${what}: ${role}`);
    functions[role] = value;
  }
  // A copy, so that nothing that happens to the caller's object later has an effect.
  const own = /** @type {OpDefinition} */ (/** @type {unknown} */ ({ name, numInputs, ...functions }));
  return {
    op: [
      name, numInputs, summary, specs.map((spec) => [spec.name, spec.type, spec.default]),
      ...OPTIONAL_ROLES.map((role) => Boolean(own[role])),
    ],
    callback: new OpCallback(core, own, specs),
  };
}

/**
 * @param {readonly unknown[]} items
 * @param {unknown} last
 */
function* followedBy(items, last) {
  yield* items;
  yield last;
}

/** The operations of an instance beside the engine's own: those of the application and of plugins. */
export class CustomOps {
  #core;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /**
   * Adds an op. A ValueError when its name is taken.
   * @template {AttributeDeclarations} A
   * @param {OpDefinition<A>} definition
   */
  register(definition) {
    const { op, callback } = prepareOp(this.#core, definition, 'customOps.register');
    this.#core.give(callback, (module, id) => module.registerOp(id, ...op));
  }

  /**
   * Runs an op, whoever registered it. A ValueError for an unknown name. Of one of the engine that has several outputs
   * it gives what the function of that name gives: for `topk`, `mt.topk`.
   * @template {string} N
   * @param {N} name
   * @param {readonly TensorLike[]} inputs
   * @param {AttributesInput} [attributes] those left out have their defaults
   * @returns {ResultOf<N>}
   */
  execute(name, inputs, attributes) {
    requireString(name, 'customOps.execute: name');
    requireArray(inputs, `${name}: inputs`);
    return /** @type {ResultOf<N>} */ (executeAnyOn(this.#core, name, inputs, attributes));
  }

  /**
   * The gradients of an op with respect to each of its inputs: what its backward makes of the inputs, of what forward
   * gives for them, and of `gradOutput`, the gradient with respect to that. A NotImplementedError for an op without
   * backward.
   * @param {string} name
   * @param {readonly TensorLike[]} inputs
   * @param {TensorLike} gradOutput of the output's shape and dtype
   * @param {AttributesInput} [attributes] those left out have their defaults
   * @returns {Tensor[]}
   */
  gradients(name, inputs, gradOutput, attributes) {
    requireString(name, 'customOps.gradients: name');
    requireArray(inputs, `${name}: inputs`);
    const core = this.#core;
    const encoded = encodeAttributes(attributes, name);
    return withHandles(core, followedBy(inputs, gradOutput), name, (handles) => {
      const results = core.invoke((module) => module.opGradients(name, handles, encoded));
      return results.map((handle) => core.wrap(handle >>> 0));
    });
  }

  /**
   * What an op says of itself, whoever registered it. A ValueError for an unknown name.
   * @param {string} name
   * @returns {OpDescription}
   */
  describe(name) {
    requireString(name, 'customOps.describe: name');
    return this.#core.invoke((module) => module.describeOp(name));
  }

  /** The names, in order of registration. */
  list() {
    return this.#core.invoke((module) => module.listOps());
  }

  /** @param {string} name */
  isRegistered(name) {
    requireString(name, 'customOps.isRegistered: name');
    return this.#core.invoke((module) => module.isOpRegistered(name));
  }

  /**
   * Removes an op. A ValueError when there is none of that name, or when it is the engine's own.
   * @param {string} name
   */
  unregister(name) {
    requireString(name, 'customOps.unregister: name');
    this.#core.changeOps((module) => module.unregisterOp(name));
  }
}
