import { Role } from './callbacks.js';
import { requireArray, requireFunction, show } from './check.js';
import { prepareOp, requireNoPromise } from './custom_ops.js';
import { PluginInfo } from './plugin_info.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./custom_ops.js').OpDefinition} OpDefinition */
/** @typedef {import('./plugin_registry.js').PluginRegistry} PluginRegistry */

/**
 * Called with the registry that the plugin is registered in.
 * @typedef {(registry: PluginRegistry) => void} LifecycleFn
 */

/** A plugin made of callbacks. PluginBuilder makes one. */
export class CustomPlugin {
  /** @type {LifecycleFn | undefined} */
  #initialize;
  /** @type {LifecycleFn | undefined} */
  #cleanup;
  /** @type {(() => readonly OpDefinition[]) | undefined} */
  #customOperations;
  #info;

  /**
   * @param {PluginInfo} info
   * @internal
   */
  constructor(info) {
    if (!(info instanceof PluginInfo)) {
      throw new TypeError(`CustomPlugin: info must be a PluginInfo, not ${show(info)}`);
    }
    this.#info = info;
  }

  get info() {
    return this.#info;
  }

  /**
   * @param {LifecycleFn} fn called once at registration, before the ops are asked for
   */
  setInitializeFn(fn) {
    requireFunction(fn, 'setInitializeFn: fn');
    this.#initialize = fn;
  }

  /**
   * @param {LifecycleFn} fn called once, before the ops are removed; also when a registration fails after initialize
   */
  setCleanupFn(fn) {
    requireFunction(fn, 'setCleanupFn: fn');
    this.#cleanup = fn;
  }

  /**
   * @param {() => readonly OpDefinition[]} fn gives the plugin's ops, which the engine has for as long as the plugin is
   *   registered
   */
  setCustomOperationsFn(fn) {
    requireFunction(fn, 'setCustomOperationsFn: fn');
    this.#customOperations = fn;
  }

  /**
   * What the core calls for this plugin in `registry`.
   * @param {Core} core
   * @param {PluginRegistry} registry
   * @returns {import('./plugin_registry.js').PluginCallback}
   * @internal
   */
  asCallback(core, registry) {
    return {
      kind: 'plugin',
      plugin: this,
      call: (role) => {
        const what = `plugin ${show(this.#info.name)}`;
        if (role === Role.pluginInitialize) requireNoPromise(this.#initialize?.(registry), `${what}: initialize`);
        else if (role === Role.pluginCleanup) requireNoPromise(this.#cleanup?.(registry), `${what}: cleanup`);
        else this.#stageOps(core);
        return [];
      },
    };
  }

  /** @param {Core} core */
  #stageOps(core) {
    const what = `plugin ${show(this.#info.name)}: custom operations`;
    const definitions = this.#customOperations?.() ?? [];
    requireArray(definitions, `${what}: what the callback gave`);
    for (const definition of definitions) {
      const { op, callback } = prepareOp(core, definition, what);
      core.give(callback, (module, id) => module.stageOp(id, ...op));
    }
  }
}
