import { encodeAttributes } from './attributes.js';
import { requireString } from './check.js';
import { createCustomLayerClass } from './custom_layer.js';
import { CustomPlugin } from './custom_plugin.js';
import { NotImplementedError } from './errors.js';
import { checkInspectOptions, checkLoadOptions, checkOptions } from './load_options.js';
import { loadPart } from './load_part.js';
import { LoadedPluginInfo } from './loaded_plugin_info.js';
import { addressOf, snapshot } from './plugin_address.js';
import { PluginBuilder } from './plugin_builder.js';
import { PluginInfo } from './plugin_info.js';
import { PluginRegistry } from './plugin_registry.js';
import { VersionInfo } from './version_info.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core_module.js').CoreInspection} CoreInspection */
/** @typedef {import('./attributes.js').AttributesInput} AttributesInput */
/** @typedef {import('./custom_layer.js').CustomLayer} CustomLayer */
/** @typedef {import('./core_module.js').LayerTypeDescription} LayerTypeDescription */
/** @typedef {import('./plugin_address.js').PluginSource} PluginSource */
/** @typedef {import('./load_options.js').CheckedInspectOptions} CheckedInspectOptions */
/** @typedef {import('./load_options.js').InspectOptions} InspectOptions */
/** @typedef {import('./load_options.js').LoadOptions} LoadOptions */
/** @typedef {import('./load_options.js').IsolatedLoadOptions} IsolatedLoadOptions */
/** @typedef {import('./isolated_plugin.js').IsolatedPlugin} IsolatedPlugin */

/**
 * What a plugin's file says of itself, read without running any of it.
 * @typedef {Omit<CoreInspection, 'info'> & { info: PluginInfo }} PluginInspection
 */

/**
 * @typedef {object} UnloadOptions
 * @property {boolean} [force] unload also while layers or recorded gradients of the plugin are alive; to use one of
 *   them afterwards is a PluginError
 */

/** The plugins of an instance, and the classes of the plugin contract. */
export class Plugins {
  #core;
  #wrapLayer;
  /** @type {import('./plugin_loads.js').PluginLoads | undefined} */
  #loads;

  /**
   * @param {Core} core
   * @internal
   */
  constructor(core) {
    this.#core = core;
    const { CustomLayer, wrapLayer } = createCustomLayerClass(core);
    this.#wrapLayer = wrapLayer;
    /** @readonly */
    this.CustomLayer = CustomLayer;
    /** @readonly */
    this.VersionInfo = VersionInfo;
    /** @readonly */
    this.PluginInfo = PluginInfo;
    /** @readonly */
    this.CustomPlugin = CustomPlugin;
    /** @readonly @type {new () => PluginBuilder} */
    this.PluginBuilder = named('PluginBuilder', class extends PluginBuilder {
      constructor() {
        super(core);
      }
    });
    /** @readonly @type {new () => PluginRegistry} */
    this.PluginRegistry = named('PluginRegistry', class extends PluginRegistry {
      constructor() {
        super(core);
      }
    });
  }

  /**
   * Reads what a plugin's file says of itself: metadata, ops, layers, sizes, exports, and imports with what this host
   * has of them, and every reason why this host would not load it. Nothing of the file runs. A PluginError when it is
   * no plugin; a plugin for another host or version is read all the same.
   * @param {PluginSource} source
   * @param {InspectOptions} [options]
   * @returns {Promise<PluginInspection>}
   */
  async inspectPlugin(source, options) {
    const checked = checkInspectOptions(options);
    const { given, loads } = await this.#prepare(source, checked);
    const inspection = await loads.inspect(given, checked);
    return { ...inspection, info: new PluginInfo(inspection.info) };
  }

  /**
   * Loads a compiled plugin. Its ops and layer types are there when the promise resolves. A PluginError when any step
   * fails; everything is as before then, and a file that has been put right loads under the same name.
   *
   * With `isolated: true` the plugin is put into a worker of its own, with a memory of its own, and what comes out is
   * an object to call it by; the instance itself gets nothing of it.
   * @overload
   * @param {PluginSource} source
   * @param {IsolatedLoadOptions} options
   * @returns {Promise<IsolatedPlugin>}
   */
  /**
   * @overload
   * @param {PluginSource} source
   * @param {LoadOptions} [options]
   * @returns {Promise<PluginInfo>}
   */
  /**
   * @param {PluginSource} source
   * @param {LoadOptions | IsolatedLoadOptions} [options]
   * @returns {Promise<PluginInfo | IsolatedPlugin>}
   */
  async loadPlugin(source, options) {
    if (!this.#core.module.compiledPlugins) {
      throw new NotImplementedError('loadPlugin: this build has no dynamic loading (MINITENSOR_DYNAMIC_LOADING=OFF)');
    }
    const { trustedKeys, ...checked } = checkLoadOptions(options);
    checked.signal?.throwIfAborted();
    const own = { ...checked, ...(trustedKeys ? { trustedKeys: Array.from(trustedKeys, snapshot) } : {}) };
    const { given, loads } = await this.#prepare(source, checked);
    return checked.isolated ? loads.loadIsolated(given, own) : loads.load(given, own);
  }

  /**
   * The source as it is at the call, whatever happens to it while the code for loading comes.
   * @param {PluginSource} source
   * @param {CheckedInspectOptions} options
   */
  async #prepare(source, { base, signal }) {
    signal?.throwIfAborted();
    const given = addressOf(source, base) ?? snapshot(source);
    const loads = await this.#loading();
    signal?.throwIfAborted();
    return { given, loads };
  }

  /** The code for loading, which comes with the first call that needs it. */
  async #loading() {
    if (!this.#loads) {
      const { PluginLoads } = await loadPart(() => import('./plugin_loads.js'));
      this.#loads ??= new PluginLoads(this.#core);
    }
    return this.#loads;
  }

  /**
   * Unloads a compiled plugin with its ops and layer types. A PluginError for a name that is not loaded, and while
   * layers or recorded gradients of the plugin are alive or one of its ops is running; it names them. What goes wrong
   * in the plugin at its end is thrown after it has been unloaded.
   * @param {string} name
   * @param {UnloadOptions} [options]
   */
  unloadPlugin(name, options) {
    requireString(name, 'unloadPlugin: name');
    const { force } = checkOptions(options, 'unloadPlugin', ['force']);
    this.#core.changeOps((module) => module.unloadPlugin(name, force === true));
  }

  /** What the loaded compiled plugins say of themselves, in order of loading. */
  listPlugins() {
    return this.#core.invoke((module) => module.listLoadedPlugins()).map((info) => new LoadedPluginInfo(info));
  }

  /**
   * @param {string} name
   * @returns {LoadedPluginInfo} a PluginError for a name that is not loaded
   */
  getPluginInfo(name) {
    requireString(name, 'getPluginInfo: name');
    return new LoadedPluginInfo(this.#core.invoke((module) => module.getLoadedPluginInfo(name)));
  }

  /** @param {string} name */
  isPluginLoaded(name) {
    requireString(name, 'isPluginLoaded: name');
    return this.#core.invoke((module) => module.isPluginLoaded(name));
  }

  /** The layer types that plugins provide. */
  listLayerTypes() {
    return this.#core.invoke((module) => module.listLayerTypes());
  }

  /**
   * What a layer type says of itself. A ValueError for an unknown one.
   * @param {string} type
   * @returns {LayerTypeDescription}
   */
  describeLayerType(type) {
    requireString(type, 'describeLayerType: type');
    return this.#core.invoke((module) => module.describeLayerType(type));
  }

  /**
   * Makes a layer of a type that a plugin provides. A ValueError for an unknown type or configuration.
   * @param {string} type
   * @param {AttributesInput} [config]
   * @returns {CustomLayer}
   */
  createLayer(type, config) {
    requireString(type, 'createLayer: type');
    const encoded = encodeAttributes(config, type);
    return this.#wrapLayer(this.#core.invoke((module) => module.createLayerOfType(type, encoded)));
  }
}

/**
 * @template {Function} T
 * @param {string} name
 * @param {T} Class
 * @returns {T} the class, which has that name in messages and in the console
 */
function named(name, Class) {
  return Object.defineProperty(Class, 'name', { value: name });
}
