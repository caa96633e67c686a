import { noAttributes } from './attributes.js';
import { requireArray, requireFunction, requireObject, requireString, show } from './check.js';
import { runForTensors, withLent } from './custom_ops.js';
import { makeDisposable } from './disposable.js';
import { DTypeError, KeyError, MiniTensorError, ShapeError } from './errors.js';
import { withHandles } from './execute.js';
import { requireTensor } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */

/**
 * The tensors that it is given belong to the call. What it makes besides the result is released when it returns.
 * @typedef {(inputs: import('./custom_ops.js').Inputs) => Tensor} LayerForward
 */

/** A layer that the core has made, on its way into a CustomLayer. */
class LayerHandle {
  /** @param {number} value */
  constructor(value) {
    this.value = value;
  }
}

/** A named function of tensors with named parameters. Layers of compiled plugins are of this class, too. */
export class CustomLayer {
  /** @type {Core} */
  #core;
  #handle;
  #name;
  // Here, and not in a table of the core's: a function that refers to its layer would otherwise keep it alive for good.
  /** @type {LayerForward | undefined} */
  #forward;

  /**
   * @param {Core} core
   * @param {string | LayerHandle} source
   */
  constructor(core, source) {
    if (source instanceof LayerHandle) {
      this.#handle = source.value;
    } else {
      requireString(source, 'CustomLayer: name');
      this.#handle = core.invoke((module) => module.createLayer(source));
    }
    this.#core = core;
    const handle = this.#handle;
    this.#name = source instanceof LayerHandle ? core.invoke((module) => module.layerName(handle)) : source;
    core.own(this, 'layer', handle);
  }

  #require() {
    this.#core.requireOpen();
    if (this.#handle === 0) {
      throw new MiniTensorError(`the CustomLayer "${this.#name}" is disposed`, { code: 'MT_DISPOSED' });
    }
    return this.#handle;
  }

  get name() {
    return this.#name;
  }

  get isDisposed() {
    return this.#handle === 0;
  }

  /**
   * @param {LayerForward} forward called by forward()
   */
  setForward(forward) {
    const handle = this.#require();
    requireFunction(forward, 'setForward: forward');
    this.#forward = forward;
    const self = new WeakRef(this);
    this.#core.give({
      kind: 'layer',
      call: (_, handles) => /** @type {CustomLayer} */ (self.deref()).#call(handles),
    }, (module, callback) => module.setLayerForward(callback, handle));
  }

  /**
   * @param {readonly number[]} handles
   * @returns {readonly number[]}
   */
  #call(handles) {
    return withLent(this.#core, handles, (inputs) =>
      runForTensors(this.#core, `layer "${this.#name}": forward`, () => [
        /** @type {LayerForward} */ (this.#forward)(inputs),
      ]));
  }

  /**
   * Adds a parameter, or replaces the one of that name in its place. The layer shares the tensor's elements and keeps
   * them when the tensor is disposed.
   * @param {string} name
   * @param {Tensor} value
   */
  addParameter(name, value) {
    const handle = this.#require();
    requireString(name, 'addParameter: name');
    const tensor = requireTensor(this.#core, value, 'addParameter: value');
    this.#core.invoke((module) => module.addLayerParameter(handle, name, tensor));
  }

  /**
   * A tensor of the parameter's elements. A KeyError for an unknown name.
   * @param {string} name
   * @returns {Tensor}
   */
  getParameter(name) {
    const handle = this.#require();
    requireString(name, 'getParameter: name');
    return this.#core.wrap(this.#core.invoke((module) => module.getLayerParameter(handle, name)));
  }

  /** The names, in order of addition. */
  listParameters() {
    const handle = this.#require();
    return this.#core.invoke((module) => module.listLayerParameters(handle));
  }

  /**
   * Every parameter with its name, in order of addition, as tensors of its elements.
   * @returns {Generator<[name: string, value: Tensor]>}
   */
  *namedParameters() {
    for (const name of this.listParameters()) yield [name, this.getParameter(name)];
  }

  /**
   * The parameters by name, as tensors of their elements: what loadStateDict takes.
   * @returns {Record<string, Tensor>}
   */
  stateDict() {
    return Object.fromEntries(this.namedParameters());
  }

  /**
   * Overwrites every parameter with these elements; who shares it, such as an optimizer, sees them. Nothing is
   * overwritten unless all of it fits: a name that is missing or not known is a KeyError, another shape a ShapeError,
   * another dtype a DTypeError.
   * @param {Readonly<Record<string, Tensor>>} state
   */
  loadStateDict(state) {
    const what = `layer "${this.#name}": loadStateDict`;
    requireObject(state, `${what}: state`);
    const names = this.listParameters();
    const missing = names.filter((name) => !Object.hasOwn(state, name));
    const unknown = Object.keys(state).filter((name) => !names.includes(name));
    if (missing.length > 0) throw new KeyError(`${what}: missing: ${missing.map(show).join(', ')}`);
    if (unknown.length > 0) throw new KeyError(`${what}: no such parameter: ${unknown.map(show).join(', ')}`);
    const values = names.map((name) => /** @type {const} */ ([name, /** @type {Tensor} */ (state[name])]));
    for (const [name, value] of values) {
      requireTensor(this.#core, value, `${what}: ${show(name)}`);
      const current = this.getParameter(name);
      const { shape, dtype } = current;
      current.dispose();
      if (String(shape) !== String(value.shape)) {
        throw new ShapeError(`${what}: ${show(name)} has shape [${shape}], not [${value.shape}]`);
      }
      if (dtype !== value.dtype) throw new DTypeError(`${what}: ${show(name)} is ${dtype}, not ${value.dtype}`);
    }
    for (const [name, value] of values) {
      const current = this.getParameter(name);
      try {
        current.assign(value);
      } finally {
        current.dispose();
      }
    }
  }

  /**
   * Runs the layer. A NotImplementedError when no forward is set.
   * @param {readonly TensorLike[]} inputs
   * @returns {Tensor}
   */
  forward(inputs) {
    const layer = this.#require();
    requireArray(inputs, 'forward: inputs');
    return withHandles(this.#core, inputs, 'forward', (handles) => {
      const core = this.#core;
      const result = core.withArguments(handles, 4, noAttributes, (address) =>
        core.module._mt_layer_forward(layer, address, handles.length));
      if (result === 0) throw core.takeError();
      return core.wrap(result >>> 0);
    });
  }

  /** Releases the layer and its hold on its parameters. Nothing happens the second time. */
  dispose() {
    if (this.#handle === 0) return;
    const handle = this.#handle;
    // First, since it throws where the engine's stack ends.
    this.#core.release('layer', handle);
    this.#handle = 0;
    this.#core.disown(this, 'layer', handle);
    this.#forward = undefined;
  }
}

makeDisposable(CustomLayer.prototype, CustomLayer.prototype.dispose);

/** @typedef {new (name: string) => CustomLayer} CustomLayerClass */

/**
 * The class `mt.plugins.CustomLayer` of an instance, and the way from a handle to an object of it.
 * @param {Core} core
 * @returns {{ CustomLayer: CustomLayerClass, wrapLayer: (handle: number) => CustomLayer }}
 */
export function createCustomLayerClass(core) {
  const Class = class extends CustomLayer {
    /** @param {string | LayerHandle} source */
    constructor(source) {
      super(core, source);
    }
  };
  Object.defineProperty(Class, 'name', { value: 'CustomLayer' });
  return { CustomLayer: Class, wrapLayer: (handle) => new Class(new LayerHandle(handle)) };
}
