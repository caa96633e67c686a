/*
 * One type of layer: made, run, and released.
 */
import { MiniTensorError, PluginError } from 'minitensor';

import { describeInputs, makeInputs, shapeChoices } from './inputs.js';
import { leakOf } from './leaks.js';
import { Fault, same } from './op_calls.js';
import { DAMAGED, Damage, isDamage } from './plugin_memory.js';
import { Refusals, judge } from './refusals.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').CustomLayer} CustomLayer */
/** @typedef {import('./inputs.js').Attributes} Attributes */
/** @typedef {import('./inputs.js').Elements} Elements */
/** @typedef {import('./inputs.js').Inputs} Inputs */
/** @typedef {import('./op.js').Choices} Choices */
/** @typedef {import('./op.js').Problem} Problem */
/** @typedef {import('./plugin_memory.js').PluginMemory} PluginMemory */

/**
 * @typedef {object} LayerReport
 * @property {string} name
 * @property {Attributes | null} config what it was made with
 * @property {string[]} parameters
 * @property {number} accepted how many of the tried inputs it takes
 * @property {boolean} stateful whether what compares two results was left out
 * @property {Problem[]} problems
 */

/** What is tried for an attribute that must be given, until the type takes one. */
const VALUES = [4, 1, true, '', [4]];
const MOST_INPUTS = 2;

export class LayerCheck {
  #mt;
  #name;
  #memory;
  #say;
  #refusals = new Refusals();
  /** What it was called with last. @type {Inputs | undefined} */
  #last;
  /** What it took last. @type {Inputs | undefined} */
  #taken;
  #tried = 0;

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
    /** @type {LayerReport} */
    this.report = { name, config: null, parameters: [], accepted: 0, stateful: false, problems: [] };
  }

  /**
   * A Damage when the engine cannot go on.
   * @param {Choices} choices
   */
  run(choices) {
    this.report.stateful = choices.stateful ?? false;
    this.#say(`layer "${this.#name}"`);
    try {
      const before = this.#mt.memory();
      this.#run(choices);
      const after = this.#mt.memory();
      if (after.tensors === before.tensors && after.layers === before.layers) return;
      const left = `${after.layers - before.layers} layers and ${after.tensors - before.tensors} tensors are left`;
      if (this.report.problems.length === 0) this.#problem('leaks', left);
    } catch (error) {
      if (!(error instanceof Damage) && !isDamage(error)) throw error;
      this.#problem('faults', `${DAMAGED} It was at: ${this.#last ? describeInputs(this.#last) : 'create'}`);
      throw new Damage('', { cause: error });
    }
  }

  /** @param {Choices} choices */
  #run({ shapes, attributes }) {
    const make = () => (attributes
      ? { layer: this.#mt.plugins.createLayer(this.#name, attributes), config: attributes }
      : create(this.#mt, this.#name, {}));
    const { found } = this.#memory.watched(() => make().layer.dispose());
    if (found) return this.#problem('faults', `create ${found}`);
    let made;
    try {
      made = make();
    } catch (error) {
      if (!(error instanceof MiniTensorError)) throw error;
      return this.#problem(error instanceof PluginError ? 'faults' : 'create', error.message);
    }
    const { layer, config } = made;
    this.report.config = config;
    this.report.parameters = [...layer.listParameters()];
    try {
      this.#tryAll(layer, shapes && [shapes]);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    } finally {
      layer.dispose();
    }
  }

  /**
   * @param {CustomLayer} layer
   * @param {readonly (readonly (readonly number[])[])[]} [given] in place of those that are tried with each layer
   */
  #tryAll(layer, given) {
    // How many it takes, a layer does not say.
    for (let count = 1; count <= (given ? 1 : MOST_INPUTS) && this.report.accepted === 0; count++) {
      for (const [seed, shapes] of (given ?? shapeChoices(count)).entries()) {
        for (const dtype of /** @type {const} */ (['float32', 'float64'])) {
          this.#tryInputs(layer, { shapes, dtypes: shapes.map(() => dtype), values: 'signed', seed });
        }
      }
    }
    if (this.#taken) this.#checkLeaks(layer, this.#taken);
    if (this.report.accepted > 0) return;
    const tried = `it takes none of the ${this.#tried} inputs that were tried (${this.#refusals})`;
    this.#problem('inputs', `${tried}; give it others with --shapes or --attributes`);
  }

  /**
   * Runs the layer, and all that must hold of a run.
   * @param {CustomLayer} layer
   * @param {Inputs} inputs
   */
  #tryInputs(layer, inputs) {
    this.#say(`layer "${this.#name}", ${describeInputs(inputs)}`);
    this.#tried += 1;
    this.#mt.tidy(() => {
      const tensors = makeInputs(this.#mt, inputs);
      const before = tensors.map((tensor) => tensor.toTypedArray());
      const parameters = this.#parametersOf(layer);
      if (this.#takes(layer, tensors, inputs)) {
        this.report.accepted += 1;
        this.#taken = inputs;
        const [first, second] = [1, 2].map(() => this.#forward(layer, tensors, inputs)?.toTypedArray());
        if (!this.report.stateful && !same(first ?? [], second ?? [])) {
          this.#problem('determinism', 'the same inputs give another result the second time', inputs);
        }
      }
      for (const [i, tensor] of tensors.entries()) {
        if (same(tensor.toTypedArray(), before[i] ?? [])) continue;
        this.#problem('inputs unchanged', `forward writes to input ${i}`, inputs);
      }
      for (const [name, elements] of this.#parametersOf(layer)) {
        if (same(elements, parameters.get(name) ?? [])) continue;
        this.#problem('parameters unchanged', `forward writes to the parameter "${name}"`, inputs);
      }
    });
  }

  /**
   * Whether the layer takes the inputs. What it does to memory that is not its own is found.
   * @param {CustomLayer} layer
   * @param {readonly Tensor[]} tensors
   * @param {Inputs} inputs
   */
  #takes(layer, tensors, inputs) {
    this.#last = inputs;
    const { found, error } = this.#memory.watched(() => layer.forward(tensors));
    if (found) this.#fault(`forward ${found}`, inputs, error);
    if (error === undefined) return true;
    this.#requireRefusal(error, inputs);
    return false;
  }

  /**
   * @param {CustomLayer} layer
   * @param {readonly Tensor[]} tensors
   * @param {Inputs} inputs
   * @returns {Tensor | null} null: it does not take them
   */
  #forward(layer, tensors, inputs) {
    try {
      return layer.forward(tensors);
    } catch (error) {
      this.#requireRefusal(error, inputs);
      return null;
    }
  }

  /**
   * @param {unknown} error
   * @param {Inputs} inputs
   */
  #requireRefusal(error, inputs) {
    const { reason, isFault } = judge(error);
    if (isFault) this.#fault(`forward: ${reason}`, inputs, error);
    this.#refusals.add(error);
  }

  /**
   * @param {string} message
   * @param {Inputs} inputs
   * @param {unknown} cause
   * @returns {never}
   */
  #fault(message, inputs, cause) {
    this.#problem('faults', message, inputs);
    throw new Fault(message, { cause });
  }

  /**
   * @param {CustomLayer} layer
   * @returns {Map<string, Elements>}
   */
  #parametersOf(layer) {
    return new Map([...layer.namedParameters()].map(([name, value]) => [name, value.toTypedArray()]));
  }

  /**
   * @param {CustomLayer} layer
   * @param {Inputs} inputs that it takes
   */
  #checkLeaks(layer, inputs) {
    const bytes = leakOf(this.#memory.allocations, () =>
      this.#mt.tidy(() => void this.#forward(layer, makeInputs(this.#mt, inputs), inputs)));
    if (bytes > 0) this.#problem('leaks', `forward keeps ${bytes} bytes in each call`, inputs);
  }

  /**
   * The first of each kind is enough.
   * @param {string} check
   * @param {string} message
   * @param {Inputs} [inputs] with which it shows
   */
  #problem(check, message, inputs) {
    if (this.report.problems.some((problem) => problem.check === check)) return;
    this.report.problems.push({ check, message: inputs ? `${message}: ${describeInputs(inputs)}` : message });
  }
}

/**
 * What a configuration must have, the error says that comes without it.
 * @param {MiniTensor} mt
 * @param {string} name
 * @param {Attributes} config
 * @returns {{ layer: CustomLayer, config: Attributes }}
 */
function create(mt, name, config) {
  try {
    return { layer: mt.plugins.createLayer(name, config), config };
  } catch (error) {
    const [, attribute] = (error instanceof Error && /attribute "([^"]+)" is required/.exec(error.message)) || [];
    if (!attribute || Object.hasOwn(config, attribute)) throw error;
    return createWith(mt, name, config, attribute, error);
  }
}

/**
 * @param {MiniTensor} mt
 * @param {string} name
 * @param {Attributes} config
 * @param {string} attribute
 * @param {unknown} reason why it must be given
 */
function createWith(mt, name, config, attribute, reason) {
  for (const value of VALUES) {
    try {
      return create(mt, name, { ...config, [attribute]: value });
    } catch (error) {
      if (!(error instanceof MiniTensorError) || error instanceof PluginError) throw error;
    }
  }
  throw reason;
}
