/** @typedef {import('./minitensor.js').MiniTensor} MiniTensor */
/** @typedef {import('./minitensor.js').PluginInspection} PluginInspection */
/** @typedef {import('./minitensor.js').CustomLayer} CustomLayer */
/** @typedef {import('./minitensor.js').Attributes} Attributes */
/** @typedef {import('./minitensor.js').ArraySource} ArraySource */
/** @typedef {import('./minitensor.js').Tensor} Tensor */

/** @typedef {PluginInspection['info']} PluginInfo */

/**
 * A layer that somebody made on the page.
 * @typedef {object} LiveLayer
 * @property {number} id
 * @property {string} label
 * @property {string} type
 * @property {Attributes} config
 * @property {string} plugin
 * @property {CustomLayer} layer
 */

/** @typedef {{ info: PluginInfo, file: File, ops: readonly string[], layerTypes: readonly string[] }} LoadedPlugin */

/**
 * What can be run: an op, or a layer that has been made; and a layer type, of which a layer can be made.
 * @typedef {{ kind: 'op' | 'type', name: string } | { kind: 'layer', id: number }} Target
 */

/**
 * Values for one input, and their shape where that is not as they are nested.
 * @typedef {{ name: string, values: ArraySource, shape?: readonly number[] }} Input
 */

/** @typedef {{ name: string, shape: readonly number[], dtype: string, values: ArrayLike<number> }} Numbers */

/**
 * What was called: an op, or a layer of a type, with its attributes or its configuration, of the plugin in a file.
 * @typedef {{ kind: 'op' | 'layer', name: string, attributes: Attributes, file: string }} Call
 */

/** @typedef {{ call: Call, inputs: Numbers[], output: Numbers }} Run */

/** The engine does not take the values of an input. The cause says why. */
export class InputError extends Error {
  /**
   * @param {string} input its name
   * @param {unknown} cause
   */
  constructor(input, cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.input = input;
  }
}

/**
 * The engine with the plugins and layers that the page holds in it. A `change` event follows every change of those.
 * The tensors of a run are released before it returns.
 */
export class Session extends EventTarget {
  #mt;
  /** @type {Map<string, LoadedPlugin>} */
  #plugins = new Map();
  /** @type {Map<number, LiveLayer>} */
  #layers = new Map();
  #lastLayer = 0;

  /** @param {MiniTensor} mt */
  constructor(mt) {
    super();
    this.#mt = mt;
  }

  /** @returns {readonly LoadedPlugin[]} */
  get plugins() {
    return [...this.#plugins.values()];
  }

  /** @returns {readonly LiveLayer[]} */
  get layers() {
    return [...this.#layers.values()];
  }

  memory() {
    return this.#mt.memory();
  }

  /** @param {File} file */
  inspect(file) {
    return this.#mt.plugins.inspectPlugin(file);
  }

  /** @param {File} file */
  isLoaded(file) {
    return this.plugins.some((plugin) => plugin.file === file);
  }

  /**
   * @param {File} file
   * @param {PluginInspection} inspection of that file
   */
  async load(file, { ops, layers }) {
    const info = await this.#mt.plugins.loadPlugin(file);
    this.#plugins.set(info.name, { info, file, ops, layerTypes: layers });
    this.#changed();
    return info;
  }

  /**
   * Unloads a plugin. Its layers are released first, since the engine refuses while they are alive.
   * @param {string} name
   */
  unload(name) {
    try {
      for (const { id, plugin, layer } of this.layers) {
        if (plugin !== name) continue;
        layer.dispose();
        this.#layers.delete(id);
      }
      this.#mt.plugins.unloadPlugin(name);
    } finally {
      // A plugin whose cleanup fails reports that after it is gone.
      if (!this.#mt.plugins.isPluginLoaded(name)) this.#plugins.delete(name);
      this.#changed();
    }
  }

  /** @param {string} name */
  describeOp(name) {
    return this.#mt.customOps.describe(name);
  }

  /**
   * @param {string} type
   * @param {Attributes} config
   */
  createLayer(type, config) {
    const plugin = this.plugins.find(({ layerTypes }) => layerTypes.includes(type))?.info.name ?? '';
    const layer = this.#mt.plugins.createLayer(type, config);
    const id = ++this.#lastLayer;
    const live = { id, label: `${layer.name} ${id}`, type, config, plugin, layer };
    this.#layers.set(id, live);
    this.#changed();
    return live;
  }

  /** @param {number} id */
  disposeLayer(id) {
    this.#layers.get(id)?.layer.dispose();
    this.#layers.delete(id);
    this.#changed();
  }

  /**
   * Runs an op.
   * @param {string} name
   * @param {readonly Input[]} inputs
   * @param {Attributes} attributes
   * @returns {Run}
   */
  runOp(name, inputs, attributes) {
    const plugin = this.plugins.find(({ ops }) => ops.includes(name));
    const call = /** @type {const} */ ({ kind: 'op', name, attributes, file: plugin?.file.name ?? '' });
    return this.#run(call, inputs, (tensors) => this.#mt.customOps.execute(name, tensors, attributes));
  }

  /**
   * Runs a layer.
   * @param {number} id
   * @param {readonly Input[]} inputs
   * @returns {Run}
   */
  runLayer(id, inputs) {
    const live = this.#layers.get(id);
    if (!live) throw new Error('this layer has been disposed');
    const file = this.#plugins.get(live.plugin)?.file.name ?? '';
    const call = /** @type {const} */ ({ kind: 'layer', name: live.type, attributes: live.config, file });
    return this.#run(call, inputs, (tensors) => live.layer.forward(tensors));
  }

  /**
   * @param {Call} call
   * @param {readonly Input[]} inputs
   * @param {(tensors: readonly Tensor[]) => Tensor} compute
   * @returns {Run}
   */
  #run(call, inputs, compute) {
    try {
      return this.#mt.tidy(() => {
        const tensors = inputs.map((input) => this.#tensorOf(input));
        const output = numbersOf(compute(tensors), 'result');
        return { call, inputs: tensors.map((tensor, index) => numbersOf(tensor, inputs[index]?.name ?? '')), output };
      });
    } finally {
      this.#changed();
    }
  }

  /** @param {Input} input */
  #tensorOf({ name, values, shape }) {
    try {
      return new this.#mt.Tensor(values, shape ? { shape } : {});
    } catch (cause) {
      throw new InputError(name, cause);
    }
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/**
 * @param {Tensor} tensor
 * @param {string} name
 * @returns {Numbers}
 */
function numbersOf(tensor, name) {
  return { name, shape: tensor.shape, dtype: tensor.dtype, values: tensor.toTypedArray() };
}
