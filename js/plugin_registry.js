import { requireString, show } from './check.js';
import { CustomPlugin } from './custom_plugin.js';
import { PluginInfo, valuesOf } from './plugin_info.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./callbacks.js').Callback & { plugin: CustomPlugin }} PluginCallback */

/** Plugins made of callbacks, by name, in order of registration. Their ops are the whole instance's. */
export class PluginRegistry {
  #core;
  #handle;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
    const handle = core.invoke((module) => module.createRegistry());
    this.#handle = handle;
    // Nobody drops one that has plugins: their callbacks refer to it.
    core.own(this, 'registry', handle);
  }

  /**
   * A transaction: a taken name is a ValueError, a version range that leaves out this MiniTensor a PluginError; then
   * initialize is called, then the ops are added. If any step throws, what was done is undone, and that same error
   * comes out.
   * @param {CustomPlugin} plugin
   */
  register(plugin) {
    if (!(plugin instanceof CustomPlugin)) {
      throw new TypeError(`PluginRegistry.register: plugin must be a CustomPlugin, not ${show(plugin)}`);
    }
    this.#core.give(plugin.asCallback(this.#core, this), (module, callback) =>
      module.registerPlugin(callback, this.#handle, ...valuesOf(plugin.info)));
  }

  /**
   * Calls cleanup and removes the plugin and its ops, also when cleanup throws; its error comes out afterwards. A
   * ValueError for an unknown name.
   * @param {string} name
   */
  unregister(name) {
    requireString(name, 'PluginRegistry.unregister: name');
    this.#core.changeOps((module) => module.unregisterPlugin(this.#handle, name));
  }

  /** What the plugins say of themselves. */
  listPlugins() {
    const infos = this.#core.invoke((module) => module.listRegisteredPlugins(this.#handle));
    return infos.map((info) => new PluginInfo(info));
  }

  /**
   * The plugin of this name. A KeyError for an unknown one.
   * @param {string} name
   */
  getPlugin(name) {
    requireString(name, 'PluginRegistry.getPlugin: name');
    const id = this.#core.invoke((module) => module.getRegisteredPlugin(this.#handle, name));
    return /** @type {PluginCallback} */ (this.#core.callbacks.get(id)).plugin;
  }

  /** @param {string} name */
  isRegistered(name) {
    requireString(name, 'PluginRegistry.isRegistered: name');
    return this.#core.invoke((module) => module.isPluginRegistered(this.#handle, name));
  }
}
