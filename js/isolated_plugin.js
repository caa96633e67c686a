import { flatten } from './array_source.js';
import { copyAttributes } from './attributes.js';
import { requireArray, requireString, show } from './check.js';
import { makeDisposable } from './disposable.js';
import { weakDtype } from './dtype.js';
import { PluginError, ValueError } from './errors.js';
import { buffersOf } from './isolated_messages.js';
import { PluginInfo } from './plugin_info.js';
import { Tensor, requireTensor } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core_module.js').OpDescription} OpDescription */
/** @typedef {import('./attributes.js').AttributesInput} AttributesInput */
/** @typedef {import('./isolated_messages.js').LoadedReply} LoadedReply */
/** @typedef {import('./isolated_messages.js').PackedTensor} PackedTensor */
/** @typedef {import('./isolated_session.js').IsolatedSession} IsolatedSession */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */

/** Ends the workers of plugins that were dropped without close(). */
const dropped = new FinalizationRegistry((/** @type {IsolatedSession} */ session) => session.end(new Error('dropped')));

/**
 * A compiled plugin in a memory and a worker of its own: it sees nothing but copies of the tensors it is given. What it
 * does takes a message there and one back, so everything is asynchronous. Its ops are not among the instance's.
 *
 * It is ended by `close()`, at the end of an instance, when a call takes too long, or when it is dropped.
 */
export class IsolatedPlugin {
  #core;
  #session;
  /** @type {ReadonlyMap<string, OpDescription>} */
  #ops;

  /**
   * @param {Core} core
   * @param {IsolatedSession} session
   * @param {LoadedReply} loaded
   * @internal
   */
  constructor(core, session, { info, ops }) {
    this.#core = core;
    this.#session = session;
    this.#ops = new Map(ops.map((op) => [op.name, op]));
    /** What it says of itself. @readonly */
    this.info = new PluginInfo(info);
    dropped.register(this, session, this);
  }

  /** The names of its ops. */
  get ops() {
    return [...this.#ops.keys()];
  }

  /** What first stopped one of its ops or left it without memory: `op "x": unreachable`. Else empty. */
  get fault() {
    return this.#session.fault;
  }

  /** Whether something has. */
  get faulted() {
    return this.fault !== '';
  }

  /** Whether it has ended. */
  get closed() {
    return this.#session.hasEnded;
  }

  /**
   * What an op says of itself. A ValueError for an unknown name.
   * @param {string} name
   * @returns {OpDescription}
   */
  describe(name) {
    return structuredClone(this.#requireOp(name, 'describe'));
  }

  /**
   * Runs an op of the plugin on copies of the inputs, as they are at the call.
   * @param {string} name
   * @param {readonly TensorLike[]} inputs
   * @param {AttributesInput} [attributes] those left out have their defaults
   * @returns {Promise<Tensor>}
   */
  async execute(name, inputs, attributes) {
    this.#requireOp(name, 'execute');
    requireArray(inputs, `${name}: inputs`);
    const [result] = await this.#run('execute', name, [...items(inputs)], attributes);
    return /** @type {Tensor} */ (result);
  }

  /**
   * The gradients of an op with respect to each of its inputs, as customOps.gradients gives them.
   * @param {string} name
   * @param {readonly TensorLike[]} inputs
   * @param {TensorLike} gradOutput of the output's shape and dtype
   * @param {AttributesInput} [attributes] those left out have their defaults
   * @returns {Promise<Tensor[]>}
   */
  async gradients(name, inputs, gradOutput, attributes) {
    this.#requireOp(name, 'gradients');
    requireArray(inputs, `${name}: inputs`);
    return this.#run('gradients', name, [...items(inputs), gradOutput], attributes);
  }

  /** Ends the plugin and its worker. Calls that are not done reject with a PluginError. */
  close() {
    dropped.unregister(this);
    this.#session.end(new PluginError(`isolated plugin "${this.info.name}" was closed`, {
      phase: 'call',
      plugin: this.info.name,
      hint: 'load it again; close() ends what is under way',
    }));
  }

  /**
   * @param {unknown} name
   * @param {string} method
   */
  #requireOp(name, method) {
    requireString(name, `IsolatedPlugin.${method}: name`);
    const op = this.#ops.get(name);
    if (op) return op;
    throw new ValueError(`no op ${show(name)} in isolated plugin "${this.info.name}"; it has: ${this.ops.join(', ')}`);
  }

  /**
   * @param {'execute' | 'gradients'} kind
   * @param {string} op
   * @param {readonly unknown[]} inputs
   * @param {unknown} attributes
   */
  async #run(kind, op, inputs, attributes) {
    this.#core.requireOpen();
    const packed = packInputs(this.#core, inputs, op);
    const message = { kind, op, inputs: packed, attributes: copyAttributes(attributes, op) };
    const what = `op "${op}" of isolated plugin "${this.info.name}"`;
    /** @type {readonly PackedTensor[]} */
    const results = await this.#session.request(message, buffersOf(packed), what);
    return results.map(({ data, shape, dtype }) => this.#core.createTensor(data, { shape, dtype }));
  }
}

makeDisposable(IsolatedPlugin.prototype, IsolatedPlugin.prototype.close);

/** An op has no more inputs than this. */
const MAX_INPUTS = 64;

/**
 * An array may claim any length.
 * @param {readonly unknown[]} inputs
 */
function* items(inputs) {
  let count = 0;
  for (const input of inputs) {
    if (++count > MAX_INPUTS) throw new ValueError(`an op has at most ${MAX_INPUTS} inputs`);
    yield input;
  }
}

/**
 * Copies of inputs. Numbers and arrays are of the dtype of the first input that is a tensor.
 * @param {Core} core
 * @param {readonly unknown[]} inputs
 * @param {string} what
 * @returns {PackedTensor[]}
 */
function packInputs(core, inputs, what) {
  const first = inputs.find((input) => input instanceof Tensor);
  if (first) requireTensor(core, first, `${what}: an input`);
  return inputs.map((input, index) => {
    const name = `${what}: input ${index}`;
    if (input instanceof Tensor) {
      requireTensor(core, input, name);
      return { data: input.toTypedArray(), shape: [...input.shape], dtype: input.dtype };
    }
    const { kind, dtype: own } = flatten(input, name);
    const base = /** @type {Tensor | undefined} */ (first)?.dtype;
    const dtype = kind && base ? weakDtype(kind, base) : own;
    const made = core.createTensor(/** @type {import('./array_source.js').ArraySource} */ (input), { dtype });
    const data = made.toTypedArray();
    const shape = [...made.shape];
    made.dispose();
    return { data, shape, dtype };
  });
}
