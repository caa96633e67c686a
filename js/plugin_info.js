import { requireObject, requireString } from './check.js';
import { VersionInfo } from './version_info.js';

/** @typedef {import('./core_module.js').PluginInfoFields} PluginInfoFields */
/** @typedef {import('./core_module.js').VersionFields} VersionFields */

/** What a plugin says of itself. Read-only; PluginBuilder makes it, and loading a plugin gives it. */
export class PluginInfo {
  /**
   * @param {PluginInfoFields} fields
   * @internal
   */
  constructor(fields) {
    requireObject(fields, 'PluginInfo: fields');
    for (const name of /** @type {const} */ (['name', 'description', 'author'])) {
      requireString(fields[name], `PluginInfo: ${name}`);
    }
    /** @readonly */
    this.name = fields.name;
    /** @readonly */
    this.version = versionOf(fields.version);
    /** @readonly */
    this.description = fields.description;
    /** @readonly */
    this.author = fields.author;
    /** The oldest MiniTensor that the plugin works with. @readonly */
    this.minMinitensorVersion = versionOf(fields.minMinitensorVersion);
    /** The newest one; undefined for no limit. @readonly */
    this.maxMinitensorVersion = fields.maxMinitensorVersion ? versionOf(fields.maxMinitensorVersion) : undefined;
    if (new.target === PluginInfo) Object.freeze(this);
  }

  /** @param {unknown} other */
  equals(other) {
    return other instanceof PluginInfo && textOf(this) === textOf(other);
  }

  toString() {
    return `${this.name} ${this.version}`;
  }
}

/**
 * What the plugin says, without what an instance knows of it.
 * @param {PluginInfo} info
 */
function textOf({ name, version, description, author, minMinitensorVersion, maxMinitensorVersion }) {
  return JSON.stringify([name, version, description, author, minMinitensorVersion, maxMinitensorVersion ?? null]);
}

/** @param {VersionFields} fields */
function versionOf(fields) {
  requireObject(fields, 'PluginInfo: a version');
  const { major, minor, patch } = fields;
  return new VersionInfo(major, minor, patch);
}

/**
 * The fields in the order in which the core takes them.
 * @param {Partial<PluginInfoFields>} fields
 * @returns {unknown[]}
 */
export function valuesOf({ name, version, description, author, minMinitensorVersion, maxMinitensorVersion }) {
  const versions = [version, minMinitensorVersion, maxMinitensorVersion].map((given) =>
    given && [given.major, given.minor, given.patch]);
  return [name, versions[0], description, author, ...versions.slice(1)];
}
