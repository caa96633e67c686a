import { PluginInfo } from './plugin_info.js';

/** @typedef {import('./core_module.js').LoadedPluginFields} LoadedPluginFields */

/** What a loaded plugin says of itself, and what the instance knows of it: as it was when asked for. Read-only. */
export class LoadedPluginInfo extends PluginInfo {
  /**
   * @param {LoadedPluginFields} fields
   * @internal
   */
  constructor(fields) {
    super(fields);
    /** The path or URL that it was loaded from; `<bytes>` and the like for one without. @readonly */
    this.origin = fields.origin;
    /** The names of its ops, but those that were removed since. @type {readonly string[]} @readonly */
    this.ops = Object.freeze(fields.ops);
    /** The names of its layer types. @type {readonly string[]} @readonly */
    this.layerTypes = Object.freeze(fields.layerTypes);
    /** What first stopped one of its functions or left it without memory, `op "x": unreachable`, or empty. @readonly */
    this.fault = fields.fault;
    /** Whether something has. It can still be called and unloaded, but its own state may be damaged. @readonly */
    this.faulted = fields.fault !== '';
    Object.freeze(this);
  }
}
