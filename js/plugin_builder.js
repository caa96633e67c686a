import { requireString, show } from './check.js';
import { CustomPlugin } from './custom_plugin.js';
import { PluginInfo, valuesOf } from './plugin_info.js';
import { VersionInfo } from './version_info.js';

/** @typedef {import('./core.js').Core} Core */

/** Collects a plugin's metadata. Every setter gives the builder, and a builder can be used again. */
export class PluginBuilder {
  #core;
  /** @type {Partial<import('./core_module.js').PluginInfoFields>} */
  #fields = {};

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /** @param {string} value */
  name(value) {
    requireString(value, 'PluginBuilder.name');
    this.#fields.name = value;
    return this;
  }

  /** @param {VersionInfo} value */
  version(value) {
    this.#fields.version = requireVersion(value, 'version');
    return this;
  }

  /** @param {string} value */
  description(value) {
    requireString(value, 'PluginBuilder.description');
    this.#fields.description = value;
    return this;
  }

  /** @param {string} value */
  author(value) {
    requireString(value, 'PluginBuilder.author');
    this.#fields.author = value;
    return this;
  }

  /** @param {VersionInfo} value the oldest MiniTensor that the plugin works with */
  minMinitensorVersion(value) {
    this.#fields.minMinitensorVersion = requireVersion(value, 'minMinitensorVersion');
    return this;
  }

  /** @param {VersionInfo} value the newest one */
  maxMinitensorVersion(value) {
    this.#fields.maxMinitensorVersion = requireVersion(value, 'maxMinitensorVersion');
    return this;
  }

  /**
   * A plugin without callbacks. A ValueError that names every missing field (all but the maximum version are needed),
   * for an empty name, and for a maximum version below the minimum.
   */
  build() {
    const values = valuesOf(this.#fields);
    return new CustomPlugin(new PluginInfo(this.#core.invoke((module) => module.checkPluginInfo(...values))));
  }
}

/**
 * @param {unknown} value
 * @param {string} setter
 */
function requireVersion(value, setter) {
  if (!(value instanceof VersionInfo)) {
    throw new TypeError(`PluginBuilder.${setter}: must be a VersionInfo, not ${show(value)}`);
  }
  return value;
}
