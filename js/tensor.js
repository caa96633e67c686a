import { encodeAttributes, noAttributes } from './attributes.js';
import { flatten } from './array_source.js';
import { checkedCopy, requireArray, requireObject, show } from './check.js';
import { makeDisposable } from './disposable.js';
import { dtypeFromNumber, dtypes, requireDtype } from './dtype.js';
import { MiniTensorError, ShapeError, ValueError } from './errors.js';
import { formatTensor } from './format.js';
import { TensorOps, executeOp } from './generated/ops.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./attributes.js').AttributesInput} AttributesInput */
/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./dtype.js').TensorData} TensorData */
/** @typedef {import('./array_source.js').ArraySource} ArraySource */
/** @typedef {import('./array_source.js').NestedNumbers} NestedNumbers */

/**
 * What ops take: a tensor, or numbers that become one.
 * @typedef {Tensor | ArraySource} TensorLike
 */

/**
 * @typedef {object} TensorOptions
 * @property {DType} [dtype] default: what holds the values; float32 for numbers and arrays of them
 * @property {readonly number[]} [shape] for flat values; default: as the arrays are nested
 */

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
   * The elements in row-major order, as a copy of the dtype's own array type.
   * @returns {TensorData}
   */
  toTypedArray() {
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
   * The elements as nested arrays; a plain number for a tensor without axes.
   * @returns {NestedNumbers}
   */
  toArray() {
    const values = this.toTypedArray();
    const { shape } = this;
    let offset = 0;
    /** @type {(axis: number) => NestedNumbers} */
    const nest = (axis) =>
      axis === shape.length
        ? /** @type {number} */ (values[offset++])
        : /** @type {NestedNumbers} */ (
            Array.from({ length: /** @type {number} */ (shape[axis]) }, () => nest(axis + 1))
          );
    return nest(0);
  }

  /** The single element. A ShapeError when there is not exactly one. */
  item() {
    if (this.size !== 1) {
      throw new ShapeError(`item: a tensor of shape [${this.shape}] has ${this.size} elements, not one`);
    }
    return /** @type {number} */ (this.toTypedArray()[0]);
  }

  /** Releases the tensor. Views and layers that share its elements keep them. Nothing happens the second time. */
  dispose() {
    if (this.#handle === 0) return;
    // What is lent is released by the core, at the end of the call.
    if (!this.#isLent) this.#core.release('tensor', this.#handle);
    forget(this);
  }

  /** @type {import('./generated/ops.js').Execute} */
  [executeOp](name, inputs, attributes) {
    return executeOn(this.#core, name, inputs, attributes);
  }

  /** @override */
  toString() {
    return this.isDisposed ? 'Tensor(disposed)' : formatTensor(this);
  }

  /** How Node's console shows it. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toString();
  }
}

makeDisposable(Tensor.prototype, Tensor.prototype.dispose);

/**
 * @param {Core} core
 * @param {number} handle
 */
function describe(core, handle) {
  return core.withArguments(new Array(18).fill(0), 8, noAttributes, (address) => {
    if (core.module._mt_tensor_describe(handle, address) === 0) throw core.takeError();
    const [dtype = 0, rank = 0, ...sizes] = new Float64Array(core.module.wasmMemory.buffer, address, 18);
    return {
      dtype: dtypeFromNumber(dtype),
      shape: Object.freeze(sizes.slice(0, rank)),
      strides: Object.freeze(sizes.slice(rank, 2 * rank)),
    };
  });
}

/**
 * @param {unknown} shape
 * @param {number} count of values
 */
function requireShape(shape, count) {
  requireArray(shape, 'Tensor: shape');
  const sizes = checkedCopy(shape, (size) => {
    if (typeof size !== 'number') throw new TypeError(`Tensor: shape must hold numbers, not ${show(size)}`);
    if (!Number.isSafeInteger(size) || size < 0) {
      throw new ShapeError(`Tensor: sizes must be integers from 0 up, not ${size}`);
    }
  });
  const checked = /** @type {readonly number[]} */ (sizes);
  if (checked.reduce((product, size) => product * size, 1) !== count) {
    throw new ShapeError(`Tensor: ${count} values do not fill the shape [${checked}]`);
  }
  return checked;
}

/**
 * @param {Core} core
 * @param {unknown} source
 * @param {unknown} [options]
 * @returns {number} a handle
 */
function createFromValues(core, source, options = {}) {
  requireObject(options, 'Tensor: options');
  const flat = flatten(source, 'Tensor');
  const shape = options.shape === undefined ? flat.shape : requireShape(options.shape, flat.values.length);
  const dtype = options.dtype === undefined ? flat.dtype : requireDtype(options.dtype, 'Tensor: dtype');
  return createFromFlat(core, flat.values, shape, dtype);
}

/**
 * @param {Core} core
 * @param {ArrayLike<number>} values
 * @param {readonly number[]} shape of as many elements
 * @param {DType} dtype
 * @returns {number} a handle
 */
function createFromFlat(core, values, shape, dtype) {
  const handle = core.withArguments(shape, 8, noAttributes, (sizes) =>
    core.module._mt_tensor_create(dtypes[dtype].number, shape.length, sizes),
  );
  if (handle === 0) throw core.takeError();
  try {
    const size = shape.reduce((product, length) => product * length, 1);
    const address = core.module._mt_tensor_data(handle);
    new dtypes[dtype].Array(core.module.wasmMemory.buffer, address, size).set(values);
  } catch (error) {
    // The caller's array has shrunk or grown meanwhile.
    core.module._mt_tensor_release(handle);
    throw error;
  }
  return handle >>> 0;
}

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

/**
 * Calls `use` with the handles of the inputs of an op. Numbers and arrays become tensors for as long as that takes, of
 * the dtype of the first input that is a tensor.
 * @template T
 * @param {Core} core
 * @param {Iterable<unknown>} inputs looked at one by one, since an array may claim any length
 * @param {string} what for messages
 * @param {(handles: readonly number[]) => T} use
 * @returns {T}
 */
export function withHandles(core, inputs, what, use) {
  /** @type {(number | import('./array_source.js').FlatValues)[]} */
  const checked = [];
  /** @type {Tensor | undefined} */
  let first;
  for (const input of inputs) {
    const name = `${what}: input ${checked.length}`;
    if (input instanceof Tensor) first ??= input;
    checked.push(input instanceof Tensor ? requireTensor(core, input, name) : flatten(input, name));
  }
  const dtype = first?.dtype;
  /** @type {number[]} */
  const made = [];
  try {
    const handles = checked.map((item) => {
      if (typeof item === 'number') return item;
      const handle = createFromFlat(core, item.values, item.shape, dtype ?? item.dtype);
      made.push(handle);
      return handle;
    });
    return use(handles);
  } finally {
    for (const handle of made) core.module._mt_tensor_release(handle);
  }
}

/**
 * Runs an op by name.
 * @param {Core} core
 * @param {string} name
 * @param {readonly unknown[]} inputs
 * @param {object} [attributes]
 * @returns {Tensor}
 */
export function executeOn(core, name, inputs, attributes) {
  const encoded = encodeAttributes(/** @type {AttributesInput | undefined} */ (attributes), name);
  return withHandles(core, inputs, name, (handles) => core.execute(name, handles, encoded));
}
