import { requireOptions, show } from './check.js';
import { createFromValues, describe } from './create.js';
import { makeDisposable } from './disposable.js';
import { dtypes, toValue } from './dtype.js';
import { MiniTensorError, ShapeError, ValueError } from './errors.js';
import { executeManyOn, executeOn, withHandles } from './execute.js';
import { formatTensor } from './format.js';
import { gradientOf, requiresGrad, setRequiresGrad } from './gradients.js';
import { TensorOps, executeManyOp, executeOp } from './op_functions.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./dtype.js').TensorData} TensorData */
/** @typedef {import('./dtype.js').AnyTensorData} AnyTensorData */
/** @typedef {import('./array_source.js').ArraySource} ArraySource */
/** @typedef {import('./array_source.js').NestedNumbers} NestedNumbers */

/**
 * What ops take: a tensor, or numbers that become one.
 * @typedef {Tensor | ArraySource} TensorLike
 */

/**
 * @typedef {object} TensorOptions
 * @property {DType} [dtype] default: what holds the values of a typed array; float32 for numbers, int64 for BigInts,
 *   bool for booleans
 * @property {boolean} [requiresGrad] see Tensor.requiresGrad; default false
 * @property {readonly number[]} [shape] for flat values; default: as the arrays are nested
 */

/** Of a tensor without elements, sizes before the 0 take no memory, and a file may say any. */
const MOST_EMPTY_ARRAYS = 1e6;

/** A handle of the core on its way into a Tensor. */
class Handle {
  /**
   * @param {number} value
   * @param {boolean} isLent the core releases it, at the end of the call for which it was lent
   */
  constructor(value, isLent) {
    this.value = value;
    this.isLent = isLent;
  }
}

/** @type {(tensor: Tensor) => number} */
let handleField;
/** @type {(tensor: Tensor) => Core} */
let coreField;
/** @type {(tensor: Tensor) => void} */
let forget;

/**
 * An n-dimensional array of numbers in the memory of an instance. Its elements do not change, and views share them.
 *
 * It is released by `dispose()`, at the end of a `using` block or of `mt.tidy`; a tensor that is dropped without is
 * released when JavaScript collects it.
 */
export class Tensor extends TensorOps {
  /** @type {Core} */
  #core;
  #handle;
  #isLent;
  /** @type {{ dtype: DType, shape: readonly number[], strides: readonly number[] } | undefined} */
  #description;

  /**
   * @param {Core} core
   * @param {ArraySource | Handle} source
   * @param {TensorOptions} [options]
   */
  constructor(core, source, options) {
    super();
    const handle = source instanceof Handle ? source : new Handle(createFromValues(core, source, options), false);
    this.#core = core;
    this.#handle = handle.value;
    this.#isLent = handle.isLent;
    if (handle.isLent) return;
    core.own(this, 'tensor', handle.value);
    core.scopes.track(this);
    if (options?.requiresGrad === undefined) return;
    try {
      this.requiresGrad = options.requiresGrad;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  static {
    handleField = (tensor) => tensor.#handle;
    coreField = (tensor) => tensor.#core;
    forget = (tensor) => {
      tensor.#core.disown(tensor, 'tensor', tensor.#handle);
      tensor.#core.scopes.keep(tensor);
      tensor.#handle = 0;
    };
  }

  /** Sizes of the axes; `[]` for a single number. Frozen. */
  get shape() {
    return this.#describe().shape;
  }

  /** Steps along the axes, in elements. Frozen. */
  get strides() {
    return this.#describe().strides;
  }

  get dtype() {
    return this.#describe().dtype;
  }

  /** The number of axes. */
  get ndim() {
    return this.shape.length;
  }

  /** The number of elements. */
  get size() {
    return this.shape.reduce((product, size) => product * size, 1);
  }

  get isDisposed() {
    return this.#handle === 0;
  }

  #describe() {
    const handle = handleOf(this);
    this.#description ??= describe(this.#core, handle);
    return this.#description;
  }

  /**
   * The elements in row-major order, as a copy of the dtype's own array type: of int64 a BigInt64Array, of bool a
   * Uint8Array of 0 and 1.
   * @template {AnyTensorData} [T=TensorData]
   * @returns {NoInfer<T>} say which it is where the dtype is an integer or bool
   */
  toTypedArray() {
    return /** @type {NoInfer<T>} */ (this.#read());
  }

  /** @returns {AnyTensorData} */
  #read() {
    const core = this.#core;
    const { dtype } = this;
    const { size } = this;
    const handle = handleOf(this);
    const contiguous = core.enter(() => core.module._mt_tensor_contiguous(handle));
    if (contiguous === 0) throw core.takeError();
    try {
      const address = core.module._mt_tensor_data(contiguous);
      return new dtypes[dtype].Array(core.module.wasmMemory.buffer, address, size).slice();
    } finally {
      core.module._mt_tensor_release(contiguous);
    }
  }

  /**
   * The elements as nested arrays; a plain number for a tensor without axes. Of int64 an element is a number where that
   * is exact (a safe integer), else a BigInt; of bool a boolean.
   * @template [T=NestedNumbers]
   * @returns {NoInfer<T>} say which it is where the dtype is int64 or bool
   */
  toArray() {
    const values = this.#read();
    const { shape, dtype } = this;
    let offset = 0;
    const first = shape.indexOf(0);
    if (first > 0 && shape.slice(0, first).reduce((product, size) => product * size) > MOST_EMPTY_ARRAYS) {
      throw new ShapeError(`toArray: shape [${shape}] has no elements, and more than ${MOST_EMPTY_ARRAYS} arrays`);
    }
    /** @type {(axis: number) => unknown} */
    const nest = (axis) =>
      axis === shape.length
        ? toValue(/** @type {number | bigint} */ (values[offset++]), dtype)
        : Array.from({ length: /** @type {number} */ (shape[axis]) }, () => nest(axis + 1));
    return /** @type {NoInfer<T>} */ (nest(0));
  }

  /**
   * The single element, as toArray gives it. A ShapeError when there is not exactly one.
   * @template [T=number]
   * @returns {NoInfer<T>} say which it is where the dtype is int64 or bool
   */
  item() {
    if (this.size !== 1) {
      throw new ShapeError(`item: a tensor of shape [${this.shape}] has ${this.size} elements, not one`);
    }
    return /** @type {NoInfer<T>} */ (toValue(/** @type {number | bigint} */ (this.#read()[0]), this.dtype));
  }

  /**
   * Whether gradients flow to this tensor (set it to true: a leaf) or through it (it was computed from such). Only of a
   * floating-point dtype. Set to false, it is as detached.
   */
  get requiresGrad() {
    return requiresGrad(this.#core, handleOf(this));
  }

  set requiresGrad(required) {
    setRequiresGrad(this.#core, handleOf(this), required);
  }

  /** What backward has left here, as a tensor of its own; null before, and where no gradient was asked for. */
  get grad() {
    return gradientOf(this.#core, handleOf(this));
  }

  /** Replaces the gradient; null takes it away, so that the next backward does not add to it. */
  set grad(gradient) {
    const handle = handleOf(this);
    const given = gradient === null ? 0 : requireTensor(this.#core, gradient, 'grad');
    this.#core.invoke((module) => module._mt_tensor_set_grad(handle, given));
  }

  /**
   * Adds to the gradient of each leaf that this tensor was computed from. Of a tensor of several elements the gradient
   * with respect to it must be given.
   * @param {TensorLike} [gradient] of this tensor's shape; default, of one element: 1
   * @param {object} [options]
   * @param {boolean} [options.retainGraph] keeps what was recorded, so that backward can be called once more
   */
  backward(gradient, options = {}) {
    const core = this.#core;
    const handle = handleOf(this);
    requireOptions(options, 'backward', ['retainGraph']);
    const retain = options.retainGraph ? 1 : 0;
    const inputs = gradient === undefined ? [this] : [this, gradient];
    withHandles(core, inputs, 'backward', ([, given = 0]) =>
      core.invoke((module) => module._mt_backward(handle, given, retain)),
    );
  }

  /** The same elements as a tensor through which no gradient flows. */
  detach() {
    const handle = handleOf(this);
    return this.#core.wrap(this.#core.invoke((module) => module._mt_tensor_detach(handle)) >>> 0);
  }

  /**
   * Overwrites the elements, which its views share, as it shares those of what it is a view of: what an optimizer does.
   * Of another dtype they are cast. Where axes are broadcast, so that an element stands in several places, it is
   * refused.
   * @param {TensorLike} source of the same shape
   */
  assign(source) {
    const core = this.#core;
    withHandles(core, [this, source], 'assign', ([handle = 0, given = 0]) =>
      core.invoke((module) => module._mt_tensor_assign(handle, given)),
    );
    return this;
  }

  /** Releases the tensor. Views and layers that share its elements keep them. Nothing happens the second time. */
  dispose() {
    if (this.#handle === 0) return;
    if (this.#isLent) {
      this.#handle = 0; // the core releases it, at the end of the call
      return;
    }
    this.#core.release('tensor', this.#handle);
    forget(this);
  }

  /** @type {import('./op_functions.js').Execute} */
  [executeOp](name, inputs, attributes) {
    return executeOn(this.#core, name, inputs, attributes);
  }

  /** @type {import('./op_functions.js').ExecuteMany} */
  [executeManyOp](name, inputs, attributes) {
    return executeManyOn(this.#core, name, inputs, attributes);
  }

  /**
   * Shape, dtype and elements, in NumPy's form; of more than 1000 elements only those at the edges.
   * @override
   */
  toString() {
    return this.isDisposed ? 'Tensor(disposed)' : formatTensor(this);
  }

  /** How Node's console shows it. In a browser's, print `String(tensor)`. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toString();
  }
}

makeDisposable(Tensor.prototype, Tensor.prototype.dispose);
// What a browser's console calls it.
Object.defineProperty(Tensor.prototype, Symbol.toStringTag, { value: 'Tensor', configurable: true });

/**
 * The class `mt.Tensor` of an instance.
 * @param {Core} core
 */
export function createTensorClass(core) {
  const Class = class extends Tensor {
    /**
     * @param {ArraySource | Handle} source
     * @param {TensorOptions} [options]
     */
    constructor(source, options) {
      super(core, source, options);
    }
  };
  Object.defineProperty(Class, 'name', { value: 'Tensor' });
  core.wrap = (handle, isLent = false) => new Class(new Handle(handle, isLent));
  core.createTensor = (source, options) => new Class(source, options);
  return /** @type {TensorClass} */ (/** @type {unknown} */ (Class));
}

/** @typedef {new (source: ArraySource, options?: TensorOptions) => Tensor} TensorClass */
/** @typedef {(source: ArraySource, options?: TensorOptions) => Tensor} CreateTensor */

/**
 * The handle of a living tensor of `core`'s instance; 0 for anything else.
 * @param {Core} core
 * @param {unknown} value
 */
export function handleIfUsable(core, value) {
  return value instanceof Tensor && coreField(value) === core ? handleField(value) : 0;
}

/**
 * The handle of a tensor that is alive.
 * @param {Tensor} tensor
 */
export function handleOf(tensor) {
  coreField(tensor).requireOpen();
  const handle = handleField(tensor);
  if (handle === 0) throw new MiniTensorError('this Tensor is disposed', { code: 'MT_DISPOSED' });
  return handle;
}

/**
 * The handle of a value that must be a living tensor of `core`'s instance.
 * @param {Core} core
 * @param {unknown} value
 * @param {string} what for messages
 */
export function requireTensor(core, value, what) {
  if (!(value instanceof Tensor)) throw new TypeError(`${what} must be a Tensor, not ${show(value)}`);
  if (coreField(value) !== core) throw new ValueError(`${what} is a Tensor of another instance`);
  if (value.isDisposed) throw new MiniTensorError(`${what} is a disposed Tensor`, { code: 'MT_DISPOSED' });
  return handleField(value);
}

/**
 * Takes the handle out of a tensor, which is as disposed from then on; the caller releases it.
 * @param {Tensor} tensor that is alive
 */
export function takeHandle(tensor) {
  const handle = handleOf(tensor);
  forget(tensor);
  return handle;
}
