import { show } from './check.js';
import { ValueError } from './errors.js';
import { VERSION } from './generated/version.js';

const LIMIT = 2 ** 32 - 1;

/**
 * A version of three unsigned 32-bit numbers. Frozen, and the same class for every instance of MiniTensor, since it is
 * a value and needs nothing of the core.
 */
export class VersionInfo {
  /**
   * @param {number} major
   * @param {number} minor
   * @param {number} patch
   */
  constructor(major, minor, patch) {
    const given = { major, minor, patch };
    for (const [name, value] of Object.entries(given)) {
      if (typeof value !== 'number') throw new TypeError(`VersionInfo: ${name} must be a number, not ${show(value)}`);
      if (!Number.isInteger(value) || value < 0 || value > LIMIT) {
        throw new ValueError(`VersionInfo: ${name} must be an integer from 0 to ${LIMIT}, not ${value}`);
      }
    }
    /** @readonly */
    this.major = major;
    /** @readonly */
    this.minor = minor;
    /** @readonly */
    this.patch = patch;
    Object.freeze(this);
  }

  /**
   * Exactly `major.minor.patch` in decimal digits; anything else is a ValueError that quotes the input.
   * @param {string} text
   */
  static parse(text) {
    if (typeof text !== 'string') throw new TypeError(`VersionInfo.parse: text must be a string, not ${show(text)}`);
    const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
    // `$` also matches before a newline at the end only with the m flag, which is not set.
    if (!parts || parts.some((part) => part > LIMIT)) {
      throw new ValueError(
        `VersionInfo: ${show(text)} is not three numbers from 0 to ${LIMIT} in the form major.minor.patch`,
      );
    }
    const [major, minor, patch] = /** @type {[number, number, number]} */ (parts);
    return new VersionInfo(major, minor, patch);
  }

  /** The version of this package. */
  static current() {
    return VersionInfo.parse(VERSION);
  }

  /**
   * Whether this version can stand in for `other`: the same major number, and not older.
   * @param {VersionInfo} other
   */
  isCompatibleWith(other) {
    requireVersion(other, 'isCompatibleWith');
    return this.major === other.major && this.compareTo(other) >= 0;
  }

  /**
   * Negative, 0 or positive when this version is older than, equal to or newer than `other`.
   * @param {VersionInfo} other
   */
  compareTo(other) {
    requireVersion(other, 'compareTo');
    return this.major - other.major || this.minor - other.minor || this.patch - other.patch;
  }

  /** @param {unknown} other */
  equals(other) {
    return other instanceof VersionInfo && this.compareTo(other) === 0;
  }

  toString() {
    return `${this.major}.${this.minor}.${this.patch}`;
  }

  toJSON() {
    return this.toString();
  }

  /** How Node's console shows it. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `VersionInfo(${this})`;
  }
}

/**
 * @param {unknown} value
 * @param {string} method
 */
function requireVersion(value, method) {
  if (!(value instanceof VersionInfo)) throw new TypeError(`${method}: must be a VersionInfo, not ${show(value)}`);
}
