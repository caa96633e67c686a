import { requireArray, requireObject, requireOptions, requireString, show } from './check.js';
import { ValueError } from './errors.js';
import { parseIntegrity } from './integrity.js';
import { DEFAULT_MAX_BYTES } from './plugin_address.js';

/** @typedef {import('./integrity.js').Integrity} Integrity */
/** @typedef {import('./signing_key.js').PublicKeySource} PublicKeySource */

// A timer of a longer time fires at once.
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * How a source is read.
 * @typedef {object} ReadOptions
 * @property {string | URL} [base] where a relative address starts: the page or module of that URL, or in Node the
 *   folder of that path; default: the page (`document.baseURI`), or in Node the working folder
 * @property {number} [maxBytes] a larger file is refused, and not read further than that; default: 64 MiB
 * @property {AbortSignal} [signal] ends the load, which rejects with the signal's reason
 */

/**
 * @typedef {object} OwnLoadOptions
 * @property {string} [integrity] the hash that the file must have, as in Subresource Integrity: `sha256-…`, `sha384-…`
 *   or `sha512-…`; of several, separated by spaces, one of those of the strongest algorithm
 * @property {string} [name] the name that the plugin must have
 * @property {number} [timeoutMs] how long it may take until the plugin's own code is run, in milliseconds; default: no
 *   limit
 * @property {readonly PublicKeySource[]} [trustedKeys] the file must be signed by one of these keys: PEM text, base64,
 *   32 bytes or a CryptoKey
 */

/** @typedef {ReadOptions & OwnLoadOptions} LoadOptions */

/**
 * @typedef {object} OwnInspectOptions
 * @property {number} [timeoutMs] how long it may take, in milliseconds; default: no limit
 */

/** @typedef {ReadOptions & OwnInspectOptions} InspectOptions */

/**
 * @typedef {object} OwnIsolatedOptions
 * @property {true} isolated the plugin gets a memory and a worker of its own, and is given copies of tensors
 * @property {number} [callTimeoutMs] how long starting it, and each call of it, may take, in milliseconds; default:
 *   30,000
 * @property {number} [maxMemoryBytes] how large its memory may become, the engine's part of 16 MiB included; default:
 *   256 MiB
 */

/** @typedef {LoadOptions & OwnIsolatedOptions} IsolatedLoadOptions */

/**
 * The same, checked, and in the form in which they are used.
 * @typedef {object} CheckedInspectOptions
 * @property {string} [base]
 * @property {number} maxBytes
 * @property {AbortSignal} [signal]
 * @property {number} [timeoutMs]
 */

/**
 * @typedef {object} CheckedOwnOptions
 * @property {Integrity} [integrity]
 * @property {string} [name]
 * @property {readonly unknown[]} [trustedKeys] not yet looked at
 * @property {boolean} isolated
 * @property {number} callTimeoutMs
 * @property {number} maxMemoryBytes
 */

/** @typedef {CheckedInspectOptions & CheckedOwnOptions} CheckedLoadOptions */

/**
 * The checks, by name; each gives the value in the form in which it is used.
 * @type {Record<string, (value: unknown, what: string) => unknown>}
 */
const checks = {
  base(value, what) {
    const base = value instanceof URL ? value.href : value;
    requireString(base, what);
    return base;
  },
  callTimeoutMs: (value, what) => requireInteger(value, what, MAX_TIMEOUT_MS),
  force: requireFlag,
  integrity(value, what) {
    requireString(value, what);
    return parseIntegrity(value, what);
  },
  isolated: requireFlag,
  maxBytes: (value, what) => requireInteger(value, what, Number.MAX_SAFE_INTEGER),
  maxMemoryBytes: (value, what) => requireInteger(value, what, 2 ** 31, 2 ** 25),
  name(value, what) {
    requireString(value, what);
    return value;
  },
  signal(value, what) {
    requireObject(value, what);
    if (!isSignal(value)) throw new TypeError(`${what} must be an AbortSignal, not ${show(value)}`);
    return value;
  },
  timeoutMs: (value, what) => requireInteger(value, what, MAX_TIMEOUT_MS),
  trustedKeys(value, what) {
    requireArray(value, what);
    return value;
  },
};

/**
 * @param {unknown} value
 * @param {string} what
 */
function requireFlag(value, what) {
  if (typeof value !== 'boolean') throw new TypeError(`${what} must be a boolean, not ${show(value)}`);
  return value;
}

/**
 * Also of another realm.
 * @param {object} value
 * @returns {value is AbortSignal}
 */
function isSignal(value) {
  return Object.prototype.toString.call(value) === '[object AbortSignal]' && 'addEventListener' in value;
}

/**
 * @param {unknown} value
 * @param {string} what
 * @param {number} max
 * @param {number} [min]
 * @returns {number}
 */
function requireInteger(value, what, max, min = 1) {
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number, not ${show(value)}`);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ValueError(`${what} must be a whole number from ${min} to ${max}, or left out, not ${show(value)}`);
  }
  return value;
}

/**
 * Checks the options of a function. Each is read once, so that what was checked is what is used.
 * @template {string} N
 * @param {unknown} options
 * @param {string} caller for messages
 * @param {readonly N[]} names those that the function takes
 * @returns {Partial<Record<N, unknown>>} those that are given
 */
export function checkOptions(options, caller, names) {
  if (options === undefined) return {};
  if (Array.isArray(options)) throw new TypeError(`${caller}: options must be an object, not an array`);
  requireOptions(options, caller, names);
  /** @type {Partial<Record<N, unknown>>} */
  const checked = {};
  for (const name of names) {
    const value = options[name];
    if (value !== undefined) checked[name] = checks[name]?.(value, `${caller}: option ${name}`);
  }
  return checked;
}

/**
 * @param {unknown} options
 * @returns {CheckedInspectOptions}
 */
export function checkInspectOptions(options) {
  const checked = checkOptions(options, 'inspectPlugin', ['base', 'maxBytes', 'signal', 'timeoutMs']);
  return /** @type {CheckedInspectOptions} */ ({ maxBytes: DEFAULT_MAX_BYTES, ...checked });
}

const LOAD_OPTIONS = /** @type {const} */ ([
  'base', 'callTimeoutMs', 'integrity', 'isolated', 'maxBytes', 'maxMemoryBytes', 'name', 'signal', 'timeoutMs',
  'trustedKeys',
]);

const DEFAULTS = {
  maxBytes: DEFAULT_MAX_BYTES,
  isolated: false,
  callTimeoutMs: 30_000,
  maxMemoryBytes: 256 * 1024 * 1024,
};

/**
 * @param {unknown} options
 * @returns {CheckedLoadOptions}
 */
export function checkLoadOptions(options) {
  const checked = checkOptions(options, 'loadPlugin', LOAD_OPTIONS);
  for (const name of /** @type {const} */ (['callTimeoutMs', 'maxMemoryBytes'])) {
    if (name in checked && !checked.isolated) {
      throw new ValueError(`loadPlugin: option ${name} is for isolated plugins; add isolated: true, or leave it out`);
    }
  }
  return /** @type {CheckedLoadOptions} */ ({ ...DEFAULTS, ...checked });
}
